//! The pieces on the board.

use shakmaty::{Bitboard, ByColor, ByRole, Color, Piece, Role, Square, attacks};

/// The pieces on the board: bitboards by role and by colour, and the role on each square, for faster look-up.
///
/// "Piece" includes pawns and kings here.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    by_role: ByRole<Bitboard>,
    by_color: ByColor<Bitboard>,
    roles: [Option<Role>; 64],
}

impl From<&shakmaty::Board> for Board {
    fn from(board: &shakmaty::Board) -> Board {
        let (by_role, by_color) = board.clone().into_bitboards();
        Board { by_role, by_color, roles: Square::ALL.map(|square| board.role_at(square)) }
    }
}

impl From<&Board> for shakmaty::Board {
    fn from(board: &Board) -> shakmaty::Board {
        shakmaty::Board::try_from_bitboards(board.by_role, board.by_color)
            .expect("each piece has one role and one colour")
    }
}

impl Board {
    /// Squares with a piece.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.by_color.white | self.by_color.black
    }

    /// Squares with a piece of a colour.
    #[inline(always)]
    #[must_use]
    pub fn by_color(&self, color: Color) -> Bitboard {
        *self.by_color.get(color)
    }

    /// Squares with a piece of a role, of both colours.
    #[inline(always)]
    #[must_use]
    pub fn by_role(&self, role: Role) -> Bitboard {
        *self.by_role.get(role)
    }

    /// Squares with white pieces.
    #[inline(always)]
    #[must_use]
    pub fn white(&self) -> Bitboard {
        self.by_color.white
    }

    /// Squares with black pieces.
    #[inline(always)]
    #[must_use]
    pub fn black(&self) -> Bitboard {
        self.by_color.black
    }

    /// Squares with pawns.
    #[inline(always)]
    #[must_use]
    pub fn pawns(&self) -> Bitboard {
        self.by_role.pawn
    }

    /// Squares with knights.
    #[inline(always)]
    #[must_use]
    pub fn knights(&self) -> Bitboard {
        self.by_role.knight
    }

    /// Squares with bishops.
    #[inline(always)]
    #[must_use]
    pub fn bishops(&self) -> Bitboard {
        self.by_role.bishop
    }

    /// Squares with rooks.
    #[inline(always)]
    #[must_use]
    pub fn rooks(&self) -> Bitboard {
        self.by_role.rook
    }

    /// Squares with queens.
    #[inline(always)]
    #[must_use]
    pub fn queens(&self) -> Bitboard {
        self.by_role.queen
    }

    /// Squares with kings.
    #[inline(always)]
    #[must_use]
    pub fn kings(&self) -> Bitboard {
        self.by_role.king
    }

    /// Squares with bishops or queens.
    #[inline(always)]
    #[must_use]
    pub fn bishops_and_queens(&self) -> Bitboard {
        self.by_role.bishop | self.by_role.queen
    }

    /// Squares with rooks or queens.
    #[inline(always)]
    #[must_use]
    pub fn rooks_and_queens(&self) -> Bitboard {
        self.by_role.rook | self.by_role.queen
    }

    /// The role of the piece on a square.
    #[inline(always)]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square as usize]
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.role_at(square).map(|role| role.of(Color::from_white(self.by_color.white.contains(square))))
    }

    /// Pieces of `attacker` that attack a square, if `occupied` squares block lines.
    #[inline]
    #[must_use]
    pub fn attacks_to(&self, square: Square, attacker: Color, occupied: Bitboard) -> Bitboard {
        let attackers = attacks::rook_attacks(square, occupied) & self.rooks_and_queens()
            | attacks::bishop_attacks(square, occupied) & self.bishops_and_queens()
            | attacks::knight_attacks(square) & self.knights()
            | attacks::king_attacks(square) & self.kings()
            | attacks::pawn_attacks(!attacker, square) & self.pawns();
        attackers & self.by_color(attacker)
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, square: Square, piece: Piece) {
        self.toggle(square, piece);
        self.roles[square as usize] = Some(piece.role);
    }

    /// Removes the piece on a square.
    #[inline(always)]
    pub(super) fn remove(&mut self, square: Square, piece: Piece) {
        self.toggle(square, piece);
        self.roles[square as usize] = None;
    }

    #[inline(always)]
    fn toggle(&mut self, square: Square, piece: Piece) {
        *self.by_role.get_mut(piece.role) ^= square;
        *self.by_color.get_mut(piece.color) ^= square;
    }
}
