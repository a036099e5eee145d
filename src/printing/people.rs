//! What the search's score means in games of people, by their ratings and the time they have.

use super::law::{Law, People};
use super::profile::ProfileNumbers;
use crate::params::{self, DeTable, DeValue, Fault, Parameters, Spanned};
use once_cell::sync::Lazy;

/// The file that ships with the engine.
const SHIPPED: &str = include_str!("../../engine-params/people.toml");

/// A profile for people of every rating and every time control. File: `engine-params/people.toml`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PeopleLaw(pub Law<People>);

impl PeopleLaw {
    /// The one that ships with the engine.
    #[must_use]
    pub fn shipped() -> &'static PeopleLaw {
        static PEOPLE: Lazy<PeopleLaw> =
            Lazy::new(|| params::read("people.toml", SHIPPED).expect("a test reads the embedded file"));
        &PEOPLE
    }

    /// The numbers for a mean rating, Elo, and the seconds that each player has for 60 moves.
    #[must_use]
    pub fn at(&self, elo: f64, seconds: f64) -> ProfileNumbers {
        self.0.at(People { elo, seconds })
    }
}

impl Parameters for PeopleLaw {
    /// One table for each number of a profile with its coefficients, and `[fit]` for the reader.
    fn from_document(document: &Spanned<DeTable<'_>>) -> Result<PeopleLaw, Fault> {
        let mut law = Law::default();
        for (name, table) in document.get_ref() {
            match (name.get_ref().as_ref(), table.get_ref()) {
                ("fit", DeValue::Table(_)) => {}
                _ => law.read(name, table)?,
            }
        }
        law.check()?;
        Ok(PeopleLaw(law))
    }
}
