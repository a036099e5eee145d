//! The parameter file with new weights: names, order, comments and layout stay as they are.

use super::vector::Vector;
use halfpoint::eval::tuning::terms::COLUMNS;
use halfpoint::eval::tuning::terms::TERMS;
use toml_edit::{Array, DocumentMut, Item, Value};

impl Vector {
    /// Columns of the parameter file, middlegame first.
    pub fn columns(self) -> [&'static str; 2] {
        match self {
            Vector::Wilo => [COLUMNS[0], COLUMNS[1]],
            Vector::Draw => [COLUMNS[2], COLUMNS[3]],
        }
    }
}

/// The text of a parameter file with other weights of one vector, which are rounded. `text` must be a file that was read without error.
pub fn with_weights(text: &str, vector: Vector, weights: &[f64]) -> String {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return text.to_owned() };
    for term in TERMS {
        for (phase, column) in vector.columns().into_iter().enumerate() {
            let values =
                (term.offset..term.offset + term.len).map(|feature| weights[2 * feature + phase].round() as i64);
            match document.get_mut(term.name).and_then(|term| term.get_mut(column)) {
                Some(Item::Value(Value::Array(array))) => {
                    for (index, value) in values.enumerate() {
                        set(array, index, value);
                    }
                }
                Some(Item::Value(value)) => {
                    let decor = value.decor().clone();
                    *value = values.sum::<i64>().into();
                    *value.decor_mut() = decor;
                }
                _ => {}
            }
        }
    }
    document.to_string()
}

/// Puts a number in the place of another. Where numbers are aligned by leading blanks, they stay so.
fn set(array: &mut Array, index: usize, value: i64) {
    let Some(old) = array.get_mut(index) else { return };
    let mut decor = old.decor().clone();
    let prefix = decor.prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default();
    let blanks = prefix.len() - prefix.trim_end_matches(' ').len();
    if blanks > 1 {
        let width = blanks + old.as_integer().map_or(1, |old| old.to_string().len());
        let blanks = width.saturating_sub(value.to_string().len()).max(1);
        let start = prefix.trim_end_matches(' ').to_owned();
        decor.set_prefix(format!("{start}{}", " ".repeat(blanks)));
    }
    *old = value.into();
    *old.decor_mut() = decor;
}
