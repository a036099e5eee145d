//! Move generation by stage, on shakmaty's bitboards and attack tables.
//!
//! Moves are pseudo-legal: they may leave the king in check; [`Position::is_legal`] finds out. In check only evasions are
//! generated.

use super::attacks::relative_rank_set;
use super::checks::CheckSquares;
use super::chess_move::{Move, Tag};
use super::state::Position;
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, CastlingSide, Color, File, KnownOutcome, Rank, Role, Square, attacks};

/// A list with room for the moves of any position of up to 32 pieces.
pub type MoveList = ArrayVec<Move, 320>;

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

impl Position {
    /// Whether the side to move has no legal move.
    #[must_use]
    pub fn has_no_moves(&self) -> bool {
        !self.pseudo_legal_moves().into_iter().any(|m| self.is_legal(m))
    }

    /// The result if the side to move has no legal move: mate or stalemate.
    #[must_use]
    pub fn mate_or_stalemate(&self) -> Option<KnownOutcome> {
        let winner = self.is_check().then_some(!self.turn());
        self.has_no_moves().then(|| KnownOutcome::from_winner(winner))
    }

    /// Every legal move.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = self.pseudo_legal_moves();
        moves.retain(|m| self.is_legal(*m));
        moves
    }

    /// All pseudo-legal moves: captures and promotions, then quiet moves.
    #[must_use]
    pub(crate) fn pseudo_legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate_noisy(&mut moves);
        self.generate_quiet(&mut moves);
        moves
    }

    /// Appends captures, en passant captures and all promotions.
    pub fn generate_noisy(&self, moves: &mut MoveList) {
        let us = self.turn();
        let theirs = self.board().by_color(!us);
        let targets = self.evasion_targets();
        if let Some(targets) = targets {
            let ours = self.pieces(us, Role::Pawn);
            let empty = !self.board().occupied();
            let last_rank = relative_rank_set(us, Rank::Eighth);
            let victims = theirs & targets;
            for from in ours & pawn_origins(us, victims) {
                for to in attacks::pawn_attacks(us, from) & victims {
                    push_pawn(moves, from, to, last_rank);
                }
            }
            for to in ours.shift(forward(us)) & empty & targets & last_rank {
                push_pawn(moves, backward(us, to), to, last_rank);
            }
            if let Some(square) = self.en_passant {
                for from in attacks::pawn_attacks(!us, square) & ours {
                    moves.push(Move::new(from, square, Tag::EnPassant));
                }
            }
            self.for_each_piece(theirs & targets, |_, from, targets| push_all(moves, from, targets));
        }
        let king = self.king(us);
        push_all(moves, king, attacks::king_attacks(king) & theirs);
    }

    /// Appends moves that neither capture nor promote, castling included.
    pub fn generate_quiet(&self, moves: &mut MoveList) {
        self.for_each_quiet(|role, from, targets| {
            // Castling comes before other moves of the king.
            if role == Role::King {
                self.generate_castling(moves);
            }
            push_all(moves, from, targets);
        });
    }

    /// Calls `push` with role, origin and targets of the moves that neither capture nor promote, without castling.
    #[inline(always)]
    pub(crate) fn for_each_quiet(&self, mut push: impl FnMut(Role, Square, Bitboard)) {
        let us = self.turn();
        let empty = !self.board().occupied();
        let king = self.king(us);
        if let Some(targets) = self.evasion_targets() {
            let step = forward(us);
            let ahead = self.pieces(us, Role::Pawn).shift(step) & empty;
            for to in ahead & targets & !relative_rank_set(us, Rank::Eighth) {
                push(Role::Pawn, backward(us, to), Bitboard::from_square(to));
            }
            for to in (ahead & relative_rank_set(us, Rank::Third)).shift(step) & empty & targets {
                push(Role::Pawn, backward(us, backward(us, to)), Bitboard::from_square(to));
            }
            self.for_each_piece(empty & targets, &mut push);
        }
        push(Role::King, king, attacks::king_attacks(king) & empty);
    }

    /// Appends the quiet moves that `checks` foresees to give check. The side to move is not in check itself.
    pub(crate) fn generate_quiet_checks(&self, checks: &CheckSquares, moves: &mut MoveList) {
        let us = self.turn();
        let ours = self.board().by_color(us);
        let occupied = self.board().occupied();
        let empty = !occupied;
        let mut push = |from: Square, targets: Bitboard| push_all(moves, from, targets);
        let step = forward(us);
        let ahead = self.pieces(us, Role::Pawn).shift(step) & empty & !relative_rank_set(us, Rank::Eighth);
        for to in ahead {
            let from = backward(us, to);
            push(from, Bitboard::from_square(to) & checks.targets(Role::Pawn, from));
        }
        for to in (ahead & relative_rank_set(us, Rank::Third)).shift(step) & empty {
            let from = backward(us, backward(us, to));
            push(from, Bitboard::from_square(to) & checks.targets(Role::Pawn, from));
        }
        for from in ours & self.board().knights() & !self.pinned {
            push(from, attacks::knight_attacks(from) & empty & checks.targets(Role::Knight, from));
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.pieces(us, role) {
                let targets = checks.targets(role, from) & empty;
                if targets.any() {
                    let reach = match role {
                        Role::Bishop => attacks::bishop_attacks(from, occupied),
                        Role::Rook => attacks::rook_attacks(from, occupied),
                        _ => attacks::queen_attacks(from, occupied),
                    };
                    push(from, reach & targets);
                }
            }
        }
        let king = self.king(us);
        push(king, attacks::king_attacks(king) & empty & checks.targets(Role::King, king));
    }

    /// Squares to which pieces other than the king may move: in check, those that block or capture the checker. `None` in
    /// double check.
    fn evasion_targets(&self) -> Option<Bitboard> {
        match self.checkers().first() {
            None => Some(Bitboard::FULL),
            Some(_) if self.checkers().more_than_one() => None,
            Some(checker) => Some(attacks::between(self.king(self.turn()), checker) | Bitboard::from_square(checker)),
        }
    }

    /// Calls `push` with role, origin and targets of the moves of knights, bishops, rooks and queens.
    #[inline(always)]
    fn for_each_piece(&self, targets: Bitboard, mut push: impl FnMut(Role, Square, Bitboard)) {
        let us = self.turn();
        let ours = self.board().by_color(us);
        let occupied = self.board().occupied();
        for from in self.pieces(us, Role::Knight) & !self.pinned {
            push(Role::Knight, from, attacks::knight_attacks(from) & targets);
        }
        for from in ours & self.board().bishops_and_queens() {
            push(
                self.board().role_at(from).unwrap_or(Role::Bishop),
                from,
                attacks::bishop_attacks(from, occupied) & targets,
            );
        }
        for from in ours & self.board().rooks_and_queens() {
            push(
                self.board().role_at(from).unwrap_or(Role::Rook),
                from,
                attacks::rook_attacks(from, occupied) & targets,
            );
        }
    }

    /// Appends castling moves.
    pub(crate) fn generate_castling(&self, moves: &mut MoveList) {
        if self.is_check() {
            return;
        }
        for side in CastlingSide::ALL {
            if let Some(m) = self.castling_move(side)
                && self.can_castle(m)
            {
                moves.push(m);
            }
        }
    }

    fn castling_move(&self, side: CastlingSide) -> Option<Move> {
        let rook = self.castling_rook(self.turn(), side)?;
        Some(Move::new(self.king(self.turn()), rook, Tag::Castle))
    }

    /// Whether castling is legal, given the right to it.
    fn can_castle(&self, m: Move) -> bool {
        let us = self.turn();
        let board = self.board();
        let (king, rook) = (m.from(), m.to());
        let side = CastlingSide::from_king_side(king < rook);
        let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
        let walk = attacks::between(king, king_to).with(king_to);
        let path = walk | attacks::between(rook, rook_to).with(rook_to);
        if (path & board.occupied()).without(king).without(rook).any() {
            return false;
        }
        let without_king = board.occupied() ^ Bitboard::from_square(king);
        if walk.into_iter().any(|square| board.attacks_to(square, !us, without_king).any()) {
            return false;
        }
        // In Chess960 the rook itself may have shielded the king's new square.
        let after = without_king ^ Bitboard::from_square(rook) | Bitboard::from_square(rook_to);
        board.attacks_to(king_to, !us, after).is_empty()
    }

    /// Whether any sixteen bits are a pseudo-legal move here. [`Position::is_legal`] must still be asked.
    #[must_use]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let us = self.turn();
        let board = self.board();
        let (from, to) = (m.from(), m.to());
        if !board.by_color(us).contains(from) {
            return false;
        }
        let role = self.moving(m);
        match m.tag() {
            None => false,
            Some(Tag::Castle) => {
                let side = CastlingSide::from_king_side(from < to);
                role == Role::King && !self.is_check() && self.castling_move(side) == Some(m) && self.can_castle(m)
            }
            Some(Tag::EnPassant) => {
                role == Role::Pawn && self.en_passant == Some(to) && attacks::pawn_attacks(us, from).contains(to)
            }
            Some(tag) => {
                if board.by_color(us).contains(to) {
                    return false;
                }
                let promotes = matches!(tag, Tag::Promotion(_));
                if role != Role::Pawn {
                    return !promotes && attacks::attacks(from, role.of(us), board.occupied()).contains(to);
                }
                promotes == relative_rank_set(us, Rank::Eighth).contains(to) && self.pawn_reaches(us, from, to)
            }
        }
    }

    fn pawn_reaches(&self, us: Color, from: Square, to: Square) -> bool {
        let board = self.board();
        let empty = !board.occupied();
        let one = Bitboard::from_square(from).shift(forward(us)) & empty;
        let two = (one & relative_rank_set(us, Rank::Third)).shift(forward(us)) & empty;
        (attacks::pawn_attacks(us, from) & board.by_color(!us) | one | two).contains(to)
    }

    /// Whether a pseudo-legal move does not leave the own king in check.
    #[inline(always)]
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.turn();
        let board = self.board();
        let (from, to) = (m.from(), m.to());
        let king = self.king(us);
        if m.is_castle() {
            return true; // pseudo-legal castling is legal
        }
        if m.is_en_passant() {
            let captured = Square::from_coords(to.file(), from.rank());
            let after = (board.occupied() ^ Bitboard::from_square(from) ^ Bitboard::from_square(captured))
                .with(Bitboard::from_square(to));
            return (board.attacks_to(king, !us, after) & !Bitboard::from_square(captured)).is_empty();
        }
        if from == king {
            let without_king = board.occupied() ^ Bitboard::from_square(king);
            return board.attacks_to(to, !us, without_king).is_empty();
        }
        if let Some(checker) = self.checkers().first()
            && (self.checkers().more_than_one()
                || !attacks::between(king, checker).with(Bitboard::from_square(checker)).contains(to))
        {
            return false;
        }
        !self.pinned.contains(from) || attacks::aligned(king, from, to)
    }
}

fn forward(color: Color) -> i32 {
    color.fold_wb(8, -8)
}

/// Squares from which pawns of `color` attack one of the targets.
fn pawn_origins(color: Color, targets: Bitboard) -> Bitboard {
    let behind = targets.shift(-forward(color));
    (behind & !Bitboard::from_file(File::A)).shift(-1) | (behind & !Bitboard::from_file(File::H)).shift(1)
}

/// The square behind `to` for pawns of `color`. Pawns never move to the first rank, so it exists.
fn backward(color: Color, to: Square) -> Square {
    Square::new((to as i32 - forward(color)) as u32)
}

#[inline]
fn push_all(moves: &mut MoveList, from: Square, targets: Bitboard) {
    for to in targets {
        moves.push(Move::normal(from, to));
    }
}

fn push_pawn(moves: &mut MoveList, from: Square, to: Square, last_rank: Bitboard) {
    if last_rank.contains(to) {
        for role in PROMOTIONS {
            moves.push(Move::new(from, to, Tag::Promotion(role)));
        }
    } else {
        moves.push(Move::normal(from, to));
    }
}
