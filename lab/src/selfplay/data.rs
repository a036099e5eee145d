//! `halfpoint data`: what is in datasets, and other files out of them.

use super::tally::{Tally, percent};
use crate::dataset::{self, Ending, Game};
use crate::writing::NewFile;
use anyhow::{Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use halfpoint::output::line;
use halfpoint::position::{self, Position};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Epd;
use shakmaty::{Color, EnPassantMode, KnownOutcome, Position as _};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// What to do with datasets.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Print what is in datasets
    Info(Inputs),
    /// Check that games are legal, whole, and end as the rules say
    Check(Inputs),
    /// Write the games of datasets in random order; they must fit in memory
    Shuffle {
        #[command(flatten)]
        inputs: Inputs,
        /// Chooses the order
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        output: OutputFile,
    },
    /// Write the games of datasets one after the other
    Merge {
        #[command(flatten)]
        inputs: Inputs,
        #[command(flatten)]
        output: OutputFile,
    },
    /// Write each position with the result of its game as a line of text
    Export {
        #[command(flatten)]
        inputs: Inputs,
        /// Form of the lines
        #[arg(long, value_enum, default_value_t = Format::Fen)]
        format: Format,
        #[command(flatten)]
        output: OutputFile,
    },
}

/// Files to read.
#[derive(Args, Clone, Debug)]
pub struct Inputs {
    /// Files in viriformat; `.gz` and `.zst` are uncompressed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The file to write.
#[derive(Args, Clone, Debug)]
pub struct OutputFile {
    /// A new file, compressed if its name ends in `.gz` or `.zst`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Forms of exported positions.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Format {
    /// `FEN;RESULT`, with 1.0 for a win of White, 0.5 for a draw, 0.0 for a win of Black
    Fen,
    /// EPD with `c9 "1-0";`, `"1/2-1/2"` or `"0-1"`, and both counters
    Epd,
}

impl Command {
    /// Does it. What it finds goes to standard output.
    pub fn run(&self) -> Result<()> {
        match self {
            Command::Info(inputs) => info(inputs),
            Command::Check(inputs) => check(inputs),
            Command::Shuffle { inputs, seed, output } => shuffle(inputs, *seed, output),
            Command::Merge { inputs, output } => merge(inputs, output),
            Command::Export { inputs, format, output } => export(inputs, *format, output),
        }
    }
}

fn info(inputs: &Inputs) -> Result<()> {
    let mut all = Contents::default();
    for path in &inputs.files {
        let mut tally = Tally::default();
        let mut games = dataset::read(path)?;
        while let Some(game) = games.next() {
            let game = game?;
            tally.add(&game);
            all.add(&game, games.bytes());
        }
        line(format_args!("{}: {tally}", path.display()));
    }
    if inputs.files.len() > 1 {
        line(format_args!("all: {}", all.tally));
    }
    all.lines().iter().for_each(line);
    Ok(())
}

/// What is counted for `info`.
#[derive(Default)]
struct Contents {
    tally: Tally,
    shortest: Option<usize>,
    longest: usize,
    by_rule: u64,
    by_tables: u64,
    unknown: u64,
    checks: u64,
    /// Positions scored as mate or tablebase win.
    exact: u64,
    /// Positions by number of pieces, in quarters of the full board.
    pieces: [u64; 4],
    /// Positions by halfmove clock: below 10, below 40, the rest.
    clocks: [u64; 3],
    starts: HashSet<u64>,
    games: HashSet<u64>,
}

impl Contents {
    fn add(&mut self, game: &Game, bytes: &[u8]) {
        self.tally.add(game);
        let length = game.plies.len();
        self.shortest = Some(self.shortest.map_or(length, |shortest| shortest.min(length)));
        self.longest = self.longest.max(length);
        self.by_rule += u64::from(game.ending == Ending::Rules);
        self.by_tables += u64::from(game.ending == Ending::Tables);
        self.unknown += u64::from(game.ending == Ending::Unknown);
        for (position, ply) in game.positions() {
            self.checks += u64::from(position.is_check());
            self.exact += u64::from(ply.eval.is_exact());
            self.pieces[(position.board().occupied().count() - 1) / 8] += 1;
            let clock = match position.halfmoves() {
                ..10 => 0,
                10..40 => 1,
                _ => 2,
            };
            self.clocks[clock] += 1;
        }
        self.starts.insert(game.start.key());
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        self.games.insert(hasher.finish());
    }

    fn lines(&self) -> [String; 5] {
        let Tally { games, positions, played_on, resigned, .. } = self.tally;
        let of_positions = |part| percent(part, positions);
        let [few, some, many, most] = self.pieces.map(of_positions);
        let [low, middle, high] = self.clocks.map(of_positions);
        [
            format!(
                "plies a game: {:.1}, from {} to {}",
                positions as f64 / games.max(1) as f64,
                self.shortest.unwrap_or_default(),
                self.longest
            ),
            format!(
                "ended: {} by rule, {} by tables, {resigned} by resignation, {played_on} played on though decided, {} unknown",
                self.by_rule, self.by_tables, self.unknown
            ),
            format!("distinct: {} start positions, {} games", self.starts.len(), self.games.len()),
            format!(
                "positions: {:.1} % in check, {:.1} % scored as mate or tablebase win",
                of_positions(self.checks),
                of_positions(self.exact)
            ),
            format!(
                "positions by pieces: 1-8 {few:.1} %, 9-16 {some:.1} %, 17-24 {many:.1} %, 25-32 {most:.1} %; \
                 by halfmove clock: 0-9 {low:.1} %, 10-39 {middle:.1} %, 40 and more {high:.1} %"
            ),
        ]
    }
}

fn check(inputs: &Inputs) -> Result<()> {
    let mut wrong = 0;
    for path in &inputs.files {
        match faults(path) {
            Ok((tally, 0)) => line(format_args!("{}: right, {tally}", path.display())),
            Ok((tally, faults)) => {
                wrong += 1;
                line(format_args!("{}: {faults} faults, {tally}", path.display()));
            }
            Err(error) => {
                wrong += 1;
                line(format_args!("{error:#}"));
            }
        }
    }
    if wrong > 0 { bail!("{wrong} of {} files are wrong", inputs.files.len()) } else { Ok(()) }
}

/// Prints the faults of a dataset, and counts them and its games.
fn faults(path: &Path) -> Result<(Tally, u64)> {
    let (mut tally, mut faults) = (Tally::default(), 0);
    let mut games = dataset::read(path)?;
    loop {
        let offset = games.offset();
        let Some(game) = games.next().transpose()? else { break };
        tally.add(&game);
        if let Some(fault) = fault(&game) {
            faults += 1;
            line(format_args!("{}: game {} at byte {offset}: {fault}", path.display(), tally.games));
        }
    }
    Ok((tally, faults + u64::from(games.truncated())))
}

/// What is wrong with a game by the rules.
fn fault(game: &Game) -> Option<String> {
    let mut board = position::GameHistory::new(game.start);
    for (index, ply) in game.plies.iter().enumerate() {
        if let Some(outcome) = board.outcome() {
            return Some(format!("it goes on after {index} plies, when it is over: {outcome}"));
        }
        board.play(ply.m);
    }
    match board.outcome() {
        Some(outcome) if outcome != game.outcome => {
            Some(format!("its result is {}, but by the rules {outcome}", game.outcome))
        }
        None if game.ending == Ending::Rules => Some("it stops before the end by rule that it claims".to_owned()),
        _ => None,
    }
}

fn shuffle(inputs: &Inputs, seed: u64, output: &OutputFile) -> Result<()> {
    let mut file = NewFile::create(&output.out)?;
    let (mut bytes, mut games) = (Vec::new(), Vec::new());
    copy(inputs, |game| {
        games.push(bytes.len()..bytes.len() + game.len());
        bytes.extend_from_slice(game);
        Ok(())
    })?;
    games.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    games.iter().try_for_each(|game| file.write(&bytes[game.clone()]))?;
    file.finish()
}

fn merge(inputs: &Inputs, output: &OutputFile) -> Result<()> {
    let mut file = NewFile::create(&output.out)?;
    copy(inputs, |game| file.write(game))?;
    file.finish()
}

/// Hands over the bytes of each game.
fn copy(inputs: &Inputs, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    for path in &inputs.files {
        let mut games = dataset::read(path)?;
        while let Some(game) = games.next() {
            game?;
            take(games.bytes())?;
        }
    }
    Ok(())
}

fn export(inputs: &Inputs, format: Format, output: &OutputFile) -> Result<()> {
    let mut file = NewFile::create(&output.out)?;
    for path in &inputs.files {
        for game in dataset::read(path)? {
            let game = game?;
            let line = |position: &Position| format.line(position, game.outcome) + "\n";
            game.positions().try_for_each(|(position, _)| file.write(line(&position).as_bytes()))?;
        }
    }
    file.finish()
}

impl Format {
    /// A position with a result.
    fn line(self, position: &Position, outcome: KnownOutcome) -> String {
        match self {
            Format::Fen => {
                let result = match outcome {
                    KnownOutcome::Decisive { winner: Color::White } => "1.0",
                    KnownOutcome::Draw => "0.5",
                    KnownOutcome::Decisive { winner: Color::Black } => "0.0",
                };
                format!("{};{result}", position.fen())
            }
            Format::Epd => {
                let chess = position.to_chess();
                let epd = Epd::from_position(&chess, EnPassantMode::Legal);
                format!("{epd} c9 \"{outcome}\"; hmvc {}; fmvn {};", chess.halfmoves(), chess.fullmoves())
            }
        }
    }
}

#[cfg(test)]
mod tests;
