use super::level::Level;
use super::model::{Loss, Model};
use super::prepare::Rows;
use super::row::{Pieces, Row};
use super::*;
use crate::dataset::{self, Ending, Eval, Game, Ply};
use crate::outcome::Outcome;
use clap::Parser;
use halfpoint::eval::tuning::evaluate_before_curve;
use halfpoint::eval::{Weights, evaluate};
use halfpoint::position::Position;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, KnownOutcome};
use std::path::Path;
use tempfile::TempDir;

mod networks;
mod rows;
mod runs;

/// `halfpoint-lab train` by itself.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

/// Options for the games of a folder, with few epochs.
fn options(folder: &Path, out: &str, more: &[&str]) -> Options {
    let [games, rows, out] = ["games.vf", "rows", out].map(|name| folder.join(name).display().to_string());
    let common = ["train", &games, "--rows", &rows, "--out", &out, "--units", "16", "--epochs", "3"];
    let held_out: &[&str] = if more.contains(&"--held-out") { &[] } else { &["--held-out", "0.2"] };
    Arguments::parse_from(common.iter().chain(held_out).chain(more)).options
}

fn prepared(options: &Options) -> Result<Rows> {
    prepare::prepare(options, &Origin::of(options)?)
}

/// Runs on one thread, so that all sums are those of any other run.
fn on_one_thread<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(run)
}

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "4k3/pp3p1p/2n5/8/2B5/8/PP3PPP/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// A game of random moves. The result is as likely as the evaluation of its last position says.
fn random_game(random: &mut ChaCha8Rng) -> Game {
    let start = Position::from_fen(STARTS[random.random_range(0..STARTS.len())], false).unwrap();
    let (mut position, mut plies) = (start, Vec::new());
    for _ in 0..random.random_range(20..80) {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() > 90 {
            break;
        }
        let m = moves[random.random_range(0..moves.len())];
        let centipawns =
            evaluate(&position, &Weights::terms()).score().printed_score_cp() + random.random_range(-50..50);
        let white = position.turn().fold_wb(centipawns, -centipawns).clamp(-14_000, 14_000);
        plies.push(Ply { m, eval: Eval::from_centipawns(white as i16) });
        position = position.play(m);
    }
    let wdl = evaluate(&position, &Weights::terms()).score().wdl();
    let outcome = match random.random::<f64>() {
        at if at < wdl.draw => KnownOutcome::Draw,
        at => KnownOutcome::Decisive {
            winner: Color::from_white((at < wdl.draw + wdl.win) == position.turn().is_white()),
        },
    };
    Game { start, plies, outcome, ending: Ending::Rules }
}

/// A folder with a file of random games.
fn folder_with_games(count: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    let (mut random, mut bytes) = (ChaCha8Rng::seed_from_u64(3), Vec::new());
    for _ in 0..count {
        dataset::encode(&random_game(&mut random), &mut bytes).unwrap();
    }
    fs::write(folder.path().join("games.vf"), bytes).unwrap();
    folder
}

/// Positions of random games to which a network adds.
fn positions(count: usize) -> Vec<Position> {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut positions: Vec<Position> = Vec::new();
    while positions.len() < count {
        let game = random_game(&mut random);
        positions.extend(
            game.positions().map(|(position, _)| position).filter(halfpoint::eval::network::applies).step_by(3),
        );
    }
    positions.truncate(count);
    positions
}

/// The row of a position whose game ended so, with a search that sees what the terms see.
fn row(position: &Position, outcome: Outcome) -> Row {
    let scores = evaluate_before_curve(position, &Weights::terms());
    let wilo = position.turn().fold_wb(scores.wilo, -scores.wilo) as i16;
    let (search_wilo, search_draw) = (f32::from(wilo) / 170.0, scores.draw as f32 / 100.0);
    Row { pieces: Pieces::of(position).unwrap(), wilo, draw: scores.draw as i16, search_wilo, search_draw, outcome }
}

/// The position with colours exchanged.
fn flipped(position: &Position) -> Position {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect()
    };
    let board: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let castling: String = swap(fields[2]);
    let en_passant: String = fields[3]
        .chars()
        .map(|c| match c {
            '3' => '6',
            '6' => '3',
            c => c,
        })
        .collect();
    let fen = format!("{} {turn} {castling} {en_passant} {} {}", board.join("/"), fields[4], fields[5]);
    Position::from_fen(&fen, false).unwrap()
}

/// A network whose weights are of the size of trained ones.
fn random_model<const UNITS: usize>(seed: u64) -> Model<UNITS> {
    let mut model = Model::<UNITS>::random(seed);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for parameter in &mut model.parameters[Model::<UNITS>::OUTPUTS..] {
        *parameter = random.random_range(-0.4..0.4);
    }
    model
}
