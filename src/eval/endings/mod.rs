//! Endings with knowledge of their own, recognised by the piece counts.
//!
//! Where the result is known exactly, [`KNOWN_DRAW`] or [`KNOWN_WIN`] says so; elsewhere a few distances shift the draw
//! score. The weights are fitted to endgame tables (`scripts/endgames.py`), not to games.

mod drawn;
mod mate;
mod pawn;

use super::bits::{distance, file_rank_distance, step, to_edge};
use super::sink::{SideSink, Sink};
use super::term_list::{
    DUEL_TIME, KNOWN_DRAW, KNOWN_WIN, LIKELY_DRAW, MATE_TIME, MATERIAL_DUEL, QUEEN_AGAINST_PAWN, QUEEN_AGAINST_ROOK,
    ROOK_AGAINST_MINOR, ROOK_AGAINST_PAWN,
};
use crate::position::{FIFTY_MOVES, Position};
use drawn::Draw;
use mate::MateDistances;
use pawn::WonPawns;
use shakmaty::{Bitboard, Color, Rank, Role, Square};

/// Makes the tables of endings, a tenth of a second's work. Else the first evaluation that asks for one makes it.
pub fn prepare_endings() {
    MateDistances::queen();
    MateDistances::rook();
    WonPawns::table();
}

/// An ending that is known by its piece counts, with the side that can win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    kind: Kind,
    strong: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A queen or a rook against a bare king.
    Mate(Role),
    /// Other pieces that mate a bare king.
    MateByMore,
    /// A pawn against a bare king.
    Pawn,
    /// A queen or a rook against a pawn.
    AgainstPawn(Role),
    /// A rook against a minor piece.
    AgainstMinor(Role),
    /// Bishops and pawns against pawns; pawns against a bare king.
    Bishops,
    /// A rook and a pawn against a bishop.
    RookAndPawnAgainstBishop,
    /// A queen against a rook and a pawn.
    QueenAgainstRookAndPawns,
    /// A queen against a piece; two knights against a bare king. By index in [`MATERIAL_DUEL`].
    Duel(u8),
}

/// Plies that the fifty-move rule has to leave for a pawn against a bare king.
const PAWN_TIME: u32 = 20;

/// Index of a queen against a rook in [`MATERIAL_DUEL`].
const AGAINST_ROOK: u8 = 2;
/// Index of two knights against a bare king in [`MATERIAL_DUEL`].
const TWO_KNIGHTS: u8 = 3;

impl Ending {
    /// The ending with these pawns, knights, bishops, rooks and queens of the strong side and of the other, if it has
    /// knowledge of its own. `can_mate` says whether the strong side's pieces can mate a bare king.
    pub fn of(strong: Color, counts: [u8; 5], against: [u8; 5], can_mate: bool) -> Option<Ending> {
        const NOTHING: [u8; 5] = [0; 5];
        const PAWN: [u8; 5] = [1, 0, 0, 0, 0];
        const KNIGHT: [u8; 5] = [0, 1, 0, 0, 0];
        const BISHOP: [u8; 5] = [0, 0, 1, 0, 0];
        const ROOK: [u8; 5] = [0, 0, 0, 1, 0];
        const QUEEN: [u8; 5] = [0, 0, 0, 0, 1];
        let kind = match (counts, against) {
            (QUEEN, NOTHING) => Kind::Mate(Role::Queen),
            (ROOK, NOTHING) => Kind::Mate(Role::Rook),
            (PAWN, NOTHING) => Kind::Pawn,
            ([0, 2, 0, 0, 0], NOTHING) => Kind::Duel(TWO_KNIGHTS),
            ([0, ..], NOTHING) if can_mate => Kind::MateByMore,
            (QUEEN, PAWN) => Kind::AgainstPawn(Role::Queen),
            (ROOK, PAWN) => Kind::AgainstPawn(Role::Rook),
            (ROOK, KNIGHT) => Kind::AgainstMinor(Role::Knight),
            (ROOK, BISHOP) => Kind::AgainstMinor(Role::Bishop),
            ([1, 0, 0, 1, 0], BISHOP) => Kind::RookAndPawnAgainstBishop,
            (QUEEN, [1..=8, 0, 0, 1, 0]) | ([1, 0, 0, 0, 1], [1, 0, 0, 1, 0]) => Kind::QueenAgainstRookAndPawns,
            ([pawns, 0, bishops, 0, 0], [_, 0, 0, 0, 0]) if pawns > 0 && (bishops > 0 || against == NOTHING) => {
                Kind::Bishops
            }
            (QUEEN, KNIGHT) => Kind::Duel(0),
            (QUEEN, BISHOP) => Kind::Duel(1),
            (QUEEN, ROOK) => Kind::Duel(AGAINST_ROOK),
            _ => return None,
        };
        Some(Ending { kind, strong })
    }
}

/// Emits the features of an ending.
// Rare, so kept out of the way of other positions.
#[cold]
#[inline(never)]
pub fn features<S: Sink>(position: &Position, sink: &mut S, ending: Ending) {
    let strong = ending.strong;
    match ending.kind {
        Kind::Mate(role) => {
            let plies = mate_plies(position, strong, role);
            if plies.is_none_or(|plies| plies > plies_left(position)) {
                sink.add(strong, KNOWN_DRAW.at(0), 1);
            }
        }
        Kind::MateByMore => mate_time(position, sink, strong),
        Kind::Pawn => {
            let table = WonPawns::table();
            let (king, bare) = (position.king(strong), position.king(!strong));
            let pawn = position.pieces(strong, Role::Pawn).first();
            if pawn.is_some_and(|pawn| table.is_won(strong, pawn, king, bare, position.turn())) {
                // The king may need some moves before the pawn goes on.
                if plies_left(position) >= PAWN_TIME {
                    sink.add(strong, KNOWN_WIN.at(0), 1);
                }
            } else {
                sink.add(strong, KNOWN_DRAW.at(0), 1);
            }
        }
        Kind::AgainstPawn(role) => {
            if let Some(pawn) = position.pieces(!strong, Role::Pawn).first() {
                let race = PawnRace::of(position, strong, pawn);
                if role == Role::Queen {
                    race.against_queen(&mut sink.side(strong));
                } else {
                    race.against_rook(&mut sink.side(strong));
                }
            }
        }
        Kind::AgainstMinor(role) => rook_against_minor(position, &mut sink.side(strong), strong, role),
        Kind::Bishops | Kind::RookAndPawnAgainstBishop | Kind::QueenAgainstRookAndPawns => {
            match draw_by_rule(position, ending) {
                Some(Draw::Certain) => sink.add(strong, KNOWN_DRAW.at(0), 1),
                Some(Draw::Likely) => sink.add(strong, LIKELY_DRAW.at(0), 1),
                None => {}
            }
        }
        Kind::Duel(index) => {
            sink.add(strong, MATERIAL_DUEL.at(usize::from(index)), 1);
            if index < TWO_KNIGHTS {
                let run = DUEL_TIME.len / 2;
                let start = if index == AGAINST_ROOK { run } else { 0 };
                let step = position.clock_step() as usize / (FIFTY_MOVES as usize / run);
                sink.add(strong, DUEL_TIME.at(start + step.min(run - 1)), 1);
            }
            if index == AGAINST_ROOK {
                queen_against_rook(position, &mut sink.side(strong), strong);
            }
        }
    }
}

/// Whether a rule says that the side ahead does not win.
fn draw_by_rule(position: &Position, Ending { kind, strong }: Ending) -> Option<Draw> {
    match kind {
        Kind::Bishops => {
            let rules =
                [drawn::wrong_bishops, drawn::blocked_knight_pawn, drawn::blocked_rook_pawn, drawn::blocked_chain];
            rules.into_iter().find_map(|rule| rule(position, strong))
        }
        Kind::RookAndPawnAgainstBishop => drawn::king_shut_in(position, strong),
        Kind::QueenAgainstRookAndPawns => drawn::anchored_rook(position, strong),
        _ => None,
    }
}

/// Plies until the game is drawn by the fifty-move rule, from the first clock of the step.
fn plies_left(position: &Position) -> u32 {
    FIFTY_MOVES.saturating_sub(position.clock_step())
}

/// Plies to mate with a queen or a rook against a bare king, `None` if there is no mate.
fn mate_plies(position: &Position, strong: Color, role: Role) -> Option<u32> {
    let table = if role == Role::Queen { MateDistances::queen() } else { MateDistances::rook() };
    let piece = position.pieces(strong, role).first()?;
    table.plies(position.king(!strong), position.king(strong), piece, position.turn() != strong)
}

/// Emits how the plies until mate, as estimated, compare with those that the fifty-move rule leaves.
fn mate_time<S: Sink>(position: &Position, sink: &mut S, strong: Color) {
    let bare = position.king(!strong);
    let apart = distance(position.king(strong), bare) as i32;
    let (file_edge, rank_edge) = to_edge(bare);
    let (edge, corner) = (file_edge.min(rank_edge), file_edge + rank_edge);
    let count = |role| position.pieces(strong, role).count();
    let (knights, bishops, rooks, queens) =
        (count(Role::Knight), count(Role::Bishop), count(Role::Rook), count(Role::Queen));
    // Means and standard deviations of the distances in the tables of two pieces against a king, in tenths of a ply.
    let (tenths, spread) = match (queens, rooks) {
        (0, 0) if knights == 1 && bishops == 1 => {
            // Steeper than the tables' means, so that the king is driven along the edge from the wrong corner.
            let right = corner_steps(position.board().bishops(), bare) as i32;
            (60 + 29 * apart + 70 * right, 69)
        }
        (0, 0) => (96 + 14 * edge + 24 * apart + 21 * corner, 37),
        (0, 1) => (26 + 13 * edge + 19 * apart + 12 * corner, 25),
        (1, 0) => (40 + 9 * edge + 6 * apart + 4 * corner, 20),
        _ => (30 + 2 * edge + apart + corner, 12),
    };
    let left = 10 * plies_left(position) as i32;
    // In half standard deviations.
    let margin = (2 * (left - tenths)).div_euclid(spread);
    let run = MATE_TIME.len / 2;
    let start = if 2 * queens + rooks > 1 { run } else { 0 };
    let last = run as i32 - 1;
    sink.add(strong, MATE_TIME.at(start + (margin + last / 2).clamp(0, last) as usize), 1);
}

/// Steps along files and ranks from a square to the nearest corner of the bishop's colour.
pub fn corner_steps(bishop: Bitboard, square: Square) -> usize {
    let is_light = (bishop & Bitboard::LIGHT_SQUARES).any();
    let corners = if is_light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
    corners.map(|corner| file_rank_distance(square, corner)).into_iter().min().unwrap_or(0)
}

/// What matters where a piece has to stop a pawn, seen as if the pawn moved up.
struct PawnRace {
    pawn: Square,
    /// The king on the pawn's side.
    king: Square,
    /// The king on the side of the piece.
    enemy_king: Square,
    is_enemy_to_move: bool,
}

impl PawnRace {
    fn of(position: &Position, strong: Color, pawn: Square) -> PawnRace {
        let view = |square: Square| strong.fold_wb(square.flip_vertical(), square);
        PawnRace {
            pawn: view(pawn),
            king: view(position.king(!strong)),
            enemy_king: view(position.king(strong)),
            is_enemy_to_move: position.turn() == strong,
        }
    }

    fn promotion(&self) -> Square {
        Square::from_coords(self.pawn.file(), Rank::Eighth)
    }

    fn against_queen<S: SideSink>(&self, sink: &mut S) {
        let promotion = self.promotion();
        let (file_edge, _) = to_edge(self.pawn);
        let far = distance(self.enemy_king, promotion) as i32;
        sink.add(QUEEN_AGAINST_PAWN.at(0), 1);
        sink.add(QUEEN_AGAINST_PAWN.at(1), i32::from(self.is_enemy_to_move));
        match (self.pawn.rank(), file_edge, distance(self.king, promotion)) {
            // Stalemate leaves the queen no time to fetch her king.
            (Rank::Seventh, 0 | 2, 0..=2) => {
                let run = 2 + file_edge as usize;
                sink.add(QUEEN_AGAINST_PAWN.at(run), 1);
                sink.add(QUEEN_AGAINST_PAWN.at(run + 1), far);
            }
            (Rank::Seventh, _, 0..=1) => sink.add(QUEEN_AGAINST_PAWN.at(7), 1),
            (Rank::Sixth, ..) => sink.add(QUEEN_AGAINST_PAWN.at(6), 1),
            _ => {}
        }
    }

    fn against_rook<S: SideSink>(&self, sink: &mut S) {
        let (pawn, promotion) = (self.pawn, self.promotion());
        let next = step(Color::White, pawn);
        let (king, enemy) = (|to| distance(self.king, to) as i32, |to| distance(self.enemy_king, to) as i32);
        let is_before = self.enemy_king.file() == pawn.file() && self.enemy_king.rank() > pawn.rank();
        let counts = [
            1,
            i32::from(self.is_enemy_to_move),
            7 - pawn.rank() as i32,
            enemy(next),
            king(pawn),
            enemy(promotion),
            king(promotion),
            i32::from(is_before),
            if pawn.rank() == Rank::Seventh { enemy(promotion) } else { 0 },
            (king(pawn) - enemy(pawn)).max(0),
        ];
        for (index, count) in counts.into_iter().enumerate() {
            sink.add(ROOK_AGAINST_PAWN.at(index), count);
        }
    }
}

/// Emits how far the minor piece is from its king, and that king from edge, corner and enemy king.
fn rook_against_minor<S: SideSink>(position: &Position, sink: &mut S, strong: Color, role: Role) {
    let Some(minor) = position.pieces(!strong, role).first() else { return };
    let king = position.king(!strong);
    let (file_edge, rank_edge) = to_edge(king);
    let counts = [
        1,
        i32::from(position.turn() == strong),
        distance(king, minor) as i32,
        file_edge.min(rank_edge),
        file_edge + rank_edge,
        distance(king, position.king(strong)) as i32,
    ];
    let run = if role == Role::Knight { 0 } else { counts.len() };
    for (index, count) in counts.into_iter().enumerate() {
        sink.add(ROOK_AGAINST_MINOR.at(run + index), count);
    }
}

/// Emits how far the rook's king is from corner, enemy king and rook.
fn queen_against_rook<S: SideSink>(position: &Position, sink: &mut S, strong: Color) {
    let Some(rook) = position.pieces(!strong, Role::Rook).first() else { return };
    let king = position.king(!strong);
    let (file_edge, rank_edge) = to_edge(king);
    let counts = [
        i32::from(position.turn() == strong),
        file_edge + rank_edge,
        distance(king, position.king(strong)) as i32,
        distance(king, rook) as i32,
    ];
    for (index, count) in counts.into_iter().enumerate() {
        sink.add(QUEEN_AGAINST_ROOK.at(index), count);
    }
}

#[cfg(all(test, feature = "syzygy"))]
mod tests;
