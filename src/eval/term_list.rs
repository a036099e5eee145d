//! The list of all terms, which parameter file, overflow proof, evaluation, explanation and tuner share.

use super::word::Word;
use shakmaty::Role;
use std::ops::Range;

/// Pawns, knights, bishops, rooks and queens of one colour that are counted at most. More hardly arise and could overflow
/// the lanes.
pub const MAX_COUNTS: [i32; 5] = [8, 4, 4, 4, 5];

/// Columns of a term in the parameter file, in the order of [`Word::new`].
pub const COLUMNS: [&str; 4] = ["wilo_mg", "wilo_eg", "draw_mg", "draw_eg"];

/// Index of one weight in the weight vectors.
pub type Feature = usize;

/// A named run of weights in the weight vectors.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Name in the parameter file.
    pub name: &'static str,
    /// Index of the first weight.
    pub offset: Feature,
    /// Number of weights.
    pub len: usize,
    /// What its features are counted for.
    pub owner: Owner,
    /// Upper bound on the features of this term for one owner, used by the overflow proof.
    pub max_count: i32,
}

/// What the features of a term are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The position; only its draw columns may be set.
    Shared,
    /// A colour's piece counts.
    Counts,
    /// A colour.
    Side,
    /// The side to move.
    Mover,
    /// Each piece of this role.
    Piece(Role),
    /// Each knight and each bishop.
    Minor,
    /// The stronger colour of an ending that has knowledge of its own.
    Ending,
}

impl Term {
    /// The weight at `index` of this term.
    #[inline]
    #[must_use]
    pub const fn at(&self, index: usize) -> Feature {
        debug_assert!(index < self.len);
        self.offset + index
    }

    /// All weights of this term.
    #[must_use]
    pub const fn features(&self) -> Range<Feature> {
        self.offset..self.offset + self.len
    }

    /// The words of this term among those of all.
    #[must_use]
    pub fn words<'a>(&self, all: &'a [Word]) -> &'a [Word] {
        &all[self.features()]
    }
}

macro_rules! terms {
    ($($(#[doc = $doc:literal])+ $name:ident = $key:literal [$len:expr] $owner:ident $max_count:literal;)+) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the variants are named after the constants")]
        #[repr(usize)]
        enum Id { $($name),+ }

        const LENGTHS: &[usize] = &[$($len),+];

        $(
            $(#[doc = $doc])+
            pub const $name: Term = Term {
                name: $key,
                offset: offset(Id::$name as usize),
                len: $len,
                owner: owner!($owner),
                max_count: $max_count,
            };
        )+

        /// Every term, in the order of the weight vectors.
        pub const TERMS: &[Term] = &[$($name),+];
    };
}

macro_rules! owner {
    (shared) => {
        Owner::Shared
    };
    (counts) => {
        Owner::Counts
    };
    (side) => {
        Owner::Side
    };
    (mover) => {
        Owner::Mover
    };
    (minor) => {
        Owner::Minor
    };
    (ending) => {
        Owner::Ending
    };
    ($role:ident) => {
        Owner::Piece(Role::$role)
    };
}

const fn offset(id: usize) -> usize {
    let mut sum = 0;
    let mut i = 0;
    while i < id {
        sum += LENGTHS[i];
        i += 1;
    }
    sum
}

/// Number of weights.
pub const COUNT: usize = offset(LENGTHS.len());

// NAME = "key in the parameter file" [number of weights] owner, upper bound on features for one owner
terms! {
    // Material and squares
    /// Value of a pawn, knight, bishop, rook, queen.
    MATERIAL = "material" [5] counts 1;
    /// Pawn by square. All tables are seen from the owner's side, mirrored so that its king is on files e to h.
    PST_PAWN = "pst_pawn" [64] Pawn 1;
    /// Knight by square.
    PST_KNIGHT = "pst_knight" [64] Knight 1;
    /// Bishop by square.
    PST_BISHOP = "pst_bishop" [64] Bishop 1;
    /// Rook by square.
    PST_ROOK = "pst_rook" [64] Rook 1;
    /// Queen by square.
    PST_QUEEN = "pst_queen" [64] Queen 1;
    /// King by rank and file e to h; mirrored if it is on files a to d.
    PST_KING = "pst_king" [32] side 1;
    /// Bishops on both colours.
    BISHOP_PAIR = "bishop_pair" [1] counts 1;
    /// Pairs of own pieces, by product of counts: PP, PN, NN, PB, NB, BB, PR, NR, BR, RR, PQ, NQ, BQ, RQ, QQ.
    IMBALANCE_OWN = "imbalance_own" [15] counts 1;
    /// Pairs of an own and an enemy piece, own first, by product of counts: NP, BP, BN, RP, RN, RB, QP, QN, QB, QR.
    IMBALANCE_THEIRS = "imbalance_theirs" [10] counts 1;
    /// To be the side to move.
    TEMPO = "tempo" [1] mover 1;

    // Mobility
    /// Knight by number of safe squares.
    MOBILITY_KNIGHT = "mobility_knight" [9] Knight 1;
    /// Bishop by number of safe squares.
    MOBILITY_BISHOP = "mobility_bishop" [14] Bishop 1;
    /// Rook by number of safe squares.
    MOBILITY_ROOK = "mobility_rook" [15] Rook 1;
    /// Queen by number of safe squares.
    MOBILITY_QUEEN = "mobility_queen" [28] Queen 1;

    // Pieces
    /// Knight on an outpost, unsupported and supported by a pawn.
    OUTPOST_KNIGHT = "outpost_knight" [2] Knight 1;
    /// Bishop on an outpost, unsupported and supported by a pawn.
    OUTPOST_BISHOP = "outpost_bishop" [2] Bishop 1;
    /// Knight that can go to a supported outpost.
    OUTPOST_REACHABLE = "outpost_reachable" [1] Knight 1;
    /// Knight, bishop directly behind a pawn.
    MINOR_BEHIND_PAWN = "minor_behind_pawn" [2] minor 1;
    /// Knight, bishop by distance to the own king.
    MINOR_KING_DISTANCE = "minor_king_distance" [8] minor 1;
    /// Own pawns on the bishop's colour.
    BAD_BISHOP = "bad_bishop" [1] Bishop 8;
    /// Own pawns on the bishop's colour times own pawns blocked on files c to f, at most two.
    BAD_BISHOP_BLOCKED = "bad_bishop_blocked" [1] Bishop 16;
    /// Bishop that sees both centre squares of a long diagonal.
    BISHOP_LONG_DIAGONAL = "bishop_long_diagonal" [1] Bishop 1;
    /// Bishop on a7 or h7 (Black: a2, h2) trapped by a pawn.
    TRAPPED_BISHOP = "trapped_bishop" [1] Bishop 1;
    /// Rook on a file without own pawns; without any.
    ROOK_OPEN_FILE = "rook_open_file" [2] Rook 1;
    /// Rook behind an own passed pawn; behind an enemy one.
    ROOK_BEHIND_PASSER = "rook_behind_passer" [2] Rook 2;
    /// Rook trapped beside its king; without castling rights.
    TRAPPED_ROOK = "trapped_rook" [2] Rook 1;
    /// Queen pinned, or exposed to a discovered attack.
    WEAK_QUEEN = "weak_queen" [1] Queen 1;

    // Pawns
    /// Isolated pawn with an enemy pawn in front; without.
    PAWN_ISOLATED = "pawn_isolated" [2] Pawn 1;
    /// Doubled pawn, unsupported.
    PAWN_DOUBLED = "pawn_doubled" [1] Pawn 1;
    /// Backward pawn with an enemy pawn in front; without.
    PAWN_BACKWARD = "pawn_backward" [2] Pawn 1;
    /// Pawn in a phalanx, by rank.
    PAWN_PHALANX = "pawn_phalanx" [8] Pawn 1;
    /// Pawn protected by another, by rank.
    PAWN_SUPPORTED = "pawn_supported" [8] Pawn 2;
    /// Pawn on the fifth, on the sixth rank blocked by an enemy pawn.
    PAWN_BLOCKED = "pawn_blocked" [2] Pawn 1;
    /// Candidate passed pawn by rank.
    PAWN_CANDIDATE = "pawn_candidate" [8] Pawn 1;
    /// Passed pawn by rank.
    PASSED = "passed" [8] Pawn 1;
    /// Passed pawn protected by a pawn, by rank.
    PASSED_SUPPORTED = "passed_supported" [8] Pawn 1;
    /// Passed pawn by distance of its file from the edge.
    PASSED_FILE = "passed_file" [4] Pawn 1;
    /// Passed pawn on ranks 4 and 5, 6, 7 (three runs of eight) by distance of the own king to the square in front.
    PASSED_OWN_KING = "passed_own_king" [24] Pawn 1;
    /// As `PASSED_OWN_KING`, by distance of the enemy king.
    PASSED_ENEMY_KING = "passed_enemy_king" [24] Pawn 1;
    /// Passed pawn blocked by an enemy piece, by rank.
    PASSED_BLOCKED = "passed_blocked" [8] Pawn 1;
    /// Passed pawn with no piece on its path, by rank.
    PASSED_FREE_PATH = "passed_free_path" [8] Pawn 1;
    /// Passed pawn whose path the enemy does not attack, by rank.
    PASSED_SAFE_PATH = "passed_safe_path" [8] Pawn 1;
    /// Passed pawn whose next square is attacked by the enemy and not defended, by rank.
    PASSED_UNSAFE_STEP = "passed_unsafe_step" [8] Pawn 1;
    /// A passed pawn that the enemy's king, without pieces, cannot catch.
    PASSED_UNSTOPPABLE = "passed_unstoppable" [1] side 1;

    // King safety
    /// Own pawn before the king by distance of the file from the edge (four runs) and rank (0: none).
    SHELTER = "shelter" [32] side 3;
    /// Enemy pawn before the king, not blocked, by distance of the file from the edge and rank as the king sees it.
    STORM = "storm" [32] side 3;
    /// Enemy pawn blocked by an own pawn before the king, by rank.
    STORM_BLOCKED = "storm_blocked" [8] side 3;
    /// Files at the king without own pawns; without any.
    KING_OPEN_FILE = "king_open_file" [2] side 3;
    /// No pawn on the king's flank.
    KING_PAWNLESS_FLANK = "king_pawnless_flank" [1] side 1;
    /// No pawn on the king's flank in a pure pawn, knight, bishop, rook, queen ending.
    PURE_ENDING_FLANK = "pure_ending_flank" [5] side 1;
    /// Distance of the king to the nearest pawn.
    KING_PAWN_DISTANCE = "king_pawn_distance" [8] side 1;
    /// Squares of the enemy ring attacked, by kind of attacker: knight, bishop, rook, queen; counted for the attacker.
    KING_RING_ATTACKS = "king_ring_attacks" [4] side 135;
    /// Attacked squares of the king ring that only king or queen defend.
    KING_WEAK_RING = "king_weak_ring" [9] side 1;
    /// The enemy can give a safe check with knight, bishop, rook, queen.
    KING_SAFE_CHECK = "king_safe_check" [4] side 4;
    /// Squares of unsafe checks.
    KING_UNSAFE_CHECKS = "king_unsafe_checks" [1] side 12;
    /// The enemy has no queen.
    KING_NO_ENEMY_QUEEN = "king_no_enemy_queen" [1] side 1;
    /// Own pieces pinned to the king.
    KING_PINNED = "king_pinned" [1] side 8;
    /// Attacks on the king's flank minus defences, in steps of two from −8.
    KING_FLANK = "king_flank" [12] side 1;
    /// King danger, the sum of all dangers to the king, in 32 steps.
    KING_DANGER = "king_danger" [32] side 1;

    // Threats
    /// Enemy knight, bishop, rook, queen attacked by a safe pawn.
    THREAT_BY_PAWN = "threat_by_pawn" [4] side 15;
    /// Enemy pawn, knight, bishop, rook, queen attacked by a minor piece.
    THREAT_BY_MINOR = "threat_by_minor" [5] side 15;
    /// Enemy pawn, knight, bishop, rook, queen attacked by a rook.
    THREAT_BY_ROOK = "threat_by_rook" [5] side 15;
    /// Weak enemy piece or pawn attacked by the king.
    THREAT_BY_KING = "threat_by_king" [1] side 6;
    /// Hanging enemy piece; hanging enemy pawn.
    THREAT_HANGING = "threat_hanging" [2] side 16;
    /// Enemy piece that a safe pawn push would attack.
    THREAT_BY_PUSH = "threat_by_push" [1] side 8;
    /// Attacked weak enemy piece or pawn that only the queen protects.
    THREAT_WEAKLY_PROTECTED = "threat_weakly_protected" [1] side 8;
    /// Squares that the enemy attacks and that are contested.
    RESTRICTED = "restricted" [1] side 40;
    /// Enemy queen that a safe knight, bishop, rook move would attack.
    THREAT_ON_QUEEN = "threat_on_queen" [3] side 12;
    /// Safe centre squares, those behind own pawns twice, by number of own pieces.
    SPACE = "space" [8] side 16;

    // Mating a king alone
    /// Bare enemy king by distance from the edge.
    BARE_KING_EDGE = "bare_king_edge" [4] side 1;
    /// Bare enemy king by distance between the kings.
    BARE_KING_DISTANCE = "bare_king_distance" [8] side 1;
    /// Bare enemy king against knight and bishop, by distance from a corner of the bishop's colour.
    BARE_KING_CORNER = "bare_king_corner" [8] side 1;

    // Drawishness
    /// Every position.
    BASE = "base" [1] shared 1;
    /// Number of pawns on the board.
    PAWNS_ON_BOARD = "pawns_on_board" [17] shared 1;
    /// Number of knights and bishops on the board.
    MINORS_ON_BOARD = "minors_on_board" [9] shared 1;
    /// Number of rooks on the board.
    ROOKS_ON_BOARD = "rooks_on_board" [5] shared 1;
    /// Number of queens on the board.
    QUEENS_ON_BOARD = "queens_on_board" [3] shared 1;
    /// A side without pawns.
    PAWNLESS = "pawnless" [1] counts 1;
    /// The side ahead in pieces has no pawns. It is ahead by nothing, the exchange, a minor piece, more; it has only a
    /// minor piece or two knights.
    PAWNLESS_AHEAD = "pawnless_ahead" [5] shared 1;
    /// Opposite-coloured bishops: alone, with knights, with rooks, with queens.
    OPPOSITE_BISHOPS = "opposite_bishops" [4] shared 1;
    /// Pure pawn, knight, bishop, rook, queen ending, one piece each (five runs of three): as many pawns on both sides,
    /// one more, two or more.
    PURE_ENDING = "pure_ending" [15] shared 1;
    /// Rook endings with one, two, three or more pawns on one flank only.
    ROOK_ENDING_ONE_FLANK = "rook_ending_one_flank" [3] shared 1;
    /// All pawns on one flank.
    ONE_FLANK = "one_flank" [1] shared 1;
    /// Rammed pawns: pairs that block each other.
    RAMMED = "rammed" [9] shared 1;
    /// Plies since the last capture or pawn move, in tens.
    HALFMOVES = "halfmoves" [10] shared 1;
    /// No passed pawn on the board.
    NO_PASSED_PAWN = "no_passed_pawn" [1] shared 1;
    /// Castling rights left on both sides.
    CASTLING_RIGHTS = "castling_rights" [5] shared 1;
    /// Kings at least four files apart.
    OPPOSITE_WINGS = "opposite_wings" [1] shared 1;
    /// King alone against mating material: nearly always won, so that D does not hide progress towards the mate.
    MATING_FORCE = "mating_force" [1] shared 1;
    /// Opposite-coloured bishops and no other pieces, by the passed pawns of the side ahead in material: none, one, more on
    /// one file or on neighbouring ones, two, three, more files from the first to the last.
    OPPOSITE_BISHOPS_PASSED = "opposite_bishops_passed" [6] shared 1;
    /// In such endings the weaker side's king or bishop stands on the way of each of these pawns or attacks a square of it
    /// that the other bishop cannot; or even king and bishop stop all of them for good.
    OPPOSITE_BISHOPS_HELD = "opposite_bishops_held" [2] shared 1;
    /// A rook ending in which a rook stands before its own passed pawn, the enemy's rook behind it, by distance of the
    /// pawn's file from the edge; and a rook pawn that the rook cannot leave, as the enemy king is safe from its checks.
    ROOK_BEFORE_PASSER = "rook_before_passer" [5] side 1;
    /// Every pawn is blocked by a pawn and no piece can get at one: nobody makes progress. Or only the side ahead makes none,
    /// unless it gives a piece that is worth all its lead.
    LOCKED = "locked" [2] shared 1;

    // Endings with few pieces, whose results tables know
    /// Drawn for certain.
    KNOWN_DRAW = "known_draw" [1] ending 1;
    /// Drawn by a rule with exceptions.
    LIKELY_DRAW = "likely_draw" [1] ending 1;
    /// Won for certain.
    KNOWN_WIN = "known_win" [1] ending 1;
    /// Plies that the fifty-move rule leaves beyond those until a bare king is mated, as estimated, in half standard
    /// deviations of the estimate from −8: without a queen or two rooks, with them (two runs of 17).
    MATE_TIME = "mate_time" [34] ending 1;
    /// Queen against knight, bishop, rook; two knights against a bare king.
    MATERIAL_DUEL = "material_duel" [4] ending 1;
    /// Plies since the last capture with the first three of these, in fives: against a minor piece, against a rook (two
    /// runs of 20).
    DUEL_TIME = "duel_time" [40] ending 1;
    /// Queen against a pawn, counted for the queen: always; queen's side to move; rook pawn on the seventh with its
    /// king near; distance of the queen's king then; bishop pawn likewise (two weights); pawn on the sixth; other pawn on
    /// the seventh beside its king.
    QUEEN_AGAINST_PAWN = "queen_against_pawn" [8] ending 10;
    /// Rook against a pawn, counted for the rook: always; rook's side to move; steps to promotion; distances of the rook's
    /// king to the square before the pawn, of the pawn's king to the pawn, of both to the promotion square; the rook's king
    /// before the pawn; its distance to the promotion square of a pawn on the seventh; steps by which it is nearer to the
    /// pawn than the pawn's king.
    ROOK_AGAINST_PAWN = "rook_against_pawn" [10] ending 60;
    /// Rook against knight, against bishop (two runs of six), counted for the rook: always; rook's side to move; distance
    /// of the minor piece to its king; of that king to the edge, to the corner by files and ranks, to the rook's king.
    ROOK_AGAINST_MINOR = "rook_against_minor" [12] ending 25;
    /// Queen against rook, counted for the queen: queen's side to move; distance of the rook's king to the corner by files
    /// and ranks, to the queen's king, to its rook.
    QUEEN_AGAINST_ROOK = "queen_against_rook" [4] ending 25;
    /// Size of wilo: the value at each knot, interpolated linearly.
    WILO_SIZE = "wilo_size" [14] shared 1;
    /// Correction of the draw score: added to the sum of all other terms, by that sum, interpolated linearly.
    DRAW_CURVE = "draw_curve" [13] shared 1;
}

/// Terms of pawns and kings alone. They are cached, and so summed apart from the others, as are those of
/// [`Owner::Counts`].
pub const STRUCTURE: [Term; 24] = [
    PST_PAWN,
    PST_KING,
    PAWN_ISOLATED,
    PAWN_DOUBLED,
    PAWN_BACKWARD,
    PAWN_PHALANX,
    PAWN_SUPPORTED,
    PAWN_BLOCKED,
    PAWN_CANDIDATE,
    PASSED,
    PASSED_SUPPORTED,
    PASSED_FILE,
    PASSED_OWN_KING,
    PASSED_ENEMY_KING,
    SHELTER,
    STORM,
    STORM_BLOCKED,
    KING_OPEN_FILE,
    KING_PAWNLESS_FLANK,
    KING_PAWN_DISTANCE,
    ONE_FLANK,
    RAMMED,
    NO_PASSED_PAWN,
    OPPOSITE_WINGS,
];

/// Terms of [`Owner::Ending`] that can stand together, for each ending or some of its positions.
pub const ENDINGS: [&[Term]; 8] = [
    &[KNOWN_DRAW],
    &[KNOWN_WIN],
    &[LIKELY_DRAW],
    &[MATE_TIME],
    &[MATERIAL_DUEL, DUEL_TIME, QUEEN_AGAINST_ROOK],
    &[QUEEN_AGAINST_PAWN],
    &[ROOK_AGAINST_PAWN],
    &[ROOK_AGAINST_MINOR],
];
