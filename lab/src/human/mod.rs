//! `halfpoint-lab human`: the model of people's moves, from rated games.

mod games;
mod valuation;

use anyhow::Result;
use clap::Args;
use games::Choice;
use halfpoint::output::error_line;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What to fit, to what.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// Rated games in PGN, or folders of .pgn files; .gz or .zst may follow. A file is a source
    #[arg(required = true, value_name = "GAMES")]
    paths: Vec<PathBuf>,
    /// Look into folders within folders
    #[arg(short, long)]
    recursive: bool,
    /// Where the values of moves are kept, so that each position is searched once
    #[arg(long, value_name = "FILE")]
    values: PathBuf,
    /// Most games of a platform, time class and band of 200 Elo, with or without clocks
    #[arg(long, default_value = "150")]
    games_per_cell: NonZeroUsize,
    /// Most positions of a game
    #[arg(long, default_value = "8")]
    positions_per_game: NonZeroUsize,
    /// Chooses games, positions and folds
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Searches side by side
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
}

/// Values, fits, reports and writes.
pub fn run(options: &Options) -> Result<()> {
    let games = games::read(&options.paths, options.recursive)?;
    let choice = Choice {
        games_per_cell: options.games_per_cell.get(),
        positions_per_game: options.positions_per_game.get(),
        seed: options.seed,
    };
    let places = games::choose(&games, choice);
    error_line(format_args!("{} games, {} positions chosen", games.len(), places.len()));
    let values = valuation::value(&options.values, &games, &places, options.threads.get())?;
    error_line(format_args!("{} positions valued", values.len()));
    Ok(())
}
