//! Positions by the thousand: small enough to keep millions in memory.

use super::coefficients::{Codes, PARTS};
use crate::outcome::Outcome;
use std::collections::HashMap;

/// What is known of a position beside its features. All from White's point of view.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Number of codes that it shares with no other position.
    pub codes: u16,
    /// Its runs of shared codes.
    pub runs: [u32; PARTS - 1],
    /// 0 (endgame) to 24 (all pieces).
    pub phase: u8,
    pub group: u8,
    /// Rating of White less that of Black, Elo; 0 if they are not known.
    pub advantage: i16,
    pub outcome: Outcome,
    pub move_number: u16,
    /// Size of wilo, at most the last knot. It belongs to the draw vector's coefficients and follows from the wilo
    /// weights, so it is set when these are known.
    pub size: u16,
    /// Draw score before its curve, at most the last knot of either side; set when the other draw weights are known.
    pub draw: i16,
    pub game: u32,
    /// What a search made of it, if the data tell.
    pub search: Option<SearchEval>,
    /// What the regressions are to predict.
    pub target: Target,
    /// Fixed weights alone take the draw score beyond what the search tells apart, so that others could not change it.
    pub is_saturated: bool,
}

/// A search's evaluation of a position, White's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchEval {
    /// Of a win, in natural units, given that somebody wins; infinite if the winner is known.
    pub log_odds: f32,
    pub draw: f32,
}

/// What a position comes to, White's view: the result of its game, blended with a search's evaluation. The two
/// regressions may blend differently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Fraction of a win, for wilo.
    pub win: f32,
    /// Fraction of a loss, for wilo.
    pub loss: f32,
    /// Fraction of a draw, for the draw vector.
    pub draw: f32,
}

impl From<Outcome> for Target {
    fn from(outcome: Outcome) -> Target {
        let fraction = |of: Outcome| f32::from(u8::from(outcome == of));
        Target { win: fraction(Outcome::Win), loss: fraction(Outcome::Loss), draw: fraction(Outcome::Draw) }
    }
}

/// Positions of whole games. Codes of piece counts, and of pawns and kings, are kept once for all positions of the block that
/// have the same ones.
#[derive(Default)]
pub struct Block {
    pub rows: Vec<Row>,
    /// Codes of the first row, then those of the second, and so on.
    codes: Vec<u16>,
    /// Codes of the runs, one after the other.
    run_codes: Vec<u16>,
    /// Where each run ends.
    run_ends: Vec<u32>,
    /// The number of each run, while the block grows.
    known: HashMap<Box<[u16]>, u32>,
}

impl Block {
    /// Each row with its codes but those of its runs.
    pub fn iter(&self) -> impl Iterator<Item = (&Row, &[u16])> {
        let mut codes = self.codes.as_slice();
        self.rows.iter().map(move |row| {
            let (own, rest) = codes.split_at(usize::from(row.codes));
            codes = rest;
            (row, own)
        })
    }

    /// Each run of codes.
    pub fn runs(&self) -> impl Iterator<Item = &[u16]> {
        (0..self.run_ends.len()).map(|index| self.run(index as u32))
    }

    /// The run of this number.
    pub fn run(&self, number: u32) -> &[u16] {
        let end = |number: u32| self.run_ends[number as usize] as usize;
        let start = number.checked_sub(1).map_or(0, end);
        &self.run_codes[start..end(number)]
    }

    /// All codes of a row, `own` being those that it does not share.
    pub fn all_codes<'a>(&'a self, row: &Row, own: &'a [u16]) -> impl Iterator<Item = u16> {
        let [first, second] = row.runs.map(|run| self.run(run));
        first.iter().chain(second).chain(own).copied()
    }

    /// Adds a position with its codes by part; `codes` and `runs` of the row are filled in.
    pub fn push(&mut self, row: Row, codes: &Codes) {
        let [first, second, own] = codes;
        let runs = [first, second].map(|codes| self.number(codes));
        self.rows.push(Row { codes: own.len() as u16, runs, ..row });
        self.codes.extend_from_slice(own);
    }

    /// Appends another block.
    pub fn append(&mut self, other: &Block) {
        let numbers: Vec<u32> = other.runs().map(|codes| self.number(codes)).collect();
        let renumbered = |row: &Row| Row { runs: row.runs.map(|run| numbers[run as usize]), ..*row };
        self.rows.extend(other.rows.iter().map(renumbered));
        self.codes.extend_from_slice(&other.codes);
    }

    /// The number of a run, which is new or not.
    fn number(&mut self, codes: &[u16]) -> u32 {
        if let Some(&number) = self.known.get(codes) {
            return number;
        }
        let number = self.run_ends.len() as u32;
        self.run_codes.extend_from_slice(codes);
        self.run_ends.push(self.run_codes.len() as u32);
        self.known.insert(codes.into(), number);
        number
    }

    /// Frees what only a growing block needs.
    pub fn close(&mut self) {
        self.known = HashMap::new();
        self.codes.shrink_to_fit();
        self.rows.shrink_to_fit();
        self.run_codes.shrink_to_fit();
    }
}
