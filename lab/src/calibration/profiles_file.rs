//! Files of profiles: numbers are written, and all else in them stays.

use super::observations;
use super::profile::Fitted;
use super::scoring::games;
use crate::reading::{cannot_read, invalid};
use anyhow::{Context, Result};
use halfpoint::params::{self, NumberTable, Parameters};
use halfpoint::printing::profile::ProfileNumbers;
use std::io;
use std::path::Path;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

/// Decimals of what is written.
const DECIMALS: f64 = 1e4;

/// A file of parameters as it is, empty if there is none.
pub fn read<T: Parameters>(path: &Path) -> Result<DocumentMut> {
    let text = match halfpoint::files::read_text(path, params::MAX_FILE_BYTES) {
        Err(reason) if reason.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.with_context(|| cannot_read(path))?,
    };
    let document = text.parse::<DocumentMut>();
    if !document.as_ref().is_ok_and(|document| document.is_empty()) {
        drop(params::read::<T>(&path.display().to_string(), &text)?);
    }
    document.map_err(|reason| invalid(path, reason.message()))
}

pub fn rounded(number: f64) -> f64 {
    (number * DECIMALS).round() / DECIMALS
}

/// The key of this name in any case, as names of profiles are told apart.
pub fn find(parent: &Table, name: &str) -> Option<String> {
    parent.iter().map(|(key, _)| key).find(|key| key.eq_ignore_ascii_case(name)).map(str::to_owned)
}

/// Writes a profile into its table, which is made if it is missing; `None` if its name is that of something else.
pub fn write(document: &mut DocumentMut, fitted: &Fitted<'_>, nodes: u64, seed: u64) -> Option<()> {
    let Fitted { group, observations, learned, .. } = fitted;
    // A comment in a file without profiles stands at its end, and belongs before the first.
    let comment = document.is_empty().then(|| document.trailing().as_str().unwrap_or_default().to_owned());
    let table = table_in(document, fitted.name)?;
    if let Some(comment) = &comment {
        table.decor_mut().set_prefix(comment);
    }
    if !group.description.is_empty() {
        set(table, "description", group.description.as_str());
    }
    // What a profile of a given name is for is its user's to say.
    if let Some(elo) = group.elo() {
        set(table, "elo", elo.round());
    }
    if let Some(class) = group.time_class {
        set(table, "time_control", class.name());
    }
    for (index, number) in ProfileNumbers::NUMBERS.iter().enumerate() {
        let found = learned.profile.get(index);
        if learned.free.contains(&index) || found != number.default {
            set(table, number.name, rounded(found));
        } else {
            table.remove(number.name);
        }
    }
    // Numbers that are new stand where a reader looks for them; comments go with their keys.
    table.sort_values_by(|a, _, b, _| ProfileNumbers::index(a.get()).cmp(&ProfileNumbers::index(b.get())));
    table.remove("fit");
    let fit = table_in(table, "fit")?;
    set(fit, "positions", observations.samples.len() as i64);
    set(fit, "games", games(&observations.samples).count() as i64);
    set(fit, "nodes", nodes as i64);
    set(fit, "seed", seed as i64);
    set(fit, "log_loss_uncorrected", rounded(fitted.uncorrected.log_loss));
    set(fit, "log_loss", rounded(fitted.profile.log_loss));
    set(fit, "log_loss_error", rounded(fitted.profile.log_loss_error));
    for (number, (low, high)) in learned.free.iter().zip(&fitted.intervals) {
        let interval: Array = [*low, *high].into_iter().map(rounded).collect();
        set(fit, &format!("{}_interval", observations::name(*number)), interval);
    }
    if comment.is_some() {
        document.set_trailing("");
    }
    Some(())
}

/// The table of this name, made if it is missing.
pub fn table_in<'a>(parent: &'a mut Table, name: &str) -> Option<&'a mut Table> {
    let key = find(parent, name).unwrap_or_else(|| name.to_owned());
    parent.entry(&key).or_insert_with(|| Item::Table(Table::new())).as_table_mut()
}

/// Sets a value; comments around it stay.
pub fn set(table: &mut Table, key: &str, new: impl Into<Value>) {
    let mut new = new.into();
    if let Some(old) = table.get(key).and_then(Item::as_value) {
        *new.decor_mut() = old.decor().clone();
    }
    table[key] = Item::Value(new);
}
