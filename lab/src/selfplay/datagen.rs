//! `halfpoint datagen`: many games on several threads, into one file.
//!
//! Game number `n` depends on the settings and `n` alone, and games are written in the order of their numbers. So the
//! file is at any time the beginning of the one file that these settings give, whatever the number of threads and
//! interruptions. The settings lie beside it, in a TOML file of the same name with `.toml` appended.

use super::openings::{OpeningSource, Openings};
use super::play::{Conditions, Played, Player, first_fault};
use super::tally::Tally;
use crate::dataset::{self, encode};
use crate::progress::bar;
use crate::writing::{check_apart, compression};
use crate::{MAX_SEED, MAX_THREADS};
use anyhow::{Context, Result, bail};
use clap::Args;
use crossbeam_channel::{Receiver, Sender, bounded};
use flate2::Crc;
use halfpoint::eval::Weights;
use halfpoint::output::{error_line, line};
use halfpoint::params;
use halfpoint::search::{OutOfMemory, STACK_BYTES, Signals};
use halfpoint::tablebase::Tables;
use indicatif::{HumanDuration, ProgressBar};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Default of the hard limit of nodes as a multiple of the soft one.
const HARD_FACTOR: u64 = 8;
/// Most nodes a move that may be asked for.
const MAX_NODES: u64 = 1 << 50;
/// Most games that may be asked for: with more the time left could not be told.
const MAX_GAMES: u64 = 1 << 40;

/// What to play.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Games in the file at the end
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    pub games: u64,
    /// Games played at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS))]
    pub threads: u16,
    /// Nodes after which no iteration of a search is started
    #[arg(long, default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    pub nodes: u64,
    /// Nodes at which a search ends in any case; eight times `--nodes` if missing
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    pub hard_nodes: Option<u64>,
    /// `random:PLIES`, or a file of lines with positions (FEN, EPD), or games in PGN that are played on from
    /// their ends; `.gz` and `.zst` of each
    #[arg(long, value_name = "random:PLIES|FILE", default_value = "random:8")]
    pub openings: OpeningSource,
    /// Chooses the openings and the games that are played on instead of resigned
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=MAX_SEED))]
    pub seed: u64,
    /// The file, in viriformat; if it exists the games that it lacks are added
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Random openings from all start positions of Chess960; any castling rights in files of openings
    #[arg(long)]
    pub chess960: bool,
    /// Directory of Syzygy tables: a game ends with its result where they know it
    #[arg(long, value_name = "DIRECTORY")]
    pub syzygy: Option<PathBuf>,
    /// TOML file with the weights of the terms, to play without a network; the built-in evaluation if missing
    #[arg(long, value_name = "FILE")]
    pub params: Option<PathBuf>,
}

/// All that decides how the games go, as it is kept beside them.
#[derive(Serialize)]
struct Settings<'a> {
    engine: &'static str,
    weights: String,
    openings: &'a str,
    chess960: bool,
    nodes: u64,
    hard_nodes: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
}

/// Settings that every file of them has.
const SETTINGS: [&str; 7] = ["engine", "weights", "openings", "chess960", "nodes", "hard_nodes", "seed"];

/// Plays the games that the file lacks. Prints progress on standard error and the totals on standard output.
pub fn run(options: &Options) -> Result<()> {
    let out = options.out.display();
    if compression(&options.out).is_some() {
        bail!("{out}: games are written uncompressed, choose a name without .gz or .zst");
    }
    let openings = match &options.openings {
        OpeningSource::File(path) => Some(path),
        OpeningSource::Random(_) => None,
    };
    let inputs = openings.into_iter().chain(&options.params).map(PathBuf::as_path);
    check_apart(&[&options.out, &settings_path(&options.out)], inputs)?;
    check_settings_file(&options.out)?;
    let (weights, weights_label) = weights(options.params.as_deref())?;
    let tables = options.syzygy.as_deref().map(|folders| Tables::open(folders.as_os_str()));
    tables.as_ref().map_or(Ok(()), first_fault)?;
    let conditions = Conditions {
        seed: options.seed,
        soft_nodes: options.nodes,
        hard_nodes: options.hard_nodes.unwrap_or(options.nodes * HARD_FACTOR),
        openings: Openings::new(&options.openings, options.chess960, &mut ChaCha8Rng::seed_from_u64(options.seed))?,
        tables,
        weights,
    };
    let settings = Settings {
        engine: env!("CARGO_PKG_VERSION"),
        weights: weights_label,
        openings: conditions.openings.label(),
        chess960: options.chess960,
        nodes: conditions.soft_nodes,
        hard_nodes: conditions.hard_nodes,
        seed: conditions.seed,
        tables: conditions
            .tables
            .as_ref()
            .map(|tables| format!("{} files, {} pieces", tables.counts().iter().sum::<usize>(), tables.max_pieces())),
    };
    let signals = Signals::new();
    let player = || Player::new(&conditions, &signals);

    let (mut file, so_far) = resume(&options.out, &settings, &player)?;
    let mut progress = Progress::new(options.games, so_far);
    let next = AtomicU64::new(so_far.games);
    let (sender, receiver) = bounded(options.threads.into());
    thread::scope(|scope| {
        let begun = (0..options.threads).try_for_each(|_| {
            let (sender, next, player) = (sender.clone(), &next, &player);
            let work = move || work(options.games, next, &sender, player);
            let worker = thread::Builder::new().name("game".to_owned()).stack_size(STACK_BYTES);
            worker.spawn_scoped(scope, work).map(drop).context("cannot start a thread")
        });
        drop(sender);
        let written = begun.and_then(|()| write(&mut file, &options.out, &receiver, &mut progress));
        // After a failure the games in progress are of no use.
        signals.stop();
        drop(receiver);
        written
    })?;
    progress.finish();
    Ok(())
}

/// The weights to play with, and their name in the settings.
fn weights(path: Option<&Path>) -> Result<(Arc<Weights>, String)> {
    let Some(path) = path else { return Ok((Weights::shipped(), "shipped".to_owned())) };
    let text = params::read_text(path)?;
    let weights: Weights = params::read(&path.display().to_string(), &text)?;
    let mut checksum = Crc::new();
    checksum.update(text.as_bytes());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok((Arc::new(weights), format!("{name}, CRC-32 {:08x}", checksum.sum())))
}

/// Opens the file of games for this process alone, cuts off a game that an interruption left unfinished, and makes sure
/// that what is there is what would be played now.
fn resume<'a>(
    out: &Path,
    settings: &Settings,
    player: &dyn Fn() -> Result<Player<'a>, OutOfMemory>,
) -> Result<(File, Tally)> {
    let name = || out.display().to_string();
    let is_new = fs::symlink_metadata(out).is_err();
    let mut file =
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(out).with_context(name)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => bail!("{}: in use by another process", name()),
        Err(TryLockError::Error(reason)) => return Err(reason).with_context(name),
    }
    let mut tally = Tally::default();
    if file.metadata().with_context(name)?.len() == 0 {
        let (path, text) = (settings_path(out), toml::to_string(settings)?);
        let written = halfpoint::files::write(&path, text).with_context(|| path.display().to_string());
        if written.is_err() && is_new {
            // What went wrong first is what the user has to know.
            let _ = fs::remove_file(out);
        }
        return written.map(|()| (file, tally));
    }
    compare_settings(out, settings)?;
    let mut games = dataset::read(out)?;
    while let Some(game) = games.read_game()? {
        tally.add(&game);
    }
    file.set_len(games.offset()).with_context(name)?;
    file.seek(SeekFrom::End(0)).with_context(name)?;
    if let Some(last) = tally.games.checked_sub(1) {
        let mut bytes = Vec::new();
        player()?.play(last)?.map_or(Ok(()), |played| encode(&played.game, &mut bytes))?;
        if bytes != games.bytes() {
            let change = "comes out differently now, with another engine or other weights; choose another file";
            bail!("{}: game {} {change}", name(), tally.games);
        }
        error_line(format_args!("{}: goes on after {} games", name(), tally.games));
    }
    Ok((file, tally))
}

/// Refuses to write the settings over what another program wrote. With games beside it the settings are compared instead.
fn check_settings_file(out: &Path) -> Result<()> {
    let path = settings_path(out);
    let text = match params::read_text(&path) {
        Ok(text) => text,
        Err(_) if fs::metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let is_own = |table: &toml::Table| SETTINGS.iter().all(|name| table.contains_key(*name));
    if !text.is_empty() && !text.parse().is_ok_and(|table| is_own(&table)) {
        let out = out.display();
        bail!("{out}: its settings go to {}, which another program wrote; choose another file", path.display());
    }
    Ok(())
}

/// Where the settings of a file of games lie.
fn settings_path(out: &Path) -> PathBuf {
    let mut path = out.as_os_str().to_owned();
    path.push(".toml");
    path.into()
}

/// Refuses settings other than those of the games so far.
fn compare_settings(out: &Path, settings: &Settings) -> Result<()> {
    let (path, out) = (settings_path(out), out.display());
    let theirs = params::read_text(&path).ok().and_then(|text| text.parse::<toml::Table>().ok());
    let Some(theirs) = theirs else {
        bail!("{out}: has games, but {} with their settings is missing or broken; choose another file", path.display());
    };
    let ours = toml::Table::try_from(settings)?;
    for name in ours.keys().chain(theirs.keys()) {
        let [other, own] = [&theirs, &ours].map(|table| table.get(name));
        if other != own {
            let text = |value: Option<&toml::Value>| value.map_or("none".to_owned(), toml::Value::to_string);
            bail!("{out}: made with {name} = {}, not {}; choose another file", text(other), text(own));
        }
    }
    Ok(())
}

/// A game with its number.
type Numbered = (u64, Played);

/// Plays games until all have been begun or nobody takes them.
fn work<'a>(
    games: u64,
    next: &AtomicU64,
    sender: &Sender<Result<Numbered>>,
    player: &dyn Fn() -> Result<Player<'a>, OutOfMemory>,
) {
    let mut player = match player() {
        Ok(player) => player,
        Err(error) => {
            let _ = sender.send(Err(error.into()));
            return;
        }
    };
    loop {
        let number = next.fetch_add(1, Relaxed);
        if number >= games {
            return;
        }
        let result = match player.play(number) {
            Ok(Some(played)) => Ok((number, played)),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        if sender.send(result).is_err() {
            return;
        }
    }
}

/// Writes games as they come, in the order of their numbers.
fn write(file: &mut File, path: &Path, receiver: &Receiver<Result<Numbered>>, progress: &mut Progress) -> Result<()> {
    let mut waiting = BTreeMap::new();
    let mut bytes = Vec::new();
    for result in receiver {
        let (number, played) = result?;
        waiting.insert(number, played);
        while let Some(played) = waiting.remove(&progress.tally.games) {
            bytes.clear();
            encode(&played.game, &mut bytes)?;
            file.write_all(&bytes).with_context(|| path.display().to_string())?;
            progress.add(&played);
        }
    }
    Ok(())
}

/// What is shown while games are played, and at the end.
struct Progress {
    bar: ProgressBar,
    begun: Instant,
    before: Tally,
    tally: Tally,
    nodes: u64,
    games: u64,
}

impl Progress {
    fn new(games: u64, before: Tally) -> Progress {
        let bar = bar(games, "{wide_bar} {pos}/{len} games, {msg}", "games").with_position(before.games);
        Progress { bar, begun: Instant::now(), before, tally: before, nodes: 0, games }
    }

    fn add(&mut self, played: &Played) {
        self.tally.add(&played.game);
        self.nodes += played.nodes;
        let [games, positions, _] = self.rates();
        let left = Duration::from_secs_f64(self.games.saturating_sub(self.tally.games) as f64 / games);
        self.bar.set_message(format!(
            "{games:.1} games/s, {positions:.0} positions/s, {}, {} left",
            self.tally.results(),
            HumanDuration(left)
        ));
        self.bar.inc(1);
    }

    /// Games, positions and nodes a second of this run.
    fn rates(&self) -> [f64; 3] {
        let seconds = self.begun.elapsed().as_secs_f64().max(1e-6);
        let games = self.tally.games - self.before.games;
        let positions = self.tally.positions - self.before.positions;
        [games, positions, self.nodes].map(|count| count as f64 / seconds)
    }

    /// Ends the bar and prints the totals.
    fn finish(self) {
        self.bar.finish_and_clear();
        let [games, positions, nodes] = self.rates();
        let new = self.tally.positions - self.before.positions;
        line(format_args!(
            "{}; this run: {} games, {} nodes, {:.0} nodes a move, {games:.2} games/s, {positions:.0} positions/s, {nodes:.0} nodes/s",
            self.tally,
            self.tally.games - self.before.games,
            self.nodes,
            self.nodes as f64 / new.max(1) as f64,
        ));
    }
}

#[cfg(test)]
mod tests;
