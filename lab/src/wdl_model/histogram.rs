//! Counts as a fit needs them: by material or move number, and by the engine's own evaluation.

use super::counts::{Counts, Key};
use super::curve::{Cell, Polynomial, Row};
use crate::outcome::Outcome;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Most internal units that 100 centipawns can be.
const MAX_UNIT: f64 = 10_000.0;
/// Largest material or move number of a [`Normalization`].
const MAX_MOM: u32 = 1000;

/// What a curve depends on beside the evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MomType {
    /// Full move number.
    Move,
    /// Material of both sides: pawns 1, knights and bishops 3, rooks 5, queens 9.
    #[default]
    Material,
}

impl MomType {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            MomType::Move => "move",
            MomType::Material => "material",
        }
    }

    fn of(self, key: &Key) -> u32 {
        match self {
            MomType::Move => key.fullmove,
            MomType::Material => key.material,
        }
    }
}

/// How an engine made its printed centipawns: 100 are `a(mom / momTarget)` internal units, mom cut to its range.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Normalization {
    #[serde(default)]
    mom_type: MomType,
    mom_min: u32,
    mom_max: u32,
    mom_target: u32,
    r#as: [f64; 4],
}

impl Normalization {
    /// Reads JSON as `{"momType": "material", "momMin": 17, "momMax": 78, "momTarget": 58, "as": [c3, c2, c1, c0]}`.
    pub fn parse(text: &str) -> Result<Normalization, String> {
        let read: Normalization = serde_json::from_str(text).map_err(|reason| reason.to_string())?;
        if read.mom_target == 0 || read.mom_min > read.mom_max || read.mom_max > MAX_MOM {
            return Err(format!("momTarget must not be 0, nor momMin above momMax, nor that above {MAX_MOM}"));
        }
        let unit = |mom: u32| Polynomial(read.r#as.to_vec()).at(f64::from(mom) / f64::from(read.mom_target));
        let is_usable = |unit: f64| (1.0..=MAX_UNIT).contains(&unit);
        // A pawn's value is its value at momTarget.
        if !(read.mom_min..=read.mom_max).chain([read.mom_target]).all(|mom| is_usable(unit(mom))) {
            return Err(format!("'as' must come to 1 to {MAX_UNIT} at momTarget and from momMin to momMax"));
        }
        Ok(read)
    }
}

/// Which counts to look at, and what their evaluations mean.
#[derive(Debug, Args)]
pub struct Selection {
    /// Fit by material or by move number
    #[arg(long, alias = "momType", value_enum, default_value = "material")]
    pub mom_type: MomType,
    /// Internal units that were printed as 100 centipawns
    #[arg(long, alias = "NormalizeToPawnValue", default_value_t = 100, conflicts_with = "normalize_data",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub normalize_to_pawn_value: u32,
    /// The same where it depends on material or move number, as JSON with momType, momMin, momMax, momTarget and as
    #[arg(long, alias = "NormalizeData", value_name = "JSON", value_parser = Normalization::parse)]
    pub normalize_data: Option<Normalization>,
    /// Least full move number
    #[arg(long, alias = "moveMin", default_value_t = 1)]
    pub move_min: u32,
    /// Largest full move number
    #[arg(long, alias = "moveMax", default_value_t = 120)]
    pub move_max: u32,
    /// Least material
    #[arg(long, alias = "materialMin", default_value_t = 17)]
    pub material_min: u32,
    /// Largest material
    #[arg(long, alias = "materialMax", default_value_t = 78)]
    pub material_max: u32,
    /// Largest evaluation, centipawns
    #[arg(long, alias = "evalMax", default_value_t = 400)]
    pub eval_max: u32,
}

impl Selection {
    /// Internal units of a pawn.
    pub fn pawn_value(&self) -> f64 {
        match &self.normalize_data {
            Some(data) => (data.r#as.iter().sum::<f64>() + 0.5).trunc(),
            None => f64::from(self.normalize_to_pawn_value),
        }
    }

    /// Range of the material or move numbers.
    pub fn range(&self) -> (u32, u32) {
        match self.mom_type {
            MomType::Move => (self.move_min, self.move_max),
            MomType::Material => (self.material_min, self.material_max),
        }
    }

    /// The polynomial that the evaluations were printed with, if it depends on the same as the fit, and its target.
    pub fn printed_with(&self) -> Option<(Polynomial, u32)> {
        let data = self.normalize_data.as_ref().filter(|data| data.mom_type == self.mom_type)?;
        Some((Polynomial(data.r#as.to_vec()), data.mom_target))
    }

    /// The internal evaluation of a key; `None` if the key is not to be looked at.
    fn internal(&self, key: &Key) -> Option<i32> {
        let chosen = (self.move_min..=self.move_max).contains(&key.fullmove)
            && (self.material_min..=self.material_max).contains(&key.material);
        let unit = match &self.normalize_data {
            None => self.pawn_value(),
            Some(data) => {
                let mom = data.mom_type.of(key).clamp(data.mom_min, data.mom_max);
                Polynomial(data.r#as.to_vec()).at(f64::from(mom) / f64::from(data.mom_target))
            }
        };
        let limit = (f64::from(self.eval_max) * self.pawn_value() / 100.0).round_ties_even();
        let internal = (f64::from(key.evaluation) * unit / 100.0).round_ties_even();
        (chosen && internal.abs() <= limit).then_some(internal as i32)
    }
}

/// How positions ended, by material or move number and internal evaluation.
#[derive(Clone, Debug, Default)]
pub struct Histogram(BTreeMap<u32, BTreeMap<i32, [u64; 3]>>);

impl Histogram {
    /// The counts that are selected.
    pub fn new(counts: &Counts, selection: &Selection) -> Histogram {
        let mut rows: BTreeMap<u32, BTreeMap<i32, [u64; 3]>> = BTreeMap::new();
        for (key, times) in counts.iter() {
            if let Some(internal) = selection.internal(&key) {
                let row = rows.entry(selection.mom_type.of(&key)).or_default();
                row.entry(internal).or_default()[key.outcome as usize] += times;
            }
        }
        Histogram(rows)
    }

    /// Positions won, drawn and lost.
    pub fn totals(&self) -> [u64; 3] {
        let mut totals = [0; 3];
        for counts in self.0.values().flat_map(BTreeMap::values) {
            totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
        totals
    }

    /// Each material or move number with positions, and how those ended.
    pub fn outcomes(&self) -> impl Iterator<Item = (u32, [u64; 3])> {
        self.0.iter().map(|(&mom, cells)| {
            let sum = |outcome: Outcome| cells.values().map(|counts| counts[outcome as usize]).sum();
            (mom, Outcome::ALL.map(sum))
        })
    }

    /// The positions of one material or move number; `u` is its part of `target`.
    pub fn row(&self, mom: u32, target: u32) -> Row {
        let cells = self.0.get(&mom).into_iter().flatten();
        Row {
            u: f64::from(mom) / f64::from(target),
            cells: cells
                .map(|(&x, counts)| Cell { x: f64::from(x), counts: counts.map(|count| count as f64) })
                .collect(),
        }
    }

    /// All rows.
    pub fn rows(&self, target: u32) -> Vec<Row> {
        self.0.keys().map(|&mom| self.row(mom, target)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        selection: Selection,
    }

    fn selection(arguments: &[&str]) -> Selection {
        Line::try_parse_from([&["fit"], arguments].concat()).unwrap().selection
    }

    #[test]
    fn evaluations_are_converted_and_cut() {
        let key = |evaluation, material| Key { outcome: Outcome::Draw, fullmove: 20, material, evaluation };
        let plain = selection(&["--NormalizeToPawnValue", "350"]);
        assert_eq!(plain.internal(&key(55, 58)), Some(192), "half to even");
        assert_eq!(plain.internal(&key(400, 58)), Some(1400));
        assert_eq!(plain.internal(&key(405, 58)), None);
        assert_eq!(plain.internal(&key(10, 16)), None);
        let data = r#"{"momMin": 17, "momMax": 60, "momTarget": 58, "as": [0, 0, 58, 200]}"#;
        let dynamic = selection(&["--NormalizeData", data]);
        assert_eq!(dynamic.pawn_value(), 258.0);
        assert_eq!(dynamic.internal(&key(100, 29)), Some(229));
        assert_eq!(dynamic.internal(&key(100, 78)), dynamic.internal(&key(100, 60)));
    }

    #[test]
    fn bad_conversions_are_refused() {
        let with = |target: u32, max: u32, last: &str| {
            format!(r#"{{"momMin": 1, "momMax": {max}, "momTarget": {target}, "as": [0, 0, 0, {last}]}}"#)
        };
        assert!(Normalization::parse(&with(58, 78, "300")).is_ok());
        let broken = [with(0, 78, "300"), with(58, 0, "300"), with(58, 78, "0"), with(58, 78, "1e308")];
        for data in ["", "{}"].into_iter().chain(broken.iter().map(String::as_str)) {
            assert!(Line::try_parse_from(["fit", "--normalize-data", data]).is_err(), "{data}");
        }
    }
}
