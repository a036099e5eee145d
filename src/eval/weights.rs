//! The two weight vectors and the file they come from.

use super::terms::{self, COUNT, Feature, Owner, TERMS, Term};
use super::word::Word;
use shakmaty::Role;
use std::ops::Index;
use std::sync::{Arc, LazyLock};
use thiserror::Error;
use toml::{Table, Value};

/// The parameter file that ships with the engine.
pub const SHIPPED: &str = include_str!("../../engine-params/eval.toml");

/// Columns of a term in the parameter file, in the order of [`Word::new`].
pub const COLUMNS: [&str; 4] = ["wilo_mg", "wilo_eg", "draw_mg", "draw_eg"];

/// Men of each role that count towards material; more than these can hardly arise and would fill the lanes.
pub const COUNTED: [i32; 5] = [8, 4, 4, 4, 5];

/// Both weight vectors, packed: wilo in centipawns, draw in hundredths of a logit, each for middlegame and endgame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    words: [Word; ROOM],
}

/// The weights' number rounded up to a power of two: a masked index needs no bounds check.
const ROOM: usize = COUNT.next_power_of_two();

/// What is wrong with a parameter file.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// Not TOML.
    #[error("line {line}: {reason}")]
    Syntax {
        /// Line of the file, from 1.
        line: usize,
        /// What the parser says.
        reason: String,
    },
    /// A term that the engine does not have.
    #[error("unknown term '{0}'")]
    UnknownTerm(String),
    /// A term that the file does not have.
    #[error("missing term '{0}'")]
    MissingTerm(&'static str),
    /// A column that no term has.
    #[error("unknown column '{column}' in term '{term}'")]
    UnknownColumn {
        /// The term.
        term: &'static str,
        /// The column.
        column: String,
    },
    /// A column that the file does not have.
    #[error("missing column '{column}' in term '{term}'")]
    MissingColumn {
        /// The term.
        term: &'static str,
        /// The column.
        column: &'static str,
    },
    /// Too few or too many weights.
    #[error("{found} weights in '{term}.{column}', {expected} expected")]
    Length {
        /// The term.
        term: &'static str,
        /// The column.
        column: &'static str,
        /// Weights in the file.
        found: usize,
        /// Weights of the term.
        expected: usize,
    },
    /// A weight that is no whole number in range.
    #[error("weight {index} of '{term}.{column}' is {value}, not a whole number from -32768 to 32767")]
    Value {
        /// The term.
        term: &'static str,
        /// The column.
        column: &'static str,
        /// Position in the column, from 0.
        index: usize,
        /// What the file has.
        value: String,
    },
    /// A wilo weight for something that belongs to neither side.
    #[error("'{0}' belongs to neither side, its wilo columns must be zero")]
    SharedWilo(&'static str),
    /// The draw score would rise with the size of wilo.
    #[error("'wilo_size.{column}' rises at weight {index}; it must never rise")]
    Rises {
        /// The column.
        column: &'static str,
        /// Position in the column, from 0.
        index: usize,
    },
    /// The draw score would fall where the sum of its features rises.
    #[error("'draw_curve.{column}' falls by more than {} at weight {index}", terms::DRAW_KNOT_STEP)]
    Falls {
        /// The column.
        column: &'static str,
        /// Position in the column, from 0.
        index: usize,
    },
    /// Sums could leave their sixteen bits.
    #[error("the sum of column '{column}' could reach {bound}, more than 32767")]
    Overflow {
        /// The column.
        column: &'static str,
        /// Bound on the absolute sum.
        bound: i64,
    },
}

impl Weights {
    /// The weights that ship with the engine.
    #[must_use]
    pub fn shipped() -> Arc<Weights> {
        static WEIGHTS: LazyLock<Arc<Weights>> =
            LazyLock::new(|| Arc::new(Weights::from_toml(SHIPPED).expect("a test reads the embedded file")));
        Arc::clone(&WEIGHTS)
    }

    /// Reads a parameter file.
    ///
    /// # Errors
    ///
    /// [`WeightsError`] for anything but exactly the terms of [`TERMS`] with four columns of the right length, zero
    /// wilo in shared terms, a [`terms::WILO_SIZE`] that never rises, a
    /// [`terms::DRAW_CURVE`] that never falls by more than the sum rises, and sums that fit the lanes.
    pub fn from_toml(text: &str) -> Result<Weights, WeightsError> {
        let mut table: Table = text.parse().map_err(|error: toml::de::Error| WeightsError::Syntax {
            line: error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count()),
            reason: error.message().replace('\n', " "),
        })?;
        let mut words = [Word::ZERO; ROOM];
        for term in TERMS {
            let entry = table.remove(term.name).ok_or(WeightsError::MissingTerm(term.name))?;
            words[term.offset..term.offset + term.len].copy_from_slice(&read_term(term, entry)?);
        }
        if let Some(name) = table.keys().next() {
            return Err(WeightsError::UnknownTerm(name.clone()));
        }
        let weights = Weights { words };
        weights.check_knots()?;
        weights.check_lanes()?;
        Ok(weights)
    }

    /// The words of one term.
    #[must_use]
    pub fn term(&self, term: &Term) -> &[Word] {
        &self.words[term.offset..term.offset + term.len]
    }

    fn check_knots(&self) -> Result<(), WeightsError> {
        for (column, lane) in [("draw_mg", Word::draw_mg as fn(Word) -> i32), ("draw_eg", Word::draw_eg)] {
            let values: Vec<i32> = self.term(&terms::WILO_SIZE).iter().map(|&word| lane(word)).collect();
            if let Some(index) = (1..values.len()).find(|&i| values[i] > values[i - 1]) {
                return Err(WeightsError::Rises { column, index });
            }
            let values: Vec<i32> = self.term(&terms::DRAW_CURVE).iter().map(|&word| lane(word)).collect();
            if let Some(index) = (1..values.len()).find(|&i| values[i] < values[i - 1] - terms::DRAW_KNOT_STEP) {
                return Err(WeightsError::Falls { column, index });
            }
        }
        Ok(())
    }

    fn check_lanes(&self) -> Result<(), WeightsError> {
        let lanes: [fn(Word) -> i32; 4] = [Word::wilo_mg, Word::wilo_eg, Word::draw_mg, Word::draw_eg];
        for (column, lane) in COLUMNS.into_iter().zip(lanes) {
            let bound = self.lane_bound(lane, column.starts_with("draw"));
            if bound > i64::from(i16::MAX) {
                return Err(WeightsError::Overflow { column, bound });
            }
        }
        Ok(())
    }

    /// Most that a lane can reach in any of the three sums that are made: one colour's material in wilo and both
    /// colours' in draw lanes, or the difference (wilo) or sum (draw) of both colours' features of pawns and kings alone,
    /// or of the rest.
    fn lane_bound(&self, lane: fn(Word) -> i32, adds_up: bool) -> i64 {
        let army = if adds_up { 2 } else { 1 } * self.army_bound(lane);
        let (mut shared, mut side, mut man) = (0, [0; 2], [[0; 7]; 2]);
        for term in TERMS {
            // From the least to the largest, nothing included: one colour may have the one, the other the other.
            let values = || self.term(term).iter().map(|&word| i64::from(lane(word)));
            let (high, low) = (values().max().unwrap_or(0).max(0), -values().min().unwrap_or(0).min(0));
            let range = i64::from(term.most) * if adds_up { 2 * high.max(low) } else { high + low };
            let part = usize::from(terms::STRUCTURE.iter().any(|other| other.offset == term.offset));
            match term.owner {
                Owner::Army => {}
                // Counted once, not for each colour.
                Owner::Shared => shared += i64::from(term.most) * high.max(low),
                Owner::Side => side[part] += range,
                Owner::Man(role) => man[part][role as usize] += range,
                Owner::Minor => {
                    man[part][Role::Knight as usize] += range;
                    man[part][Role::Bishop as usize] += range;
                }
            }
        }
        let part = |part: usize| {
            let pawn = man[part][Role::Pawn as usize];
            let piece = man[part].into_iter().skip(Role::Knight as usize).max().unwrap_or(0);
            side[part] + 7 * piece + 8 * pawn.max(piece)
        };
        army.max(part(0)).max(part(1)) + shared
    }

    /// Most that the features of one colour's counts of men can reach, with the worst enemy army.
    fn army_bound(&self, lane: fn(Word) -> i32) -> i64 {
        let values = |term: &Term| -> Vec<i64> { self.term(term).iter().map(|&word| i64::from(lane(word))).collect() };
        let counted = COUNTED.map(i64::from);
        let (material, own_pairs) = (values(&terms::MATERIAL), values(&terms::IMBALANCE_OWN));
        let their_pairs = values(&terms::IMBALANCE_THEIRS);
        let extras = [values(&terms::BISHOP_PAIR)[0], values(&terms::PAWNLESS)[0]];
        // Of an army with more men than a game can have only the material counts.
        let oversized: i64 = material.iter().zip(counted).map(|(value, count)| value.abs() * count).sum();
        let mut bound = oversized;
        for men in armies() {
            let men = men.map(i64::from);
            let mut sum: i64 = material.iter().zip(men).map(|(value, count)| value * count).sum();
            let (mut own_index, mut their_index) = (0, 0);
            let mut against = [0; 5];
            for i in 0..5 {
                for j in 0..=i {
                    let pairs = if i == j { men[i] * (men[i] - 1) / 2 } else { men[i] * men[j] };
                    sum += own_pairs[own_index] * pairs;
                    own_index += 1;
                    if j < i {
                        against[j] += their_pairs[their_index] * men[i];
                        their_index += 1;
                    }
                }
            }
            for sign in [1, -1] {
                let enemies = against.iter().zip(counted).map(|(value, count)| (sign * value).max(0) * count);
                let extras = extras.iter().map(|value| (sign * value).max(0));
                bound = bound.max(sign * sum + enemies.sum::<i64>() + extras.sum::<i64>());
            }
        }
        bound
    }
}

/// Numbers of men, pawns first, that count in full: at most fifteen beside the king.
fn armies() -> impl Iterator<Item = [i32; 5]> {
    let kinds = COUNTED.map(|most| most + 1);
    (0..kinds.iter().product())
        .map(move |index: i32| {
            let mut rest = index;
            kinds.map(|kind| {
                let count = rest % kind;
                rest /= kind;
                count
            })
        })
        .filter(|men| men.iter().sum::<i32>() <= 15)
}

impl Index<Feature> for Weights {
    type Output = Word;
    #[inline]
    fn index(&self, feature: Feature) -> &Word {
        debug_assert!(feature < COUNT);
        &self.words[feature % ROOM]
    }
}

fn read_term(term: &'static Term, entry: Value) -> Result<Vec<Word>, WeightsError> {
    let Value::Table(mut entry) = entry else {
        return Err(WeightsError::MissingColumn { term: term.name, column: COLUMNS[0] });
    };
    let mut columns = [const { Vec::new() }; 4];
    for (column, values) in COLUMNS.into_iter().zip(&mut columns) {
        let value = entry.remove(column).ok_or(WeightsError::MissingColumn { term: term.name, column })?;
        *values = read_column(term, column, &value)?;
    }
    if let Some(column) = entry.keys().next() {
        return Err(WeightsError::UnknownColumn { term: term.name, column: column.clone() });
    }
    let [wilo_mg, wilo_eg, draw_mg, draw_eg] = columns;
    if term.owner == Owner::Shared && wilo_mg.iter().chain(&wilo_eg).any(|&value| value != 0) {
        return Err(WeightsError::SharedWilo(term.name));
    }
    Ok((0..term.len).map(|i| Word::new(wilo_mg[i], wilo_eg[i], draw_mg[i], draw_eg[i])).collect())
}

fn read_column(term: &'static Term, column: &'static str, value: &Value) -> Result<Vec<i16>, WeightsError> {
    let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    if values.len() != term.len {
        return Err(WeightsError::Length { term: term.name, column, found: values.len(), expected: term.len });
    }
    let read = |(index, value): (usize, &Value)| {
        value.as_integer().and_then(|value| i16::try_from(value).ok()).ok_or_else(|| WeightsError::Value {
            term: term.name,
            column,
            index,
            value: value.to_string().replace('\n', " "),
        })
    };
    values.iter().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(from: &str, to: &str) -> String {
        assert!(SHIPPED.contains(from), "{from}");
        Weights::from_toml(&SHIPPED.replacen(from, to, 1)).unwrap_err().to_string()
    }

    #[test]
    fn shipped_weights_are_read_and_cannot_overflow() {
        let weights = Weights::from_toml(SHIPPED).unwrap();
        assert!(weights.lane_bound(Word::wilo_eg, false) > 10_000);
        assert_eq!(*Weights::shipped(), weights);
    }

    #[test]
    fn errors_say_what_and_where() {
        assert_eq!(broken("[tempo]", "[tempi]"), "missing term 'tempo'");
        assert_eq!(broken("[tempo]", "[tempi]\nwilo_mg = 1\n[tempo]"), "unknown term 'tempi'");
        assert_eq!(broken("[tempo]\nwilo_mg", "[tempo]\nwilo_xx"), "missing column 'wilo_mg' in term 'tempo'");
        assert_eq!(broken("[tempo]", "[tempo]\nx = 1"), "unknown column 'x' in term 'tempo'");
        assert!(
            broken("[material]\nwilo_mg = [", "[material]\nwilo_mg = [7, ")
                .contains("6 weights in 'material.wilo_mg', 5 expected")
        );
        assert!(broken("[bishop_pair]\nwilo_mg = [", "[bishop_pair]\nwilo_mg = [0.").contains("not a whole number"));
        assert!(broken("[material]\nwilo_mg = [", "[material]\nwilo_mg = [1.5, ").contains("6 weights"));
        assert!(broken("[base]\nwilo_mg = [0]", "[base]\nwilo_mg = [3]").contains("belongs to neither side"));
        assert!(broken("[tempo]", "[tempo").starts_with("line "));
    }

    #[test]
    fn large_weights_are_refused_for_the_lanes() {
        let start = SHIPPED.find("[material]\nwilo_mg = [").unwrap() + "[material]\nwilo_mg = [".len();
        let end = start + SHIPPED[start..].find(']').unwrap();
        let text = format!("{}100, 800, 900, 1300, 9000{}", &SHIPPED[..start], &SHIPPED[end..]);
        assert!(Weights::from_toml(&text).unwrap_err().to_string().contains("could reach"));
        let text = format!("{}100, 800, 900, 1300, 40000{}", &SHIPPED[..start], &SHIPPED[end..]);
        assert!(Weights::from_toml(&text).unwrap_err().to_string().contains("weight 4 of 'material.wilo_mg' is 40000"));
    }

    /// The shipped file with the first two weights of a term's `draw_mg` replaced.
    fn with_first_two(term: &str, first: &str) -> String {
        let at = SHIPPED.find(&format!("[{term}]")).unwrap();
        let start = at + SHIPPED[at..].find("draw_mg = [").unwrap() + "draw_mg = [".len();
        let third = SHIPPED[start..].match_indices(", ").nth(1).unwrap().0;
        format!("{}{first}{}", &SHIPPED[..start], &SHIPPED[start + third..])
    }

    #[test]
    fn a_draw_score_that_runs_backwards_is_refused() {
        let told = |term: &str, first: &str| Weights::from_toml(&with_first_two(term, first)).unwrap_err().to_string();
        assert_eq!(told("wilo_size", "98, 99"), "'wilo_size.draw_mg' rises at weight 1; it must never rise");
        assert_eq!(told("draw_curve", "99, -2"), "'draw_curve.draw_mg' falls by more than 100 at weight 1");
    }
}
