//! The files of laws: the coefficients are written, and comments and all else stay.

use super::super::observations::name;
use super::super::profiles_file::{read, rounded, set, table_in};
use super::fit::Fit;
use super::report::FitTable;
use crate::reading::invalid;
use crate::writing::{self, cannot_write};
use anyhow::{Context as _, Result};
use halfpoint::output::line;
use halfpoint::params::{self, NumberTable, Parameters};
use halfpoint::printing::law::{Context, Nodes, People};
use halfpoint::printing::profile::{COUNT, ProfileNumbers};
use halfpoint::printing::{Nominal, PeopleLaw, RatingGap};
use std::path::Path;
use toml_edit::DocumentMut;

/// Checks, before the work, that a file can be written, and that what is there can be read.
pub fn check<T: Parameters>(path: &Path) -> Result<()> {
    halfpoint::files::check(path).with_context(|| cannot_write(path))?;
    read::<T>(path).map(drop)
}

/// Sets the coefficients of all numbers; tables of numbers without any go.
fn put<C: Context>(document: &mut DocumentMut, path: &Path, fit: &Fit<C>, table: &FitTable) -> Result<()> {
    for number in 0..COUNT {
        let Some(terms) = fit.law.terms(number) else {
            document.remove(name(number));
            continue;
        };
        let of_number = table_in(document, name(number)).ok_or_else(|| invalid(path, "not a table"))?;
        let range = &ProfileNumbers::NUMBERS[number];
        // A constant alone is the number itself.
        let is_alone = (1..C::Terms::NUMBERS.len()).all(|term| terms.get(term) == 0.0);
        for (index, term) in C::Terms::NUMBERS.iter().enumerate() {
            let is_number = is_alone && index == 0;
            let value = terms.get(index);
            match rounded(if is_number { value.clamp(range.min, range.max) } else { value }) {
                0.0 if !is_number => drop(of_number.remove(term.name)),
                value => set(of_number, term.name, value),
            }
        }
        of_number.sort_values_by(|a, _, b, _| C::Terms::index(a.get()).cmp(&C::Terms::index(b.get())));
    }
    document.sort_values_by(|a, _, b, _| {
        let place = |name: &str| ProfileNumbers::index(name).map_or((name == "fit", 0), |place| (false, 1 + place));
        place(a.get()).cmp(&place(b.get()))
    });
    document.remove("fit");
    let of_fit = table_in(document, "fit").ok_or_else(|| invalid(path, "not a table"))?;
    set(of_fit, "positions", table.positions as i64);
    set(of_fit, "games", table.games as i64);
    set(of_fit, "seed", table.seed as i64);
    set(of_fit, "log_loss", rounded(table.log_loss));
    set(of_fit, "log_loss_error", rounded(table.log_loss_error));
    Ok(())
}

/// Writes a document that can be read.
fn write<T: Parameters>(path: &Path, document: &DocumentMut) -> Result<()> {
    let text = document.to_string();
    drop(params::read::<T>(&path.display().to_string(), &text)?);
    writing::write(path, text)?;
    line(format_args!("written to {}", path.display()));
    Ok(())
}

pub fn write_nominal(path: &Path, fit: &Fit<Nodes>, table: &FitTable) -> Result<()> {
    let _lock = halfpoint::files::hold(path);
    let mut document = read::<Nominal>(path)?;
    put(&mut document, path, fit, table)?;
    write::<Nominal>(path, &document)
}

pub fn write_people(path: &Path, ratings: &Path, fit: &Fit<People>, table: &FitTable) -> Result<()> {
    let _lock = halfpoint::files::hold(path);
    let mut document = read::<PeopleLaw>(path)?;
    put(&mut document, path, fit, table)?;
    let mut gap = read::<RatingGap>(ratings)?;
    set(&mut gap, "limit_elo", fit.gap.limit_elo.round());
    write::<PeopleLaw>(path, &document)?;
    write::<RatingGap>(ratings, &gap)
}
