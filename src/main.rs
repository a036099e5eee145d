//! The `halfpoint` binary: a UCI engine, with bench, perft and an explained evaluation as commands.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;

use clap::builder::RangedU64ValueParser;
use clap::{CommandFactory, Parser, Subcommand};
use cli::analyse::{self, AnalyseArguments};
use cli::human::{self, HumanArguments};
use cli::suite::{self, SuiteArguments};
use halfpoint::analysis::{evaluation_json, printed_evaluation};
use halfpoint::eval::{Explanation, Weights};
use halfpoint::output;
use halfpoint::params;
use halfpoint::position::{GameHistory, InvalidFen, Position};
use halfpoint::printing::{Nominal, WdlFor};
use halfpoint::search::SearchParams;
use halfpoint::tablebase::{self, Tables};
use halfpoint::uci;
use halfpoint::uci::evaluation::{self, Style};
use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// A UCI chess engine whose evaluation is a win/draw/loss model. Without a command, it runs as a UCI engine.
#[derive(Parser)]
#[command(name = "halfpoint", version = uci::version())]
struct Arguments {
    #[command(subcommand)]
    command: Option<CliCommand>,
}

#[derive(Subcommand)]
enum CliCommand {
    /// Search fixed positions; the node count is a signature of the search
    #[command(allow_negative_numbers = true)]
    Bench {
        /// Depth, in plies
        #[arg(default_value_t = uci::bench::DEFAULT_DEPTH, value_parser = bench_depth())]
        depth: usize,
    },
    /// Analyse games: a report to look at, annotated PGN, JSON
    #[command(visible_alias = "analyze", allow_negative_numbers = true)]
    Analyse(AnalyseArguments),
    /// Search positions with known answers: bm, am, dm, or points in c0
    #[command(allow_negative_numbers = true)]
    Suite(SuiteArguments),
    /// Print how likely people of a rating are to play each move of a position
    #[command(allow_negative_numbers = true)]
    Human(HumanArguments),
    /// Count move sequences
    Perft {
        /// Length, in plies
        #[arg(value_parser = perft_depth())]
        depth: u32,
        /// Position; the start position if missing
        #[arg(long)]
        fen: Option<String>,
        /// Accept any castling rights; print castling as king takes rook
        #[arg(long)]
        chess960: bool,
    },
    /// Print the constants of the search as a file, for the UCI option SearchParams of builds with the feature spsa
    Params {
        /// Print them as comma-separated values for a tuner: name, type, default, min, max, step
        #[arg(long)]
        spsa: bool,
        /// Print those with a step as inputs of OpenBench: name, type, default, min, max, step, rate
        #[arg(long, conflicts_with = "spsa")]
        openbench: bool,
    },
    /// Explain the evaluation of a position, term by term
    Eval {
        /// Position; the start position if missing
        fen: Option<String>,
        /// Accept any castling rights
        #[arg(long)]
        chess960: bool,
        /// Evaluate by the terms alone, without the network
        #[arg(long)]
        terms: bool,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print what Syzygy tables say of a position and of each of its moves
    Tb {
        /// Position
        fen: String,
        /// Folders of Syzygy tables, separated as in PATH
        #[arg(long)]
        syzygy: OsString,
        /// Accept any castling rights; print castling as king takes rook
        #[arg(long)]
        chess960: bool,
    },
}

fn bench_depth() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=uci::bench::MAX_DEPTH as u64)
}

fn perft_depth() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(..=u64::from(uci::perft::MAX_DEPTH))
}

/// The UCI commands that the arguments are, one in several arguments or one in each; `None` if they are something else.
fn uci_commands() -> Option<Vec<String>> {
    let arguments: Vec<_> = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
    let first = arguments.first()?;
    let mut binary = Arguments::command();
    binary.build();
    // The name of a command with its arguments in one argument is of UCI's, too: `bench 7`.
    let apart = first.contains(char::is_whitespace);
    let is_uci = |word| uci::is_command(word) && (apart || binary.find_subcommand(word).is_none());
    let is_command = first.split_whitespace().next().is_some_and(is_uci);
    is_command.then(|| if apart { arguments } else { vec![arguments.join(" ")] })
}

fn main() -> ExitCode {
    if let Some(commands) = uci_commands() {
        return output::end(uci::run_arguments(&commands).map(|()| true));
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return output::print_usage(&error),
    };
    output::end(execute(arguments.command))
}

/// Runs a command. False if it could do only a part.
fn execute(command: Option<CliCommand>) -> Result<bool, Box<dyn Error>> {
    match command {
        Some(CliCommand::Analyse(arguments)) => return Ok(analyse::run(&arguments)?),
        Some(CliCommand::Suite(arguments)) => return Ok(suite::run(&arguments)?),
        Some(CliCommand::Human(arguments)) => human::run(&arguments)?,
        None => uci::run()?,
        Some(CliCommand::Bench { depth }) => uci::run_arguments(&[format!("bench {depth}")])?,
        Some(CliCommand::Perft { depth, fen, chess960 }) => {
            uci::perft::divide(&position(fen.as_deref(), chess960)?, depth, chess960, &output::is_closed);
        }
        Some(CliCommand::Params { spsa, openbench }) => {
            let constants = SearchParams::default();
            output::line(match (spsa, openbench) {
                (true, _) => params::to_csv(&constants),
                (_, true) => params::to_openbench(&constants),
                _ => params::to_toml(&constants),
            });
        }
        Some(CliCommand::Eval { fen, chess960, terms, json }) => {
            let weights = if terms { Weights::terms() } else { Weights::shipped() };
            let explanation = Explanation::of(&position(fen.as_deref(), chess960)?, &weights);
            let Explanation { position, evaluation, .. } = &explanation;
            let printed = printed_evaluation(position, *evaluation, Nominal::shipped(), &WdlFor::Nominal);
            if json {
                output::line(evaluation_json(&explanation, &printed));
            } else {
                let is_coloured = io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none();
                let style = if is_coloured { Style::Terminal } else { Style::Plain };
                output::line(evaluation::text(&explanation, &printed, style).trim_end());
            }
        }
        Some(CliCommand::Tb { fen, syzygy, chess960 }) => {
            let game = GameHistory::new(Position::from_fen(&fen, chess960)?);
            output::line(table_listing(&game, &syzygy, chess960)?.trim_end());
        }
    }
    Ok(true)
}

/// What tables say; an error if they say nothing. Without any table not even the mates that need none are listed.
fn table_listing(game: &GameHistory, folders: &OsStr, chess960: bool) -> Result<String, String> {
    let tables = Tables::open(folders);
    let text = tablebase::listing(&tables, game, chess960).filter(|_| tables.max_pieces() > 0);
    let faults: Vec<_> = tables.take_faults().iter().map(ToString::to_string).collect();
    let Some(text) = text else {
        let pieces = game.position().board().occupied().count();
        let rights = if game.position().castling_rights().any() { " and castling rights" } else { "" };
        let found = match tables.max_pieces() {
            0 => "there are no tables".to_owned(),
            _ => format!("there are only {tables}"),
        };
        let faults = faults.iter().map(|fault| format!("; {fault}")).collect::<String>();
        return Err(format!(
            "{}: nothing on this position with {pieces} pieces{rights}: {found}{faults}",
            folders.display()
        ));
    };
    faults.iter().for_each(|fault| output::error_line(output::one_line(fault)));
    Ok(text)
}

fn position(fen: Option<&str>, chess960: bool) -> Result<Position, InvalidFen> {
    fen.map_or_else(|| Ok(Position::default()), |fen| Position::from_fen(fen, chess960))
}
