//! Sums of the inputs' weights of each hidden unit, kept from position to position.

use super::inputs::View;
use super::output::{NetworkSums, output};
use super::{Block, MAX_BLOCKS, Network, Units};
use crate::position::{Board, Position};
use crate::wdl::score::MAX_PLY;
use shakmaty::{Bitboard, Color, Role};

/// A board with its sums in some views. An entry without pieces has no sums, and no views.
#[derive(Clone)]
struct Entry<const VIEWS: usize> {
    board: Board,
    views: [Option<View>; VIEWS],
    sums: [Units; VIEWS],
}

impl<const VIEWS: usize> Default for Entry<VIEWS> {
    fn default() -> Entry<VIEWS> {
        Entry {
            board: Board::from(&shakmaty::Board::empty()),
            views: [None; VIEWS],
            sums: [[Block::ZERO; MAX_BLOCKS]; VIEWS],
        }
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
        let [black, white] = [Color::Black, Color::White].map(|color| View::new(color, position.king(color)));
        let (base, squares) = self.base(board, ply);
        let known = &self.line[base];
        let mut sums = [[Block::ZERO; BLOCKS]; 2];
        if known.views == [Some(black), Some(white)] {
            let from = known.sums.each_ref();
            sums = changed(network, from, [black, white], &known.board, board, squares);
        } else {
            for view in [black, white] {
                sums[view.color() as usize] = self.changed_alone(network, board, view, base, squares);
            }
        }
        let entry = &mut self.line[ply];
        for (view, all) in entry.sums.iter_mut().enumerate() {
            all[..BLOCKS].copy_from_slice(&sums[view]);
        }
        (entry.board, entry.views) = (*board, [Some(black), Some(white)]);
        output(network, &sums, board.occupied().count())
    }

    /// The sums of one view: from the entry to begin from, or, if it sees the other half of the board, from the last one that
    /// saw this half.
    #[cold]
    fn changed_alone<const BLOCKS: usize>(
        &mut self,
        network: &Network,
        board: &Board,
        view: View,
        base: usize,
        squares: Bitboard,
    ) -> [Block; BLOCKS] {
        let (index, known) = (view.color() as usize, &self.line[base]);
        if known.views[index] == Some(view) {
            return changed(network, [&known.sums[index]], [view], &known.board, board, squares)[0];
        }
        let half = &mut self.halves[index][usize::from(view.is_mirrored())];
        let from = if half.views[0].is_some() { &half.sums[0] } else { &network.biases };
        let squares = changed_squares(&half.board, board);
        let [sums] = changed(network, [from], [view], &half.board, board, squares);
        half.sums[0][..BLOCKS].copy_from_slice(&sums);
        (half.board, half.views) = (*board, [Some(view)]);
        sums
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

/// Squares on which two boards differ.
#[inline]
fn changed_squares(before: &Board, after: &Board) -> Bitboard {
    let differ = |role: Role| before.by_role(role) ^ after.by_role(role);
    Role::ALL.into_iter().fold(before.white() ^ after.white(), |squares, role| squares | differ(role))
}

/// Sums of some views after changes on some squares.
#[inline]
fn changed<const BLOCKS: usize, const VIEWS: usize>(
    network: &Network,
    from: [&Units; VIEWS],
    views: [View; VIEWS],
    before: &Board,
    after: &Board,
    squares: Bitboard,
) -> [[Block; BLOCKS]; VIEWS] {
    let mut sums = [[Block::ZERO; BLOCKS]; VIEWS];
    // By index, since not all that iterators over two slices need is inlined in every build.
    for (view, sums) in sums.iter_mut().enumerate() {
        for (block, sum) in sums.iter_mut().enumerate() {
            *sum = from[view][block];
        }
    }
    // Each loop knows that there are pieces on its squares, so hardly any branch depends on the boards.
    for square in squares & before.occupied() {
        if let Some(piece) = before.piece_at(square) {
            for (view, sums) in sums.iter_mut().enumerate() {
                let row = network.row::<BLOCKS>(views[view].input(piece, square));
                for (block, sum) in sums.iter_mut().enumerate() {
                    *sum -= row.block(block);
                }
            }
        }
    }
    for square in squares & after.occupied() {
        if let Some(piece) = after.piece_at(square) {
            for (view, sums) in sums.iter_mut().enumerate() {
                let row = network.row::<BLOCKS>(views[view].input(piece, square));
                for (block, sum) in sums.iter_mut().enumerate() {
                    *sum += row.block(block);
                }
            }
        }
    }
    sums
}
