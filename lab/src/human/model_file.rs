//! The file of the model: features, squares and thinking times are written, the levels in it stay.

use super::design::{COLUMNS, OF_FEATURES, OF_SQUARES};
use crate::reading::{cannot_read, invalid};
use crate::writing;
use anyhow::{Context, Result};
use halfpoint::human::{CONTEXT, ErrorChances, FEATURES, FeatureWeights, HumanModel, ROLE_NAMES, ThinkingTime};
use halfpoint::params::{self, NumberTable};
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, value};

/// Decimals of what is written.
const DECIMALS: f64 = 1e4;
/// The same for the preferences for squares.
const SQUARE_DECIMALS: f64 = 1e3;
/// The table that stays.
const LEVELS: &str = "levels";
/// The table of corrections.
const ERRORS: &str = "errors";
/// What stands in every file of this kind.
pub const MARK: &str = "# How people of a rating move";

/// The tables of levels in a file, as text; empty without the file.
pub fn levels(path: &Path) -> Result<String> {
    let text = match halfpoint::files::read_text(path, params::MAX_FILE_BYTES) {
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| cannot_read(path))?,
    };
    let mut document: DocumentMut = text.parse().map_err(|reason| invalid(path, reason))?;
    document.retain(|name, _| name == LEVELS);
    if let Some(Item::Table(levels)) = document.get_mut(LEVELS) {
        levels.set_implicit(true);
    }
    document.set_trailing("");
    // The head of a file without a model stands before its first level.
    let text = document.to_string();
    Ok(text.trim().trim_start_matches(MARK).trim().to_owned())
}

/// Writes the corrections of chances of errors into a file, with a line that says what they were fitted to; the rest stays.
pub fn set_errors(path: &Path, heading: &str, errors: &ErrorChances) -> Result<()> {
    let text = halfpoint::files::read_text(path, params::MAX_FILE_BYTES).with_context(|| cannot_read(path))?;
    let mut document: DocumentMut = text.parse().map_err(|reason| invalid(path, reason))?;
    let mut table = Table::new();
    for (index, number) in ErrorChances::NUMBERS.iter().enumerate() {
        table.insert(number.name, value(rounded(errors.get(index))));
    }
    table.decor_mut().set_prefix(format!("\n# {heading}\n"));
    document.insert(ERRORS, Item::Table(table));
    let text = format!("{}\n", document.to_string().trim_end());
    // What is written can be read.
    params::read::<HumanModel>("the model", &text)?;
    writing::write(path, text)
}

fn rounded(number: f64) -> f64 {
    // No negative zero.
    (number * DECIMALS).round() / DECIMALS + 0.0
}

/// The same with fewer decimals, as there are many of them.
fn of_square(weight: f64) -> String {
    format!("{:6.3}", (weight * SQUARE_DECIMALS).round() / SQUARE_DECIMALS + 0.0)
}

/// The text of a file. `heading`: lines that say what it was fitted to.
pub fn text(heading: &[String], parameters: &[f64], thinking: &ThinkingTime, levels: &str) -> Result<String> {
    let mut text = format!("{MARK}; what each number means stands in src/human/ and docs/human.md.\n");
    heading.iter().for_each(|line| text += &format!("# {line}\n"));
    let (of_features, of_squares) = parameters.split_at(OF_FEATURES);
    for (feature, weights) in FEATURES.iter().zip(of_features.chunks_exact(COLUMNS)) {
        write!(text, "\n# {}\n[{}]\n", feature.meaning, feature.name)?;
        for (number, weight) in FeatureWeights::NUMBERS.iter().zip(&weights[..CONTEXT]) {
            writeln!(text, "{} = {:?}", number.name, rounded(*weight))?;
        }
    }
    text += "\n# How long people think.\n[thinking]\n";
    for (index, number) in ThinkingTime::NUMBERS.iter().enumerate() {
        writeln!(text, "{} = {:?}", number.name, rounded(thinking.get(index)))?;
    }
    let phases = ["opening", "later"].into_iter().zip(of_squares.chunks_exact(OF_SQUARES / 2));
    let of_phase: Vec<_> = phases.collect();
    for (role, name) in ROLE_NAMES.iter().enumerate() {
        write!(text, "\n[squares.{name}]\n")?;
        for (phase, all) in &of_phase {
            writeln!(text, "{phase} = [")?;
            for rank in all[64 * role..64 * (role + 1)].chunks_exact(8) {
                let rank: Vec<_> = rank.iter().copied().map(of_square).collect();
                writeln!(text, "    {},", rank.join(", "))?;
            }
            text += "]\n";
        }
    }
    if !levels.is_empty() {
        write!(text, "\n{levels}\n")?;
    }
    // What is written can be read.
    params::read::<HumanModel>("the model", &text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::human::design::PARAMETERS;

    #[test]
    fn what_is_written_is_read_back_and_levels_stay() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("human.toml");
        assert_eq!(levels(&path).unwrap(), "");
        let old = "[capture]\nconstant = 3.0\n\n[levels.1000]\ntemperature = 0.5\n";
        std::fs::write(&path, old).unwrap();
        let kept = levels(&path).unwrap();
        let parameters: Vec<f64> = (0..PARAMETERS).map(|index| index as f64 / 1000.0).collect();
        let thinking = ThinkingTime { share: 0.25, ..ThinkingTime::default() };
        let written = text(&["a line".to_owned()], &parameters, &thinking, &kept).unwrap();
        let model: HumanModel = params::read("human.toml", &written).unwrap();
        assert_eq!(model.features[1].rating, 0.009);
        assert_eq!(model.squares[0].opening[5], (parameters[OF_FEATURES + 5] * 1e3).round() / 1e3);
        assert_eq!(model.thinking.share, 0.25);
        assert_eq!(model.levels.at(1000.0).temperature, 0.5);
        std::fs::write(&path, written).unwrap();
        assert_eq!(levels(&path).unwrap(), kept);
        let errors = ErrorChances { blunder_scale: 0.75, ..ErrorChances::default() };
        // The second time the numbers are replaced.
        for mistake_offset in [0.5, -0.25] {
            set_errors(&path, "by some games", &ErrorChances { mistake_offset, ..errors.clone() }).unwrap();
            let judged: HumanModel = params::read_file(&path).unwrap();
            assert_eq!(judged.errors, ErrorChances { mistake_offset, ..errors.clone() });
            assert_eq!(HumanModel { errors: model.errors.clone(), ..judged }, model);
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap().matches("by some games").count(), 1);
    }
}
