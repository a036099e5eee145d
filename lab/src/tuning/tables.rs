//! Which weights of a term lie beside each other: squares of a board, or steps of a scale.

use halfpoint::eval::tuning::terms::{
    BARE_KING_CORNER, BARE_KING_DISTANCE, BARE_KING_EDGE, CASTLING_RIGHTS, DRAW_CURVE, Feature, HALFMOVES, KING_DANGER,
    KING_FLANK, KING_PAWN_DISTANCE, KING_WEAK_RING, MINOR_KING_DISTANCE, MINORS_ON_BOARD, MOBILITY_BISHOP,
    MOBILITY_KNIGHT, MOBILITY_QUEEN, MOBILITY_ROOK, PASSED, PASSED_BLOCKED, PASSED_ENEMY_KING, PASSED_FILE,
    PASSED_FREE_PATH, PASSED_OWN_KING, PASSED_SAFE_PATH, PASSED_SUPPORTED, PASSED_UNSAFE_STEP, PAWN_CANDIDATE,
    PAWN_PHALANX, PAWN_SUPPORTED, PAWNS_ON_BOARD, PST_BISHOP, PST_KING, PST_KNIGHT, PST_PAWN, PST_QUEEN, PST_ROOK,
    RAMMED, SHELTER, SPACE, STORM, STORM_BLOCKED, Term,
};

/// Tables of squares with their number of files, ranks from the owner's first to the last.
pub const BOARDS: [(Term, usize); 6] =
    [(PST_PAWN, 8), (PST_KNIGHT, 8), (PST_BISHOP, 8), (PST_ROOK, 8), (PST_QUEEN, 8), (PST_KING, 4)];

/// Terms that are one scale.
const SCALES: [Term; 30] = [
    MOBILITY_KNIGHT,
    MOBILITY_BISHOP,
    MOBILITY_ROOK,
    MOBILITY_QUEEN,
    MINOR_KING_DISTANCE,
    PAWN_PHALANX,
    PAWN_SUPPORTED,
    PAWN_CANDIDATE,
    PASSED,
    PASSED_SUPPORTED,
    PASSED_FILE,
    PASSED_BLOCKED,
    PASSED_FREE_PATH,
    PASSED_SAFE_PATH,
    PASSED_UNSAFE_STEP,
    STORM_BLOCKED,
    KING_PAWN_DISTANCE,
    KING_WEAK_RING,
    KING_FLANK,
    KING_DANGER,
    SPACE,
    BARE_KING_EDGE,
    BARE_KING_DISTANCE,
    BARE_KING_CORNER,
    PAWNS_ON_BOARD,
    MINORS_ON_BOARD,
    CASTLING_RIGHTS,
    RAMMED,
    HALFMOVES,
    DRAW_CURVE,
];

/// Terms of several scales of eight steps.
const RUNS_OF_EIGHT: [Term; 4] = [PASSED_OWN_KING, PASSED_ENEMY_KING, SHELTER, STORM];

/// Pairs of weights that lie beside each other.
pub fn neighbours() -> impl Iterator<Item = (Feature, Feature)> {
    let scale = |first: Feature, len: usize| (first..first + len - 1).map(|feature| (feature, feature + 1));
    let boards = BOARDS.into_iter().flat_map(move |(term, files)| {
        let ranks = (term.offset..term.offset + term.len).step_by(files);
        let beside = ranks.flat_map(move |first| scale(first, files));
        beside.chain((term.offset..term.offset + term.len - files).map(move |square| (square, square + files)))
    });
    let scales = SCALES.into_iter().flat_map(move |term| scale(term.offset, term.len));
    let runs = RUNS_OF_EIGHT
        .into_iter()
        .flat_map(move |term| (term.offset..term.offset + term.len).step_by(8).flat_map(move |first| scale(first, 8)));
    boards.chain(scales).chain(runs)
}
