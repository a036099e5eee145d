//! What the search's score means in games of the engine against itself.

use super::profile::{ProfileNumbers, between, is_of_mates, is_of_ratings, set_entry};
use crate::params::{self, DeTable, DeValue, Fault, Parameters, Spanned, set_number};
use crate::wdl::contempt::ContemptScale;
use once_cell::sync::Lazy;

/// The file that ships with the engine.
const SHIPPED: &str = include_str!("../../engine-params/nominal.toml");

/// Part of a search's nodes after which its last line is printed, on average (0.71 to 0.75 for limits of 1,000 to 200,000
/// nodes): the last iteration is cut off.
pub(super) const LAST_LINE: f64 = 0.73;

/// The table of `engine-params/nominal.toml` with the scale of contempt.
const CONTEMPT: &str = "contempt";

/// What the score of a search means in games of the engine against itself, by the nodes of the search.
///
/// There are numbers for some node counts. Between them they go with the logarithm of the nodes; beyond them those of the
/// nearest hold. With them stands what a rating advantage is worth. File: `engine-params/nominal.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Nominal {
    /// Natural logarithms of node counts, ascending, and their numbers; at least one.
    by_nodes: Vec<(f64, ProfileNumbers)>,
    /// What a rating advantage is worth.
    pub contempt: ContemptScale,
}

impl Nominal {
    /// The one that ships with the engine.
    #[must_use]
    pub fn shipped() -> &'static Nominal {
        static NOMINAL: Lazy<Nominal> =
            Lazy::new(|| params::read("nominal.toml", SHIPPED).expect("a test reads the embedded file"));
        &NOMINAL
    }

    /// Numbers for a score that is printed after `nodes`.
    #[must_use]
    pub fn after(&self, nodes: u64) -> ProfileNumbers {
        self.at((nodes as f64 / LAST_LINE).max(1.0))
    }

    /// Numbers of searches with this limit of nodes, at least 1.
    #[must_use]
    pub fn at(&self, limit: f64) -> ProfileNumbers {
        between(&self.by_nodes, limit.ln()).unwrap_or_default()
    }

    /// The numbers for the largest node count below this limit, if there are any.
    #[must_use]
    pub fn below(&self, limit: u64) -> Option<&ProfileNumbers> {
        let place = (limit as f64).ln();
        self.by_nodes.iter().rev().find(|(at, _)| *at < place).map(|(_, numbers)| numbers)
    }
}

impl Parameters for Nominal {
    /// One table for each node count, named by it, with numbers of a profile except those of mates, which are certain
    /// here, and of ratings, as the engine meets itself; a table `[contempt]`.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<Nominal, Fault> {
        let (mut by_nodes, mut contempt) = (Vec::new(), ContemptScale::default());
        for (name, table) in document.get_ref() {
            let fault = |reason: &str| Fault::new(name.span(), format!("[{}]: {reason}", name.get_ref()));
            let DeValue::Table(entries) = table.get_ref() else { return Err(fault("not a table")) };
            if name.get_ref() == CONTEMPT {
                for (key, value) in entries {
                    set_number(&mut contempt, key.get_ref(), value)?;
                }
                continue;
            }
            let nodes = name.get_ref().parse::<u64>().ok();
            let nodes = nodes.filter(|&nodes| nodes > 0 && nodes.to_string() == **name.get_ref());
            let nodes = nodes.ok_or_else(|| fault("the name is not a number of nodes"))?;
            let mut numbers = ProfileNumbers::default();
            for (key, value) in entries {
                if is_of_mates(key.get_ref()) {
                    return Err(Fault::new(key.span(), format!("{}: mates are certain here", key.get_ref())));
                }
                if is_of_ratings(key.get_ref()) {
                    return Err(Fault::new(key.span(), format!("{}: the players are equal here", key.get_ref())));
                }
                set_entry(&mut numbers, key.get_ref(), value)?;
            }
            numbers.check().map_err(|reason| fault(&reason))?;
            by_nodes.push(((nodes as f64).ln(), numbers));
        }
        by_nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
        if by_nodes.is_empty() {
            return Err(Fault::new(0..0, "there is no table named by a number of nodes"));
        }
        Ok(Nominal { by_nodes, contempt })
    }
}
