//! Distances of a slice, found by going back from captures, pawn moves and mates.

use super::slice::Slice;
use crate::position::Position;
use shakmaty::Color;
use shakmaty_syzygy::Wdl;
use std::collections::HashMap;
use std::mem;

/// Positions between two questions whether to go on.
const STEP: usize = 256;
/// Quiet moves of a side that has a better one than to lose.
const SAFE: u8 = u8::MAX;
/// Farther from the end no distance of so few pieces is.
const MAX_PLIES: i8 = 120;

/// The distances of a slice, by index, with Black to move and with White to move: `n` plies to the capture, pawn move or mate
/// that wins, or `-1 - n` to one that loses; 0 in a draw.
pub struct Distances {
    pub slice: Slice,
    plies: [Box<[i8]>; 2],
}

impl Distances {
    /// Plies to the next capture or pawn move, or to mate, with the sign of who wins; 0 in a draw. `None` if the position is
    /// not of this slice.
    pub fn of(&self, position: &Position) -> Option<i32> {
        let (slice, squares) = Slice::of(position)?;
        let plies = self.plies[usize::from(position.turn().is_white())].get(slice.index(&squares))?;
        let plies = i32::from(*plies);
        (slice == self.slice).then_some(if plies < 0 { (plies + 1).min(-1) } else { plies })
    }
}

/// Distances on the way.
pub struct Construction {
    slice: Slice,
    plies: [Box<[i8]>; 2],
    /// Quiet moves that do not lose as far as is known, [`SAFE`] if another move does not.
    left: [Box<[u8]>; 2],
    /// Results of captures by the key of the position after them, for the side that captures.
    captures: HashMap<u64, i32>,
    /// Number of positions of which the moves that end the slice have been looked at.
    looked_at: usize,
    /// Positions at `distance` from the end, and how many of them have been gone back from.
    layer: Vec<u32>,
    done: usize,
    /// Those a ply farther away.
    next: Vec<u32>,
    distance: i8,
}

/// How far a construction has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Every distance is known.
    Complete,
    /// There was no time for more.
    Interrupted,
    /// A position after a capture or a pawn move is in no table.
    Impossible,
}

impl Construction {
    /// Nothing is known yet.
    pub fn new(slice: Slice) -> Construction {
        let len = slice.len();
        Construction {
            plies: [0, 1].map(|_| vec![0; len].into_boxed_slice()),
            left: [0, 1].map(|_| vec![0; len].into_boxed_slice()),
            captures: HashMap::new(),
            looked_at: 0,
            layer: Vec::new(),
            done: 0,
            next: Vec::new(),
            distance: 0,
            slice,
        }
    }

    /// The slice.
    pub fn slice(&self) -> &Slice {
        &self.slice
    }

    /// The distances of a complete construction.
    pub fn into_distances(self) -> Distances {
        Distances { slice: self.slice, plies: self.plies }
    }

    /// Goes on as long as it may. `wdl` looks up positions after a capture or a pawn move.
    pub fn advance(&mut self, wdl: &dyn Fn(&Position) -> Option<Wdl>, may_go_on: &dyn Fn() -> bool) -> Progress {
        let all = 2 * self.slice.len();
        while self.looked_at < all {
            if !may_go_on() {
                return Progress::Interrupted;
            }
            let end = all.min(self.looked_at + STEP);
            while self.looked_at < end {
                if self.look_at(self.looked_at, wdl).is_none() {
                    return Progress::Impossible;
                }
                self.looked_at += 1;
            }
        }
        while !(self.layer.is_empty() && self.next.is_empty()) && self.distance < MAX_PLIES {
            while self.done < self.layer.len() {
                if !may_go_on() {
                    return Progress::Interrupted;
                }
                let end = self.layer.len().min(self.done + STEP);
                while self.done < end {
                    self.go_back(self.layer[self.done]);
                    self.done += 1;
                }
            }
            self.layer = mem::take(&mut self.next);
            self.done = 0;
            self.distance += 1;
        }
        Progress::Complete
    }

    /// Notes what captures, pawn moves, mate and stalemate make of a position. `None` if a table is missing.
    fn look_at(&mut self, number: usize, wdl: &dyn Fn(&Position) -> Option<Wdl>) -> Option<()> {
        let (index, turn) = (number / 2, Color::from_white(number % 2 == 1));
        let squares = self.slice.squares(index);
        let Some(occupied) = self.slice.occupied(&squares) else { return Some(()) };
        if !self.slice.is_legal(&squares, occupied, turn) {
            return Some(());
        }
        let quiet = self.slice.count_quiet_moves(&squares, occupied, turn);
        let (mut best, mut ends) = (None, quiet == 0);
        if self.slice.may_zero(&squares, occupied, turn) {
            best = self.best_zeroing(&self.slice.position(&squares, turn)?, wdl)?;
            ends &= best.is_none();
        }
        let (plies, left) = match best {
            Some(1) => (1, SAFE),
            Some(0) => (0, SAFE),
            Some(_) if quiet == 0 => (-2, 0),
            None if ends && self.slice.attacks_king(&squares, occupied, !turn) => (-1, 0),
            None if ends => (0, SAFE),
            _ => (0, quiet),
        };
        let side = number % 2;
        (self.plies[side][index], self.left[side][index]) = (plies, left);
        match plies {
            -1 => self.layer.push(number as u32),
            1 | -2 => self.next.push(number as u32),
            _ => {}
        }
        Some(())
    }

    /// The best result of the captures and pawn moves of a position: 1, 0 or -1, `None` without any. The outer `None` is that
    /// of a missing table.
    #[expect(clippy::option_option, reason = "the outer one is of the tables, the inner one of the moves")]
    fn best_zeroing(&mut self, position: &Position, wdl: &dyn Fn(&Position) -> Option<Wdl>) -> Option<Option<i32>> {
        let mut best = None;
        for m in position.legal_moves() {
            let child = position.play(m);
            if child.halfmoves() > 0 {
                continue;
            }
            let look_up = || {
                if child.is_insufficient_material() { Some(0) } else { Some(-wdl(&child)?.signum()) }
            };
            let result = if position.captured(m).is_some() {
                match self.captures.get(&child.key()) {
                    Some(&result) => result,
                    None => {
                        let result = look_up()?;
                        self.captures.insert(child.key(), result);
                        result
                    }
                }
            } else {
                look_up()?
            };
            best = best.max(Some(result));
            if result > 0 {
                break;
            }
        }
        Some(best)
    }

    /// Tells the positions before one whose distance has been found.
    fn go_back(&mut self, number: u32) {
        let Construction { slice, plies, left, next, distance, .. } = self;
        let (index, side) = (number as usize / 2, number as usize % 2);
        let is_lost = plies[side][index] < 0;
        let (mover, before) = (Color::from_white(side == 0), 1 - side);
        let squares = slice.squares(index);
        let Some(occupied) = slice.occupied(&squares) else { return };
        let (plies, left) = (&mut plies[before], &mut left[before]);
        slice.before(&squares, occupied, mover, |index| {
            if plies[index] != 0 {
                return;
            }
            if is_lost {
                plies[index] = *distance + 1;
            } else if left[index] != SAFE {
                left[index] -= 1;
                if left[index] > 0 {
                    return;
                }
                plies[index] = -2 - *distance;
            } else {
                return;
            }
            next.push((2 * index + before) as u32);
        });
    }
}
