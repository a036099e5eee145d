//! The likeliest law, and which of its coefficients are worth having.
//!
//! A law is two logistic regressions, of w and then of d, which depends on the w' of the first. The limit of what a difference
//! in rating counts is found by a search around them.

use super::super::observations::{features, golden_section, name};
use super::super::scoring::log_loss;
use super::data::Data;
use crate::outcome::Outcome;
use crate::stats::{Case, Regression};
use anyhow::{Result, ensure};
use halfpoint::params::NumberTable;
use halfpoint::printing::RatingGap;
use halfpoint::printing::law::{Context, Law};
use halfpoint::printing::profile::{COUNT, FEATURES, ProfileNumbers, Target, is_of_ratings};

/// Most coefficients of one of the two sums.
const WIDTH: usize = 80;
/// Standard deviation of a weak prior of each coefficient around 0.
const PRIOR: f64 = 5.0;
/// Standard errors that a coefficient must be away from 0: from there on it gains on games that it was not fitted to.
const CLEAR: f64 = 1.0;
/// How far a number may be out of its range, and at one in how many positions farther.
const TOLERANCE: f64 = 0.05;
const FEW: usize = 20;
/// Elo between which the limit of what a difference in rating counts is searched for, and to an interval how narrow.
const LIMIT: (f64, f64) = (150.0, 1500.0);
const NARROW: f64 = 20.0;

/// A coefficient: of which number, and of which part of what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Column {
    pub number: usize,
    pub term: usize,
}

/// A fitted law.
#[derive(Clone)]
pub struct Fit<C: Context> {
    pub law: Law<C>,
    /// How much a difference in rating counts.
    pub gap: RatingGap,
    /// The coefficients with their standard errors over games.
    pub columns: Vec<(Column, f64, f64)>,
}

/// All coefficients of the numbers that are allowed, of each no more than there are kinds of games; those of ratings where
/// they are known.
pub fn all_columns<C: Context>(data: &Data<C>, allowed: &[usize]) -> Vec<Column> {
    let terms = data.kinds(C::Terms::NUMBERS.len());
    let is_rated = data.is_rated();
    let numbers = allowed.iter().copied().filter(|&number| is_rated || !is_of_ratings(name(number)));
    numbers.flat_map(|number| (0..terms).map(move |term| Column { number, term })).collect()
}

impl<C: Context + Sync> Data<C> {
    /// The likeliest law with these coefficients, for the positions at `chosen`.
    pub fn fit(&self, chosen: &[usize], columns: &[Column]) -> Result<Fit<C>> {
        let shipped = RatingGap::shipped().clone();
        if !self.is_rated() {
            return self.fit_given(chosen, columns, &shipped);
        }
        let loss = |limit_elo: f64| {
            let fit = self.fit_given(chosen, columns, &RatingGap { limit_elo });
            fit.map_or(f64::INFINITY, |fit| chosen.iter().map(|&index| self.loss(&fit, index)).sum())
        };
        self.fit_given(chosen, columns, &RatingGap { limit_elo: golden_section(LIMIT, NARROW, loss) })
    }

    fn loss(&self, fit: &Fit<C>, index: usize) -> f64 {
        log_loss(self.prediction(fit, index), &self.observations.samples[index])
    }

    /// What a law makes of a position.
    pub fn prediction(&self, fit: &Fit<C>, index: usize) -> [f64; 3] {
        self.predict(index, &fit.law.at(self.contexts[index]), &fit.gap)
    }

    /// The likeliest law where it is given how much a difference in rating counts.
    fn fit_given(&self, chosen: &[usize], columns: &[Column], gap: &RatingGap) -> Result<Fit<C>> {
        let mut fit = Fit { law: Law::default(), gap: gap.clone(), columns: Vec::new() };
        for target in [Target::Wilo, Target::Draw] {
            let of_target: Vec<_> = columns.iter().copied().filter(|c| FEATURES[c.number].target == target).collect();
            ensure!(of_target.len() <= WIDTH, "more than {WIDTH} coefficients");
            // A number without coefficients has its default.
            let mut fixed = ProfileNumbers::default().values();
            of_target.iter().for_each(|column| fixed[column.number] = 0.0);
            let case = |&index: &usize| self.case(index, &of_target, &fixed, target, &fit);
            let cases: Vec<_> = chosen.iter().filter_map(case).collect();
            let regression = Regression::fit(cases.iter().map(|(_, case)| case), of_target.len(), Some(PRIOR));
            let errors = regression.standard_errors(cases.iter().copied());
            let mut terms: Vec<Option<C::Terms>> = vec![None; COUNT];
            for ((column, value), error) in of_target.iter().zip(regression.coefficients).zip(errors) {
                terms[column.number].get_or_insert_with(C::Terms::default).set(column.term, value);
                fit.columns.push((*column, value, error));
            }
            for (number, terms) in terms.into_iter().enumerate() {
                if let Some(terms) = terms {
                    fit.law.set(number, terms);
                }
            }
        }
        fit.columns.sort_by_key(|(column, ..)| *column);
        Ok(fit)
    }

    /// A position as a case of the regression of a target, with its game; `None` if it tells nothing of it. `fit` has what is
    /// fitted before.
    fn case(
        &self,
        index: usize,
        columns: &[Column],
        fixed: &[f64; COUNT],
        target: Target,
        fit: &Fit<C>,
    ) -> Option<(usize, Case<WIDTH>)> {
        let sample = &self.observations.samples[index];
        let of_wilo = target == Target::Wilo;
        // Against a king alone there is nothing to lose, whatever the scores are.
        if of_wilo && (sample.outcome == Outcome::Draw || sample.board.can_win != [true; 2]) {
            return None;
        }
        let context = self.contexts[index];
        let known = context.features();
        let inputs = self.inputs(index, &fit.gap);
        let inputs = if of_wilo { inputs } else { inputs.ahead(&fit.law.at(context)) };
        let values = features(&inputs, target);
        let offset: f64 = fixed.iter().zip(values).map(|(number, x)| number * x).sum();
        let happened = sample.outcome == if of_wilo { Outcome::Win } else { Outcome::Draw };
        let mut case = Case { offset, features: [0.0; WIDTH], yes: 0.0, no: 0.0 };
        for (x, column) in case.features.iter_mut().zip(columns) {
            *x = values[column.number] * known[column.term];
        }
        *(if happened { &mut case.yes } else { &mut case.no }) = 1.0;
        Some((sample.game, case))
    }

    /// Backward elimination: coefficients within a standard error of 0 go one by one, the weakest first; so do those that lead a
    /// number out of its range, where it would be cut, for more than a few positions. A coefficient that others refine stays
    /// as long as these; the constant of a number whose default is not 0 stays if any game tells of it.
    pub fn select(&self, chosen: &[usize], columns: &[Column]) -> Result<Fit<C>> {
        let mut columns = columns.to_vec();
        let full = self.fit(chosen, &columns)?;
        let mut fit = full.clone();
        loop {
            let away = |value: f64, error: f64| if error > 0.0 { (value / error).abs() } else { 0.0 };
            let weakest = fit.columns.iter().filter(|(column, _, error)| may_go::<C>(*column, *error, &columns));
            let weakest =
                weakest.map(|&(column, value, error)| (away(value, error), column)).min_by(|a, b| a.0.total_cmp(&b.0));
            let gone = match weakest {
                Some((away, column)) if away < CLEAR => Some(column),
                _ => self.out_of_range(chosen, &fit),
            };
            let Some(gone) = gone else { break };
            columns.retain(|column| *column != gone);
            fit = self.fit_given(chosen, &columns, &full.gap)?;
        }
        if columns.len() == full.columns.len() { Ok(fit) } else { self.fit(chosen, &columns) }
    }

    /// The last coefficient of a number that a law leads out of its range for more than a few positions.
    fn out_of_range(&self, chosen: &[usize], fit: &Fit<C>) -> Option<Column> {
        let is_out = |number: usize| {
            let range = &ProfileNumbers::NUMBERS[number];
            let (least, most) = (range.min - TOLERANCE, range.max + TOLERANCE);
            let value = |&index: &usize| fit.law.value(number, &self.contexts[index].features());
            let outside = chosen.iter().filter(|index| !(least..=most).contains(&value(index))).count();
            outside * FEW > chosen.len()
        };
        let last =
            |number: usize| fit.columns.iter().map(|(column, ..)| *column).rfind(|column| column.number == number);
        (0..COUNT).filter(|&number| is_out(number)).filter_map(last).find(|column| !stays(*column))
    }
}

/// Whether a coefficient, with its standard error, may be left out of these.
fn may_go<C: Context>(column: Column, error: f64, columns: &[Column]) -> bool {
    let refines = |other: &Column| other.number == column.number && C::REFINED[other.term].contains(&column.term);
    !columns.iter().any(refines) && (error == 0.0 || !stays(column))
}

/// Whether a coefficient is one that always stays: the constant of a number whose default is not 0.
fn stays(column: Column) -> bool {
    column.term == 0 && ProfileNumbers::NUMBERS[column.number].default != 0.0
}
