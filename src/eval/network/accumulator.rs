//! Sums of the inputs' weights of each hidden unit, kept from position to position.

use super::inputs::{MAX_PIECES, View};
use super::output::{NetworkSums, output};
use super::{Block, MAX_BLOCKS, Network, Units};
use crate::position::{Board, Position};
use crate::wdl::score::MAX_PLY;
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

/// A board with its sums in some views. An entry without pieces has no sums.
#[derive(Clone)]
struct Entry<const VIEWS: usize> {
    board: Board,
    sums: [Units; VIEWS],
}

impl<const VIEWS: usize> Default for Entry<VIEWS> {
    fn default() -> Entry<VIEWS> {
        Entry { board: Board::from(&shakmaty::Board::empty()), sums: [[Block::ZERO; MAX_BLOCKS]; VIEWS] }
    }
}

/// Most pieces that a move changes: castling moves two, and each leaves one square for another.
const MOVE_SQUARES: usize = 4;

/// The sums of the line that is searched, by its distance from the root.
///
/// A position's sums are those of another one with the weights of what differs between both boards, whichever it is: mostly its
/// parent, or the last position at the same distance.
#[derive(Default)]
pub struct Accumulators {
    line: Vec<Entry<2>>,
    /// The last sums of each view with its king on each half of the board, for positions whose king has changed halves.
    halves: Box<[[Entry<1>; 2]; 2]>,
}

/// Pieces that one board has and another has not.
struct Changes {
    added: ArrayVec<(Piece, Square), MAX_PIECES>,
    removed: ArrayVec<(Piece, Square), MAX_PIECES>,
}

impl Accumulators {
    /// Forgets everything, as another network requires.
    pub fn clear(&mut self) {
        self.line.clear();
        *self.halves = Default::default();
    }

    /// The network's sums of a position at a distance from the root, in plies.
    #[inline]
    pub fn sums(&mut self, network: &Network, position: &Position, ply: usize) -> NetworkSums {
        match network.blocks {
            1 => self.sums_of_blocks::<1>(network, position, ply),
            2 => self.sums_of_blocks::<2>(network, position, ply),
            4 => self.sums_of_blocks::<4>(network, position, ply),
            _ => self.sums_of_blocks::<MAX_BLOCKS>(network, position, ply),
        }
    }

    fn sums_of_blocks<const BLOCKS: usize>(
        &mut self,
        network: &Network,
        position: &Position,
        ply: usize,
    ) -> NetworkSums {
        let ply = ply.min(MAX_PLY);
        if self.line.len() <= ply {
            // Evaluations without a search need one entry alone.
            self.line.resize_with(if ply == 0 { 1 } else { MAX_PLY + 1 }, Entry::default);
        }
        let board = position.board();
        let (base, squares) = self.base(board, ply);
        let changes = changes(&self.line[base].board, board, squares);
        for color in Color::ALL {
            let (view, index) = (View::new(color, position.king(color)), color as usize);
            let known = &self.line[base];
            let sums: [Block; BLOCKS] = if is_seen_alike(&known.board, view) {
                changed(network, &known.sums[index], view, &changes)
            } else {
                let half = &mut self.halves[index][usize::from(view.is_mirrored())];
                let from = if half.board.occupied().is_empty() { &network.biases } else { &half.sums[0] };
                let changes = self::changes(&half.board, board, changed_squares(&half.board, board));
                let sums = changed(network, from, view, &changes);
                half.sums[0][..BLOCKS].copy_from_slice(&sums);
                half.board = *board;
                sums
            };
            // The other view may begin from this entry, too, so its board changes last.
            self.line[ply].sums[index][..BLOCKS].copy_from_slice(&sums);
        }
        let entry = &mut self.line[ply];
        entry.board = *board;
        output::<BLOCKS>(network, &entry.sums, board.occupied().count())
    }

    /// The entry to begin from, and the squares on which its board is another.
    #[inline]
    fn base(&self, board: &Board, ply: usize) -> (usize, Bitboard) {
        let with_squares = |index: usize| (index, changed_squares(&self.line[index].board, board));
        let Some(parent) = ply.checked_sub(1).map(with_squares) else { return with_squares(ply) };
        if parent.1.count() <= MOVE_SQUARES {
            return parent;
        }
        let sibling = with_squares(ply);
        if sibling.1.count() < parent.1.count() { sibling } else { parent }
    }
}

/// Whether a board's king is on the half that a view says.
#[inline]
fn is_seen_alike(board: &Board, view: View) -> bool {
    (board.kings() & board.by_color(view.color())).first().is_some_and(|king| View::new(view.color(), king) == view)
}

/// Squares on which two boards differ.
#[inline]
fn changed_squares(before: &Board, after: &Board) -> Bitboard {
    let differ = |role: Role| before.by_role(role) ^ after.by_role(role);
    Role::ALL.into_iter().fold(before.white() ^ after.white(), |squares, role| squares | differ(role))
}

/// What differs between two boards on some squares.
#[inline]
fn changes(before: &Board, after: &Board, squares: Bitboard) -> Changes {
    let mut changes = Changes { added: ArrayVec::new(), removed: ArrayVec::new() };
    for square in squares {
        if let Some(piece) = before.piece_at(square) {
            changes.removed.push((piece, square));
        }
        if let Some(piece) = after.piece_at(square) {
            changes.added.push((piece, square));
        }
    }
    changes
}

/// Sums after changes.
#[inline]
fn changed<const BLOCKS: usize>(network: &Network, from: &Units, view: View, changes: &Changes) -> [Block; BLOCKS] {
    let row = |&(piece, square): &(Piece, Square)| {
        let start = view.input(piece, square) * BLOCKS;
        &network.weights[start..start + BLOCKS]
    };
    let mut sums = [Block::ZERO; BLOCKS];
    // By index, since not all that iterators over two slices need is inlined in every build.
    for (block, sum) in sums.iter_mut().enumerate() {
        *sum = from[block];
    }
    for weights in changes.added.iter().map(row) {
        for (block, sum) in sums.iter_mut().enumerate() {
            *sum += Block::from(weights[block]);
        }
    }
    for weights in changes.removed.iter().map(row) {
        for (block, sum) in sums.iter_mut().enumerate() {
            *sum -= Block::from(weights[block]);
        }
    }
    sums
}
