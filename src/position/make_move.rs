//! Making moves, with all keys, counts, checkers and pins.

use super::chess_move::{Move, Tag};
use super::fifty_moves::ClockSteps;
use super::key;
use super::state::{PAWN_PART, Position, piece_part};
use shakmaty::{Bitboard, CastlingSide, Color, Piece, Rank, Role, Square, attacks};

impl Position {
    /// The position after a legal move.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, m: Move) -> Position {
        let mut next = *self;
        next.make(m);
        next
    }

    /// Makes a legal move in place. The search copies a position and makes the move, since the compiler copies what
    /// [`Position::play`] returns once more.
    #[inline(never)]
    pub(crate) fn make(&mut self, m: Move) {
        let us = self.turn;
        let (from, to) = (m.from(), m.to());
        let role = self.moving(m);
        let captured = self.captured(m);
        self.pass_turn();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.reversible_plies = self.reversible_plies.saturating_add(1);
        if role == Role::Pawn || captured.is_some() {
            self.halfmoves = 0;
            self.reversible_plies = 0;
        }
        if self.castling_rights.any() {
            self.lose_castling_rights(us, role, from, to);
        }
        if m.is_castle() {
            let side = CastlingSide::from_king_side(from < to);
            self.remove(from, us.king());
            self.remove(to, us.rook());
            self.put(side.king_to(us), us.king());
            self.put(side.rook_to(us), us.rook());
        } else {
            self.remove(from, role.of(us));
            if let Some(captured) = captured {
                let square = if m.is_en_passant() { Square::from_coords(to.file(), from.rank()) } else { to };
                self.remove(square, captured.of(!us));
                self.material.remove(captured.of(!us), square);
            }
            let becomes = m.promotion().unwrap_or(role);
            self.put(to, becomes.of(us));
            if becomes != role {
                self.material.remove(us.pawn(), from);
                self.material.add(becomes.of(us), to);
            }
        }
        self.update_threats();
        if role == Role::Pawn && (from as u32).abs_diff(to as u32) == 16 {
            self.allow_en_passant(Square::from_coords(from.file(), us.relative_rank(Rank::Third)));
        }
    }

    /// The position after a null move. The side to move must not be in check.
    #[must_use]
    pub(crate) fn play_null(&self) -> Position {
        let mut next = *self;
        next.pass_turn();
        next.halfmoves = self.halfmoves.saturating_add(1);
        next.reversible_plies = 0;
        next.update_threats();
        next
    }

    #[inline(always)]
    fn pass_turn(&mut self) {
        self.key ^= key::white_turn() ^ self.en_passant_key();
        self.en_passant = None;
        if self.turn == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    /// Removes the castling rights that a move of `role` ends, of both sides.
    #[inline]
    fn lose_castling_rights(&mut self, us: Color, role: Role, from: Square, to: Square) {
        let touched = Bitboard::from_square(from).with(Bitboard::from_square(to));
        let lost = if role == Role::King { touched | self.board.by_color(us) } else { touched };
        if (self.castling_rights & lost).any() {
            self.key ^= self.castling_key();
            self.castling_rights &= !lost;
            self.key ^= self.castling_key();
        }
    }

    /// Sets the en passant square after a double step, if a capture there is legal.
    #[inline]
    fn allow_en_passant(&mut self, square: Square) {
        let takers = attacks::pawn_attacks(!self.turn, square) & self.pieces(self.turn, Role::Pawn);
        if takers.into_iter().any(|from| self.is_legal(Move::new(from, square, Tag::EnPassant))) {
            self.en_passant = Some(square);
            self.key ^= self.en_passant_key();
        }
    }

    #[inline(always)]
    fn put(&mut self, square: Square, piece: Piece) {
        self.board.put(square, piece);
        self.toggle_keys(square, piece);
    }

    #[inline(always)]
    fn remove(&mut self, square: Square, piece: Piece) {
        self.board.remove(square, piece);
        self.toggle_keys(square, piece);
    }

    #[inline(always)]
    pub(super) fn toggle_keys(&mut self, square: Square, piece: Piece) {
        let value = key::piece(square, piece);
        self.key ^= value;
        let part = if piece.role == Role::Pawn { PAWN_PART } else { piece_part(piece.color) };
        self.part_keys[part] ^= value;
        if matches!(piece.role, Role::Knight | Role::Bishop | Role::King) {
            self.minor_key ^= value;
        }
    }

    #[inline(always)]
    pub(super) fn update_threats(&mut self) {
        let turn = self.turn();
        let king = self.king(turn);
        let leapers = attacks::knight_attacks(king) & self.board().knights()
            | attacks::pawn_attacks(turn, king) & self.board().pawns();
        let lines = self.lines_to(king, !turn);
        self.checkers = lines.open | leapers & self.board().by_color(!turn);
        self.pinned = lines.single & self.board().by_color(turn);
    }

    /// The [`tt_key`](Position::tt_key) after a move, for prefetching. Castling moves and changes of castling and en
    /// passant rights are ignored, so it can be wrong.
    #[inline(always)]
    #[must_use]
    pub(crate) fn likely_key_after(&self, m: Move) -> u64 {
        let color = self.turn();
        let role = self.moving(m);
        let mut key = self.key ^ key::white_turn() ^ key::piece(m.from(), role.of(color));
        key ^= key::piece(m.to(), m.promotion().unwrap_or(role).of(color));
        if let Some(captured) = self.role_at(m.to()) {
            key ^= key::piece(m.to(), captured.of(!color));
            key
        } else {
            let halfmoves = if role == Role::Pawn { 0 } else { self.halfmoves().saturating_add(1) };
            key ^ key::clock(ClockSteps::of(self.board().pawns().any()).start(halfmoves))
        }
    }

    /// Number of move sequences of `depth` plies.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.legal_moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.into_iter().map(|m| self.play(m).perft(depth - 1)).sum(),
        }
    }
}
