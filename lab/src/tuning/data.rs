//! Files to positions: which ones are used, what their target is, and which split they go to.

use super::block::{Block, Row};
use super::coefficients::{Codes, Dictionary, Tally};
use super::groups::{FEW_GAMES, Groups, Joined};
use super::knots::Knots;
use super::options::{Noisy, Options};
use super::quiet::Quiescence;
use super::selection::{Candidate, Chosen, Selection, Split, is_over};
use super::source::{self, DataFile, TrainingGame};
use super::target::{self, Reader};
use crate::outcome::Outcome;
use crate::progress;
use crate::reading::{Opened, ReadLog, check_distinct};
use anyhow::{Result, bail};
use halfpoint::eval::Weights;
use halfpoint::output::error_line;
use rayon::prelude::*;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Each split with its name.
pub const SPLITS: [(Split, &str); 3] =
    [(Split::Training, "training"), (Split::Validation, "validation"), (Split::Test, "test")];

/// Numbers of what was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallies {
    pub games: u64,
    /// Positions of these games.
    pub seen: u64,
    pub used: u64,
    /// Games by how they ended for White, in the order of [`Outcome::ALL`].
    pub outcomes: [u64; 3],
}

impl Tallies {
    /// Fraction of the games that ended so for White, per cent.
    pub fn percent(&self, outcome: Outcome) -> f64 {
        100.0 * self.outcomes[outcome as usize] as f64 / (self.games as f64).max(1.0)
    }
}

/// Everything that was read.
pub struct Data {
    pub splits: [Vec<Block>; 3],
    pub dictionary: Dictionary,
    /// Names of the groups of games; the first is the one whose level the weights have.
    pub groups: Vec<String>,
    /// Factor on the wilo of searches in the targets, for each group.
    pub factors: Vec<f64>,
    /// Numbers of all, and of each group.
    pub tallies: Tallies,
    pub time: Duration,
}

/// Games that are handed to the threads at a time.
const BATCH: usize = 512;
/// Positions after which a block is closed.
const BLOCK: usize = 4096;

/// A game with its place among all.
pub struct Numbered {
    pub game: TrainingGame,
    pub group: u8,
    pub number: u32,
}

/// A game's positions.
struct UsedPositions {
    split: Split,
    outcome: Outcome,
    seen: u64,
    block: Block,
}

/// Reads all files of the options. `weights` are the old ones, which quiescence search and the searches' W/D/L need.
pub fn read(options: &Options, weights: &Weights, knots: &Knots) -> Result<Data> {
    let began = Instant::now();
    check_files(&options.data)?;
    let dictionary = Dictionary::default();
    let mut data = Data {
        splits: Default::default(),
        dictionary,
        groups: Vec::new(),
        factors: Vec::new(),
        tallies: Tallies::default(),
        time: Duration::ZERO,
    };
    let bar = progress::spinner("reading");
    let sampler = Sampler {
        selection: options.selection(),
        reader: Reader::new(weights, knots),
        blends: options.lambdas() != [1.0; 2],
    };

    let (sender, receiver) = mpsc::sync_channel(2);
    let (report, groups) = std::thread::scope(|scope| {
        let files = scope.spawn(move || read_files(&options.data, &sender));
        for batch in receiver {
            let batch: Vec<Numbered> = batch;
            let dictionary = &data.dictionary;
            let used: Vec<_> = batch
                .into_par_iter()
                .map_init(
                    || (Tally::default(), Quiescence::new(weights)),
                    |(tally, quiescence), game| sampler.take(game, dictionary, tally, quiescence),
                )
                .collect();
            for game in used {
                data.add(game);
            }
            bar.set_message(format!("{} games, {} positions used", data.tallies.games, data.tallies.used));
        }
        // The thread only ends after all that it sent, or with an error.
        files.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    bar.finish_and_clear();
    report.warn_of_all();
    data.join(&groups);
    let has_eval = |row: &Row| row.search.is_some();
    if sampler.blends && !data.splits.iter().flatten().flat_map(|block| &block.rows).any(has_eval) {
        error_line(format_args!("warning: no position has an evaluation, so the targets are the results alone"));
    }
    data.factors = target::blend(&mut data.splits, data.groups.len(), options.lambdas());
    data.time = began.elapsed();
    for ((split, name), blocks) in SPLITS.into_iter().zip(&data.splits) {
        let positions = blocks.iter().map(|block| block.rows.len()).sum::<usize>();
        let wanted = match split {
            Split::Training => 1.0 - options.validation - options.test,
            Split::Validation => options.validation,
            Split::Test => options.test,
        };
        if positions == 0 && (wanted > 0.0 || split == Split::Training) {
            let games = data.tallies.games;
            bail!("no positions for {name} among {games} games: more games are needed, or other fractions and filters");
        }
    }
    Ok(data)
}

/// Fails before the work if a file cannot be read, or is named twice.
pub fn check_files(files: &[DataFile]) -> Result<()> {
    check_distinct(files.iter().map(|file| file.path.as_path()))?;
    // A pipe can be read but once.
    files.iter().filter(|file| file.path.is_file()).try_for_each(|file| Opened::new(&file.path).map(drop))
}

/// Sends the games of all files in batches, until nobody wants them.
pub fn read_files(files: &[DataFile], sender: &mpsc::SyncSender<Vec<Numbered>>) -> Result<(ReadLog, Groups)> {
    let mut batch = Vec::new();
    let mut groups = Groups::default();
    let mut refused = None;
    let mut number = 0;
    let mut report = ReadLog::default();
    for source in files {
        let before = number;
        let mut of_file = ReadLog::default();
        source::read(&source.path, &mut of_file, |game| {
            let group = match groups.add(&source.group, &game.conditions) {
                Ok(group) => group,
                Err(reason) => {
                    refused = Some(reason);
                    return false;
                }
            };
            batch.push(Numbered { game, group, number });
            number += 1;
            batch.len() < BATCH || sender.send(std::mem::take(&mut batch)).is_ok()
        })?;
        if let Some(reason) = refused {
            return Err(reason);
        }
        if number == before {
            bail!("{}: no game with a result in it{}", source.path.display(), of_file.explanation());
        }
        report.merge(of_file);
    }
    // Nobody listens after an error, which is then what counts.
    let _ = sender.send(batch);
    Ok((report, groups))
}

impl Data {
    /// Numbers the groups as they stay, and warns of those with few games.
    fn join(&mut self, groups: &Groups) {
        let Joined { names, games, numbers } = groups.join();
        for row in self.splits.iter_mut().flatten().flat_map(|block| &mut block.rows) {
            row.group = numbers[usize::from(row.group)];
        }
        for (name, games) in names.iter().zip(games).skip(1).filter(|(_, games)| *games < FEW_GAMES) {
            error_line(format_args!("warning: group '{name}' has only {games} games, so its level is hardly known"));
        }
        self.groups = names;
    }

    fn add(&mut self, game: UsedPositions) {
        self.tallies.games += 1;
        self.tallies.seen += game.seen;
        self.tallies.used += game.block.rows.len() as u64;
        self.tallies.outcomes[game.outcome as usize] += 1;
        let blocks = &mut self.splits[game.split as usize];
        match blocks.last_mut() {
            Some(block) if block.rows.len() < BLOCK => block.append(&game.block),
            last => {
                last.into_iter().for_each(Block::close);
                blocks.push(game.block);
            }
        }
    }
}

/// Chooses positions of games and makes rows of them.
struct Sampler<'a> {
    selection: Selection,
    reader: Reader<'a>,
    /// Whether the evaluations of searches are needed.
    blends: bool,
}

impl Sampler<'_> {
    fn take(
        &self,
        game: Numbered,
        dictionary: &Dictionary,
        tally: &mut Tally,
        quiescence: &mut Quiescence,
    ) -> UsedPositions {
        let Numbered { game: TrainingGame { conditions, positions }, group, number } = game;
        let Chosen { split, outcome, seen, positions } = self.selection.choose(positions, number, quiescence);
        let (mut block, mut codes) = (Block::default(), Codes::default());
        for Candidate { position, eval, outcome } in &positions {
            let leaf = if self.selection.noisy == Noisy::Resolve { quiescence.leaf(position) } else { None };
            let position = match &leaf {
                Some(leaf) if leaf.is_check() || is_over(leaf) => continue,
                Some(leaf) => leaf,
                None => position,
            };
            let phase = dictionary.encode(position, tally, &mut codes);
            let row = Row {
                codes: 0,
                runs: [0; 2],
                phase,
                group,
                advantage: conditions.advantage,
                outcome: *outcome,
                move_number: u16::try_from(position.fullmoves()).unwrap_or(u16::MAX),
                size: 0,
                draw: 0,
                game: number,
                search: eval.filter(|_| self.blends).map(|eval| self.reader.search_eval(eval, position, phase)),
                target: (*outcome).into(),
                is_saturated: false,
            };
            block.push(row, &codes);
        }
        UsedPositions { split, outcome, seen, block }
    }
}
