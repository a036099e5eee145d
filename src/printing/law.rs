//! Profiles as laws: each number is a sum of coefficients times what is known of the games.

use super::profile::{COUNT, ProfileNumbers};
use crate::number_table;
use crate::params::{DeValue, Fault, NumberTable, Spanned, set_number};

/// Largest size of a coefficient.
const LIMIT: f64 = 100.0;

number_table! {
    /// A number of the engine's own games, by the nodes of the searches.
    pub struct NodesTerms {
        /// At 20,000 nodes.
        constant: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
        /// For each e-fold of the nodes.
        nodes: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
        /// For each e-fold of the nodes below 5,000, on top of that.
        nodes_few: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
    }
}

number_table! {
    /// A number of games of people, by their mean rating and the time for a game.
    pub struct PeopleTerms {
        /// At 1600 Elo and ten minutes for 60 moves.
        constant: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
        /// For each 400 Elo above 1600.
        rating: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
        /// For the square of that.
        rating_square: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
        /// For each e-fold of the time.
        pace: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
        /// For the product of the rating's part and that of the time.
        rating_pace: f64 = 0.0, -LIMIT..=LIMIT, step 0, "as the number";
    }
}

/// What is known of games, in the units of the coefficients.
pub trait Context: Copy {
    /// The coefficients of a number.
    type Terms: NumberTable;
    /// Of which other coefficients each is a refinement: it makes sense with those alone.
    const REFINED: &'static [&'static [usize]];
    /// What the coefficients are multiplied with, in their order.
    fn features(self) -> Vec<f64>;
}

/// A number within a range; what is no number is in the middle.
fn within(number: f64, (low, high): (f64, f64), middle: f64) -> f64 {
    if number.is_nan() { middle } else { number.clamp(low, high) }
}

/// The nodes of a search, at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nodes(pub f64);

impl Nodes {
    /// Nodes that the constants are for.
    const MIDDLE: f64 = 20_000.0;
    /// Beyond these the law holds as at them. The games that it is fitted to end at 80,000 nodes.
    const RANGE: (f64, f64) = (1_000.0, 500_000.0);
    /// Below these the slope is another one.
    const FEW: f64 = 5_000.0;
}

impl Context for Nodes {
    type Terms = NodesTerms;
    const REFINED: &'static [&'static [usize]] = &[&[], &[0], &[0, 1]];

    fn features(self) -> Vec<f64> {
        let nodes = within(self.0, Nodes::RANGE, Nodes::MIDDLE);
        vec![1.0, (nodes / Nodes::MIDDLE).ln(), (nodes / Nodes::FEW).ln().min(0.0)]
    }
}

/// Mean rating of the players, and seconds that each has for 60 moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct People {
    /// Elo.
    pub elo: f64,
    /// Seconds.
    pub seconds: f64,
}

impl People {
    /// Rating that the constants are for, and how many Elo a unit is.
    const RATING: (f64, f64) = (1600.0, 400.0);
    /// Seconds that the constants are for.
    const SECONDS: f64 = 600.0;
    /// Ratings and seconds beyond which the law holds as at them.
    const RATINGS: (f64, f64) = (400.0, 2900.0);
    const PACES: (f64, f64) = (30.0, 10_800.0);
}

impl Context for People {
    type Terms = PeopleTerms;
    const REFINED: &'static [&'static [usize]] = &[&[], &[0], &[0, 1], &[0], &[0, 1, 3]];

    fn features(self) -> Vec<f64> {
        let (middle, unit) = People::RATING;
        let rating = (within(self.elo, People::RATINGS, middle) - middle) / unit;
        let pace = (within(self.seconds, People::PACES, People::SECONDS) / People::SECONDS).ln();
        vec![1.0, rating, rating * rating, pace, rating * pace]
    }
}

/// The coefficients of the numbers of a profile; a number without any has its default.
#[derive(Clone, Debug, PartialEq)]
pub struct Law<C: Context> {
    terms: Vec<Option<C::Terms>>,
}

impl<C: Context> Default for Law<C> {
    fn default() -> Law<C> {
        Law { terms: vec![None; COUNT] }
    }
}

impl<C: Context> Law<C> {
    /// The numbers for these games; each is cut so that a better position never counts for less.
    #[must_use]
    pub fn at(&self, context: C) -> ProfileNumbers {
        let features = context.features();
        let mut numbers = ProfileNumbers::default();
        for number in (0..COUNT).filter(|&number| self.terms[number].is_some()) {
            numbers.set(number, self.value(number, &features));
        }
        numbers.cut();
        numbers
    }

    /// A number before it is cut, by its place in the table and the features of a context; 0 without coefficients.
    #[must_use]
    pub fn value(&self, number: usize, features: &[f64]) -> f64 {
        let sum = |terms: &C::Terms| features.iter().enumerate().map(|(term, x)| terms.get(term) * x).sum();
        self.terms[number].as_ref().map_or(0.0, sum)
    }

    /// Sets the coefficients of a number, by its place in the table of numbers.
    pub fn set(&mut self, number: usize, terms: C::Terms) {
        self.terms[number] = Some(terms);
    }

    /// The coefficients of a number, if it has any.
    #[must_use]
    pub fn terms(&self, number: usize) -> Option<&C::Terms> {
        self.terms[number].as_ref()
    }

    /// Checks that there is any number.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let is_any = self.terms.iter().any(Option::is_some);
        if is_any { Ok(()) } else { Err(Fault::new(0..0, "there is no number")) }
    }

    /// Takes the table of a number from a file.
    pub(super) fn read(&mut self, name: &Spanned<impl AsRef<str>>, table: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
        let fault = |reason: &str| Fault::new(name.span(), format!("[{}]: {reason}", name.get_ref().as_ref()));
        let DeValue::Table(entries) = table.get_ref() else { return Err(fault("not a table")) };
        let number = ProfileNumbers::index(name.get_ref().as_ref());
        let number = number.ok_or_else(|| fault("there is no such number of a profile"))?;
        let mut terms = C::Terms::default();
        for (key, value) in entries {
            set_number(&mut terms, key.get_ref(), value)?;
        }
        if entries.is_empty() {
            return Err(fault("there is no coefficient"));
        }
        let (range, constant) = (&ProfileNumbers::NUMBERS[number], terms.get(0));
        // With others it may be out of range where no game is.
        let is_alone = (1..C::Terms::NUMBERS.len()).all(|term| terms.get(term) == 0.0);
        if is_alone && !(range.min..=range.max).contains(&constant) {
            return Err(fault(&format!("constant = {constant} is not from {} to {}", range.min, range.max)));
        }
        self.set(number, terms);
        Ok(())
    }
}
