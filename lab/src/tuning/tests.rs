use super::block::{Block, Row, SearchEval, Target};
use super::coefficients::{Coefficient, Dictionary, Tally};
use super::fixed::Fixed;
use super::information::Subset;
use super::objective::{Level, MAX_FACTOR, WORTH_OF_RATINGS};
use super::predictions::Prediction;
use super::prior::Prior;
use super::source::{GamePositions, TrainingGame};
use super::variables::Variables;
use super::vector::WEIGHTS;
use super::*;
use crate::outcome::Outcome;
use clap::Parser;
use halfpoint::eval::evaluate;
use halfpoint::eval::tuning::terms::{
    BARE_KING_CORNER, BARE_KING_DISTANCE, BARE_KING_EDGE, DRAW_CURVE, MATERIAL, MATING_FORCE, PST_KING, SPACE, TEMPO,
    TERMS, Term, WILO_KNOTS, WILO_SIZE,
};
use halfpoint::position::Position;
use halfpoint::wdl::fixed::WILO_LIMIT;
use halfpoint::wdl::model::{C, DRAW_UNITS, WILO_UNITS, Wdl, sigmoid};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;
use std::fs;

mod mixed;
mod reading;
mod regressions;
mod runs;
mod scores;

/// `halfpoint tune` by itself.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

fn options(arguments: &[&str]) -> Options {
    Arguments::parse_from(std::iter::once("tune").chain(arguments.iter().copied())).options
}

/// The list for `--fix` of all terms but some, where a test is about few weights: the time of a fit goes with their cube.
fn all_but(free: &[Term]) -> String {
    let fixed = |term: &&Term| !free.iter().any(|free| free.offset == term.offset);
    TERMS.iter().filter(fixed).map(|term| term.name).collect::<Vec<_>>().join(",")
}

const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pp3p1p/2n5/8/2B5/8/PP3PPP/4K3 w - - 0 1",
    "4k3/3bn3/8/8/8/8/8/3NNK2 w - - 0 1",
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/8/5K2/8/7k b - - 0 1",
];

/// Positions on a random walk from a start.
fn walk(start: usize, choices: impl Iterator<Item = u32>) -> Vec<Position> {
    let mut positions = vec![Position::from_fen(STARTS[start % STARTS.len()], false).unwrap()];
    for choice in choices {
        let position = positions.last().unwrap();
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() > 90 {
            break;
        }
        positions.push(position.play(moves[choice as usize % moves.len()]));
    }
    positions
}

/// One row for each position, with nothing but features.
fn block(positions: &[Position], dictionary: &Dictionary) -> Block {
    let mut block = Block::default();
    let (mut tally, mut codes) = (Tally::default(), Default::default());
    for (number, position) in positions.iter().enumerate() {
        let phase = dictionary.encode(position, &mut tally, &mut codes);
        let row = Row {
            codes: 0,
            runs: [0; 2],
            phase,
            group: 0,
            advantage: 0,
            outcome: Outcome::Draw,
            move_number: 1,
            size: 0,
            draw: 0,
            game: number as u32,
            search: None,
            target: Outcome::Draw.into(),
            is_saturated: false,
        };
        block.push(row, &codes);
    }
    block
}

/// The list for `--fix` of the largest terms, where a test is about many weights, but not about all.
const SQUARES: &str = "pst_pawn,pst_knight,pst_bishop,pst_rook,pst_queen,pst_king";

/// Weights with small random changes that the engine takes, but of the terms in the list `fixed`.
fn changed_weights(seed: u64, fixed: &str) -> Weights {
    let fixed: Fixed = fixed.parse().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut text = SHIPPED.to_owned();
    for vector in Vector::BOTH {
        let variables = Variables::of_vector(vector, |feature| fixed.fixes(vector, feature), 1);
        let mut weights = variables::parameters(vector, &Weights::terms(), 1);
        let is_of = |term: Term, parameter: usize| (term.offset..term.offset + term.len).contains(&(parameter / 2));
        for (parameter, weight) in weights.iter_mut().enumerate() {
            if variables.of(parameter).is_some() && !is_of(WILO_SIZE, parameter) {
                *weight += f64::from(random.random_range(-3..=3));
            } else if vector == Vector::Draw && is_of(DRAW_CURVE, parameter) {
                *weight += f64::from(random.random_range(-20..=20));
            }
        }
        text = weights_file::with_weights(&text, vector, &weights);
    }
    Weights::from_toml(&text).unwrap()
}

/// Positions with results as `truth` has them: games of a few positions each, split into three.
fn synthetic(games: u32, seed: u64, truth: &Weights) -> ([Vec<Block>; 3], Vec<Coefficient>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (dictionary, mut splits) = (Dictionary::default(), <[Vec<Block>; 3]>::default());
    for game in 0..games {
        let length = random.random_range(4..60);
        let choices: Vec<u32> = (0..length).map(|_| random.random()).collect();
        let positions = walk(random.random_range(0..5), choices.into_iter());
        let chosen = &positions[positions.len().saturating_sub(4)..];
        let mut block = block(chosen, &dictionary);
        for (row, position) in block.rows.iter_mut().zip(chosen) {
            row.game = game;
            let scores = evaluate(position, truth);
            let wdl = Wdl::from_scores(f64::from(scores.wilo) / WILO_UNITS, f64::from(scores.draw) / DRAW_UNITS);
            let (first, second) = match position.turn() {
                Color::White => (wdl.win, wdl.draw),
                Color::Black => (wdl.loss, wdl.draw),
            };
            // Each position has a result of its own: these games are no games, so that errors are those of the Hessian.
            let dice: f64 = random.random();
            row.outcome = match dice {
                _ if dice < first => Outcome::Win,
                _ if dice < first + second => Outcome::Draw,
                _ => Outcome::Loss,
            };
            row.target = row.outcome.into();
        }
        let blocks = &mut splits[[0, 0, 0, 1, 2][game as usize % 5]];
        match blocks.last_mut().filter(|block| block.rows.len() < 500) {
            Some(last) => last.append(&block),
            None => blocks.push(block),
        }
    }
    let coefficients = dictionary.coefficients().clone();
    (splits, coefficients)
}

fn tuner<'a>(options: &'a Options, games: u32, truth: &Weights) -> Tuner<'a> {
    let (splits, coefficients) = synthetic(games, 7, truth);
    let mut tuner = Tuner { options, coefficients, knots: Knots::default(), groups: 1, splits };
    tuner.set_sizes(&variables::parameters(Vector::Wilo, truth, 1));
    tuner
}

/// Self-play without a search: random legal moves, then the result as the evaluation has it.
fn random_games(games: u32) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut text = String::new();
    for _ in 0..games {
        let choices: Vec<u32> = (0..random.random_range(10..70)).map(|_| random.random()).collect();
        let positions = walk(random.random_range(0..5), choices.into_iter());
        let last = positions.last().unwrap();
        let scores = evaluate(last, &Weights::terms());
        let result = match position_sign(last) * scores.wilo {
            150.. => "1-0",
            ..=-150 => "0-1",
            _ => "1/2-1/2",
        };
        for position in positions {
            text += &format!("{};{result}\n", position.fen());
        }
    }
    text
}

fn position_sign(position: &Position) -> i32 {
    position.turn().fold_wb(1, -1)
}
