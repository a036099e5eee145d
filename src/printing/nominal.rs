//! What the search's score means in games of the engine against itself.

use super::law::{Law, Nodes};
use super::profile::{ProfileNumbers, is_of_mates, is_of_ratings};
use crate::params::{self, DeTable, DeValue, Fault, Parameters, Spanned, set_number};
use crate::wdl::contempt::ContemptScale;
use once_cell::sync::Lazy;

/// The file that ships with the engine.
const SHIPPED: &str = include_str!("../../engine-params/nominal.toml");

/// The table of `engine-params/nominal.toml` with the scale of contempt.
const CONTEMPT: &str = "contempt";

/// What the score of a search means in games that the engine plays against itself at that speed: the nodes of the search
/// stand for those of each move, whether a clock or a limit of nodes decides them. File: `engine-params/nominal.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nominal {
    /// The numbers by the nodes.
    pub law: Law<Nodes>,
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

    /// Numbers for the score of a search of so many nodes.
    #[must_use]
    pub fn at(&self, nodes: f64) -> ProfileNumbers {
        self.law.at(Nodes(nodes))
    }
}

impl Parameters for Nominal {
    /// One table for each number of a profile with its coefficients, except those of mates, which are certain here, and of
    /// ratings, as the engine meets itself; a table `[contempt]`, and `[fit]` for the reader.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<Nominal, Fault> {
        let mut nominal = Nominal::default();
        for (name, table) in document.get_ref() {
            let text = name.get_ref().as_ref();
            match (text, table.get_ref()) {
                ("fit", DeValue::Table(_)) => {}
                (CONTEMPT, DeValue::Table(entries)) => {
                    for (key, value) in entries {
                        set_number(&mut nominal.contempt, key.get_ref(), value)?;
                    }
                }
                _ if is_of_mates(text) => {
                    return Err(Fault::new(name.span(), format!("[{text}]: mates are certain here")));
                }
                _ if is_of_ratings(text) => {
                    return Err(Fault::new(name.span(), format!("[{text}]: the players are equal here")));
                }
                _ => nominal.law.read(name, table)?,
            }
        }
        nominal.law.check()?;
        Ok(nominal)
    }
}
