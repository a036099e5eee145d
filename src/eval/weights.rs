//! The two weight vectors and their file.

use super::material::MaterialInfo;
use super::network::{self, Network};
use super::term_list::{COLUMNS, COUNT, Feature, Owner, TERMS, Term};
use super::word::Word;
use super::{knots, overflow};
use crate::params::{self, DeTable, DeValue, Fault, Parameters, ParamsError, Spanned};
use once_cell::sync::Lazy;
use std::ops::{Index, Range};
use std::sync::Arc;

/// Text of the built-in parameter file.
pub const SHIPPED: &str = include_str!("../../engine-params/eval.toml");

/// Both weight vectors, packed: wilo in centipawns, draw in hundredths of a logit, each for middlegame and endgame.
///
/// ```
/// use halfpoint::eval::Weights;
/// use halfpoint::params;
///
/// let text = include_str!("../../engine-params/eval.toml");
/// assert_eq!(params::read::<Weights>("eval.toml", text).unwrap(), *Weights::terms());
///
/// let text = text.replacen("wilo_mg = [96, ", "wilo_mg = [9.6, ", 1);
/// let error = params::read::<Weights>("eval.toml", &text).unwrap_err();
/// assert_eq!(error.to_string(), "eval.toml, line 5: weight 0 of 'material.wilo_mg' is not a whole number from -32768 to 32767");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    words: [Word; ROOM],
    network: Option<Arc<Network>>,
}

/// The number of weights rounded up to a power of two: a masked index needs no bounds check.
const ROOM: usize = COUNT.next_power_of_two();

impl Weights {
    /// What the engine plays with: the built-in weights of the terms, and the built-in network.
    #[must_use]
    pub fn shipped() -> Arc<Weights> {
        static WEIGHTS: Lazy<Arc<Weights>> =
            Lazy::new(|| Arc::new(Weights::terms().with_network(Some(Network::shipped()))));
        Arc::clone(&WEIGHTS)
    }

    /// The built-in weights of the terms, without a network.
    #[must_use]
    pub fn terms() -> Arc<Weights> {
        static WEIGHTS: Lazy<Arc<Weights>> =
            Lazy::new(|| Arc::new(Weights::from_toml(SHIPPED).expect("a test reads the embedded file")));
        Arc::clone(&WEIGHTS)
    }

    /// Reads the text of a parameter file; see [`Parameters::from_document`] for what is refused.
    ///
    /// # Errors
    ///
    /// [`ParamsError`] with line, term and column.
    pub fn from_toml(text: &str) -> Result<Weights, ParamsError> {
        params::read("eval.toml", text)
    }

    /// The same weights with another network, or with none.
    #[must_use]
    pub fn with_network(&self, network: Option<Arc<Network>>) -> Weights {
        Weights { network, ..self.clone() }
    }

    /// The network beside the terms.
    #[must_use]
    pub fn network(&self) -> Option<&Network> {
        self.network.as_deref()
    }

    /// The network, if it adds to positions with this material.
    #[inline]
    pub(super) fn network_for(&self, material: MaterialInfo) -> Option<&Network> {
        self.network().filter(|_| network::applies_to(material))
    }

    /// The words of one term.
    #[must_use]
    pub fn term(&self, term: &Term) -> &[Word] {
        term.words(&self.words)
    }
}

impl Parameters for Weights {
    /// Refuses anything but exactly the terms of [`TERMS`] with four columns of the right length, zero wilo in shared
    /// terms, a wilo size that never rises, a draw curve that never falls by more than the sum rises, and sums that fit the
    /// lanes.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<Weights, Fault> {
        let mut words = [Word::ZERO; ROOM];
        let mut places: [Option<Range<usize>>; TERMS.len()] = [const { None }; TERMS.len()];
        for (name, value) in document.get_ref() {
            let Some(index) = TERMS.iter().position(|term| term.name == name.get_ref()) else {
                return Err(Fault::new(name.span(), format!("unknown term '{}'", name.get_ref())));
            };
            let term = &TERMS[index];
            words[term.features()].copy_from_slice(&read_term(term, name.span(), value)?);
            places[index] = Some(name.span());
        }
        if let Some(index) = places.iter().position(Option::is_none) {
            return Err(Fault::new(0..0, format!("missing term '{}'", TERMS[index].name)));
        }
        let weights = Weights { words, network: None };
        knots::check(&weights.words).map_err(|(term, reason)| {
            let index = TERMS.iter().position(|other| other.name == term);
            Fault::new(index.and_then(|index| places[index].clone()).unwrap_or(0..0), reason)
        })?;
        overflow::check(&weights.words).map_err(|reason| Fault::new(0..0, reason))?;
        Ok(weights)
    }
}

impl Index<Feature> for Weights {
    type Output = Word;
    #[inline]
    fn index(&self, feature: Feature) -> &Word {
        debug_assert!(feature < COUNT);
        &self.words[feature % ROOM]
    }
}

/// Reads the four columns of a term. `place` is that of its name.
fn read_term(term: &Term, place: Range<usize>, value: &Spanned<DeValue<'_>>) -> Result<Vec<Word>, Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(Fault::new(place, format!("'{}' is not a table", term.name)));
    };
    let mut columns = [const { None }; 4];
    for (column, value) in table {
        let Some(index) = COLUMNS.iter().position(|known| known == column.get_ref()) else {
            let reason = format!("unknown column '{}' in term '{}'", column.get_ref(), term.name);
            return Err(Fault::new(column.span(), reason));
        };
        let values = read_column(term, COLUMNS[index], value)?;
        if term.owner == Owner::Shared && COLUMNS[index].starts_with("wilo") && values.iter().any(|&value| value != 0) {
            let reason = format!("'{}' belongs to neither side, its wilo columns must be zero", term.name);
            return Err(Fault::new(value.span(), reason));
        }
        columns[index] = Some(values);
    }
    if let Some(index) = columns.iter().position(Option::is_none) {
        return Err(Fault::new(place, format!("missing column '{}' in term '{}'", COLUMNS[index], term.name)));
    }
    let [wilo_mg, wilo_eg, draw_mg, draw_eg] = columns.map(Option::unwrap_or_default);
    Ok((0..term.len).map(|i| Word::new(wilo_mg[i], wilo_eg[i], draw_mg[i], draw_eg[i])).collect())
}

/// Reads one column: an array, or a single weight.
fn read_column(term: &Term, column: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<i16>, Fault> {
    let values: &[Spanned<DeValue<'_>>] = match value.get_ref() {
        DeValue::Array(values) => values,
        _ => std::slice::from_ref(value),
    };
    if values.len() != term.len {
        let reason = format!("{} weights in '{}.{column}', {} expected", values.len(), term.name, term.len);
        return Err(Fault::new(value.span(), reason));
    }
    let read = |(index, value): (usize, &Spanned<DeValue<'_>>)| {
        let number = match value.get_ref() {
            DeValue::Integer(integer) => i16::from_str_radix(integer.as_str(), integer.radix()).ok(),
            _ => None,
        };
        number.ok_or_else(|| {
            let range = format!("from {} to {}", i16::MIN, i16::MAX);
            let reason = format!("weight {index} of '{}.{column}' is not a whole number {range}", term.name);
            Fault::new(value.span(), reason)
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

    /// The line of the shipped file on which a text begins.
    fn line_of(text: &str) -> usize {
        1 + SHIPPED[..SHIPPED.find(text).unwrap()].matches('\n').count()
    }

    #[test]
    fn shipped_weights_are_read_and_cannot_overflow() {
        let weights = Weights::from_toml(SHIPPED).unwrap();
        assert!(overflow::lane_bound(&weights.words, Word::wilo_eg, false) > 10_000);
        assert_eq!(*Weights::terms(), weights);
    }

    #[test]
    fn errors_say_what_and_where() {
        let tempo = line_of("[tempo]");
        assert_eq!(broken("[tempo]", "[tempi]"), format!("eval.toml, line {tempo}: unknown term 'tempi'"));
        let (start, end) = (SHIPPED.find("[tempo]").unwrap(), SHIPPED.find("[mobility_knight]").unwrap());
        assert_eq!(broken(&SHIPPED[start..end], ""), "eval.toml, line 1: missing term 'tempo'");
        assert_eq!(
            broken("[tempo]\nwilo_mg", "[tempo]\nwilo_xx"),
            format!("eval.toml, line {}: unknown column 'wilo_xx' in term 'tempo'", tempo + 1)
        );
        let missing = broken("[base]\nwilo_mg = [0]\n", "[base]\n");
        assert!(missing.ends_with("missing column 'wilo_mg' in term 'base'"), "{missing}");
        assert!(
            broken("[material]\nwilo_mg = [", "[material]\nwilo_mg = [7, ")
                .ends_with("6 weights in 'material.wilo_mg', 5 expected")
        );
        assert!(broken("[bishop_pair]\nwilo_mg = [", "[bishop_pair]\nwilo_mg = [0.").contains("not a whole number"));
        assert!(broken("[base]\nwilo_mg = [0]", "[base]\nwilo_mg = [3]").contains("belongs to neither side"));
        assert!(broken("[tempo]", "[tempo").starts_with(&format!("eval.toml, line {tempo}: ")));
        assert!(broken("[tempo]", "tempo = 3\n[tempo]").contains("tempo"));
    }

    #[test]
    fn large_weights_are_refused_for_the_lanes() {
        let start = SHIPPED.find("[material]\nwilo_mg = [").unwrap() + "[material]\nwilo_mg = [".len();
        let end = start + SHIPPED[start..].find(']').unwrap();
        let text = format!("{}100, 800, 900, 1300, 9000{}", &SHIPPED[..start], &SHIPPED[end..]);
        assert!(Weights::from_toml(&text).unwrap_err().to_string().contains("could reach"));
        let text = format!("{}100, 800, 900, 1300, 40000{}", &SHIPPED[..start], &SHIPPED[end..]);
        let error = Weights::from_toml(&text).unwrap_err().to_string();
        assert!(error.contains("weight 4 of 'material.wilo_mg' is not a whole number from"), "{error}");
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
        let error = |term: &str, first: &str| Weights::from_toml(&with_first_two(term, first)).unwrap_err().to_string();
        assert_eq!(
            error("wilo_size", "98, 99"),
            format!(
                "eval.toml, line {}: 'wilo_size.draw_mg' rises at weight 1; it must never rise",
                line_of("[wilo_size]")
            )
        );
        assert!(error("draw_curve", "99, -2").ends_with("'draw_curve.draw_mg' falls by more than 100 at weight 1"));
    }
}
