//! How opponents of a rating choose: how sharply, and how deep they look.

use crate::number_table;
use crate::params::{DeTable, DeValue, Fault, NumberTable, set_number};

/// Least rating of an opponent, Elo.
pub const MIN_ELO: i32 = 600;
/// Largest rating of an opponent, Elo.
pub const MAX_ELO: i32 = 2600;
/// Rating of an opponent where none is asked for, Elo.
pub const DEFAULT_ELO: i32 = 1500;

number_table! {
    /// How an opponent of a rating chooses.
    pub struct Level {
        /// Temperature of the choice: below 1 likely moves are preferred more than by people.
        temperature: f64 = 1.0, 0.01..=10.0, step 0, "factor";
        /// Taken off the utility of a move for each expected point that it loses, beside what the model has.
        sharpness: f64 = 0.0, 0.0..=1000.0, step 0, "logits";
        /// Rating that the model is asked for.
        elo: f64 = 1500.0, 0.0..=4000.0, step 0, "Elo";
    }
}

/// Levels at ascending ratings. Between them the numbers go in straight lines; beyond them those of the nearest hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Levels(Vec<(f64, Level)>);

impl Levels {
    /// Reads tables named by ratings.
    pub(super) fn from_table(tables: &DeTable<'_>) -> Result<Levels, Fault> {
        let mut levels = Vec::new();
        for (name, table) in tables {
            let fault = |reason: &str| Fault::new(name.span(), format!("levels.{}: {reason}", name.get_ref()));
            let DeValue::Table(entries) = table.get_ref() else { return Err(fault("not a table")) };
            let elo: u32 = name.get_ref().parse().map_err(|_| fault("the name is not a rating"))?;
            let mut level = Level::default();
            for (key, value) in entries {
                set_number(&mut level, key.get_ref(), value)?;
            }
            levels.push((f64::from(elo), level));
        }
        levels.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(Levels(levels))
    }

    /// The level of a rating.
    #[must_use]
    pub fn at(&self, elo: f64) -> Level {
        let above = self.0.partition_point(|&(at, _)| at < elo);
        let (Some(low), Some(high)) = (self.0.get(above.saturating_sub(1)), self.0.get(above).or(self.0.last())) else {
            return Level { elo, ..Level::default() };
        };
        let part = if high.0 > low.0 { ((elo - low.0) / (high.0 - low.0)).clamp(0.0, 1.0) } else { 0.0 };
        let mut level = Level::default();
        for index in 0..Level::NUMBERS.len() {
            level.set(index, low.1.get(index) + part * (high.1.get(index) - low.1.get(index)));
        }
        level
    }
}
