use super::*;
use proptest::prelude::*;
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Bitboard, Chess, Color, EnPassantMode, KnownOutcome, Position as _, Rank, Role, Square};

/// Positions along a game of moves picked by `choices`.
fn walk(chess960: bool, start: &str, choices: &[u8]) -> Vec<Position> {
    walk_with_oracle(chess960, start, choices).into_iter().map(|(position, _)| position).collect()
}

/// Positions along a game, each beside the one that shakmaty reached by the same moves.
fn walk_with_oracle(chess960: bool, start: &str, choices: &[u8]) -> Vec<(Position, Chess)> {
    let mut position = Position::from_fen(start, chess960).unwrap();
    let mut chess = position.to_chess();
    let mut seen = vec![(position, chess.clone())];
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[choice as usize % moves.len()];
        chess.play_unchecked(position.to_shakmaty(m));
        position = position.play(m);
        seen.push((position, chess.clone()));
    }
    seen
}

fn starts() -> impl Strategy<Value = (bool, &'static str)> {
    prop_oneof![
        Just((false, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")),
        Just((false, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")),
        Just((false, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")),
        Just((false, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1")),
        Just((true, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")),
        Just((true, "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1")),
    ]
}

fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
    bits.sort_unstable();
    bits
}

proptest! {
    #[test]
    fn moves_and_keys_agree_with_shakmaty((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..120)) {
        for (position, chess) in walk_with_oracle(chess960, start, &choices) {
            let ours = sorted(position.legal_moves());
            let theirs = sorted(chess.legal_moves().into_iter().map(Position::from_shakmaty));
            prop_assert_eq!(&ours, &theirs, "{}", position.fen());
            prop_assert_eq!(position.fen(), Fen::from_position(&chess, EnPassantMode::Legal).to_string());
            let key: Zobrist64 = chess.zobrist_hash(EnPassantMode::Legal);
            prop_assert_eq!(position.key(), key.0);
            prop_assert_eq!(position.turn(), chess.turn());
            prop_assert_eq!(position.en_passant(), chess.legal_ep_square());
            prop_assert_eq!(position.castling_rights(), chess.castles().castling_rights());
            prop_assert_eq!(position.halfmoves(), chess.halfmoves());
            prop_assert_eq!(position.fullmoves(), chess.fullmoves().get());
            prop_assert_eq!(position.is_insufficient_material(), chess.is_insufficient_material());
            let again = Position::from_chess(&chess);
            prop_assert_eq!(position.pawn_key(), again.pawn_key());
            prop_assert_eq!(position.pawn_king_key(), again.pawn_king_key());
            prop_assert_eq!(position.minor_key(), again.minor_key());
            for color in shakmaty::Color::ALL {
                prop_assert_eq!(position.piece_key(color), again.piece_key(color));
            }
            prop_assert_eq!(position.material(), again.material());
            for color in shakmaty::Color::ALL {
                let counts = chess.board().material_side(color);
                let expected = [counts.pawn, counts.knight, counts.bishop, counts.rook, counts.queen];
                prop_assert_eq!(position.material().counts(color), expected);
            }
            for square in shakmaty::Square::ALL {
                prop_assert_eq!(position.role_at(square), chess.board().role_at(square));
                prop_assert_eq!(position.board().piece_at(square), chess.board().piece_at(square));
            }
            prop_assert_eq!(&shakmaty::Board::from(position.board()), chess.board());
            prop_assert_eq!(position.checkers(), chess.checkers());
            prop_assert_eq!(position.has_no_moves(), chess.legal_moves().is_empty());
        }
    }

    #[test]
    fn games_end_where_shakmaty_or_the_clocks_say((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..250)) {
        let mut game = GameHistory::new(Position::from_fen(start, chess960).unwrap());
        let mut seen: Vec<Zobrist64> = Vec::new();
        for choice in choices {
            let chess = game.position().to_chess();
            let key = chess.zobrist_hash(EnPassantMode::Legal);
            seen.push(key);
            let repeated = seen.iter().filter(|&&earlier| earlier == key).count() >= 3;
            let expected = match chess.outcome() {
                shakmaty::Outcome::Known(outcome) => Some(outcome),
                shakmaty::Outcome::Unknown => (repeated || chess.halfmoves() >= 100).then_some(KnownOutcome::Draw),
            };
            prop_assert_eq!(game.outcome(), expected, "{}", game.position().fen());
            if expected.is_some() {
                break;
            }
            let moves = game.position().legal_moves();
            // Mostly moves to and fro, so that positions occur again.
            let quiet: Vec<Move> = moves.iter().copied().filter(|&m| !game.position().is_noisy(m)).collect();
            let moves = if choice < 224 && !quiet.is_empty() { &quiet[..quiet.len().min(2)] } else { &moves[..] };
            game.play(moves[choice as usize % moves.len()]);
        }
    }

    #[test]
    fn any_sixteen_bits_are_checked((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
        let position = walk(chess960, start, &choices).pop().unwrap();
        let accepted = (0..=u16::MAX).map(Move::from_bits).filter(|&m| position.is_pseudo_legal(m) && position.is_legal(m));
        prop_assert_eq!(sorted(accepted), sorted(position.legal_moves()));
    }

    #[test]
    fn checks_are_found_without_moving((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
        for position in walk(chess960, start, &choices) {
            let checks = CheckSquares::of(&position);
            for m in position.legal_moves() {
                let plain = m.tag() == Some(Tag::Normal);
                let gives = position.play(m).is_check();
                prop_assert_eq!(checks.contains(&position, m), plain && gives, "{} {:?}", position.fen(), m);
            }
            if !position.is_check() {
                let (mut quiet, mut found) = (MoveList::new(), MoveList::new());
                position.generate_quiet(&mut quiet);
                position.generate_quiet_checks(&checks, &mut found);
                quiet.retain(|m| checks.contains(&position, *m));
                prop_assert_eq!(sorted(found), sorted(quiet));
            }
        }
    }

    #[test]
    fn attacked_squares_are_those_with_attackers((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
        for position in walk(chess960, start, &choices) {
            let board = position.board();
            for color in Color::ALL {
                let expected: Bitboard =
                    Square::ALL.into_iter().filter(|&to| board.attacks_to(to, color, board.occupied()).any()).collect();
                let threats = Threats::by(&position, color);
                prop_assert_eq!(threats.all, expected);
                let by = |roles: &[Role]| {
                    let pieces = roles.iter().map(|&role| position.pieces(color, role)).fold(Bitboard::EMPTY, |a, b| a | b);
                    let is_attacked = |&to: &Square| (board.attacks_to(to, color, board.occupied()) & pieces).any();
                    Square::ALL.into_iter().filter(is_attacked).collect::<Bitboard>()
                };
                prop_assert_eq!(threats.by_pawn, by(&[Role::Pawn]));
                prop_assert_eq!(threats.by_minor, by(&[Role::Pawn, Role::Knight, Role::Bishop]));
                prop_assert_eq!(threats.by_rook, by(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]));
                let lesser = |role| match role {
                    Role::Knight | Role::Bishop => by(&[Role::Pawn]),
                    Role::Rook => by(&[Role::Pawn, Role::Knight, Role::Bishop]),
                    Role::Queen => by(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook]),
                    Role::Pawn | Role::King => Bitboard::EMPTY,
                };
                let is_threatened = |&to: &Square| {
                    board.piece_at(to).is_some_and(|piece| piece.color != color && lesser(piece.role).contains(to))
                };
                prop_assert_eq!(threats.threatened, Square::ALL.into_iter().filter(is_threatened).collect::<Bitboard>());
            }
        }
    }

    #[test]
    fn exchanges_are_those_of_legal_captures((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
        for position in walk(chess960, start, &choices) {
            for m in position.legal_moves() {
                let captured = position.captured(m).map_or(0, |role| SEE_VALUE[role as usize]);
                // Pawns that promote as they retake are taken for pawns.
                let may_promote = [Rank::First, Rank::Eighth].contains(&m.to().rank());
                if !may_promote && !m.is_castle() && let Some(lost) = exchange_by_rules(&position.play(m), m.to()) {
                    let gain = captured - lost;
                    prop_assert!(position.see(m, gain) && !position.see(m, gain + 1), "{} {m:?} gains {gain}", position.fen());
                }
            }
        }
    }

    #[test]
    fn null_move_only_changes_the_turn((chess960, start) in starts(), choices in prop::collection::vec(any::<u8>(), 0..80)) {
        let position = walk(chess960, start, &choices).pop().unwrap();
        if !position.is_check() {
            let passed = position.play_null();
            let oracle = position.to_chess().swap_turn().unwrap();
            prop_assert_eq!(passed.key(), Position::from_chess(&oracle).key());
            prop_assert_eq!(passed.to_chess(), oracle);
        }
    }
}

/// What the side to move gains by captures on a square, each by a least valuable piece that may, if either side stops when
/// that is better; centipawns. `None` where it matters which of them captures.
fn exchange_by_rules(position: &Position, to: Square) -> Option<i32> {
    let standing = SEE_VALUE[position.role_at(to)? as usize];
    let captures: Vec<_> = position.legal_moves().into_iter().filter(|m| m.to() == to && !m.is_castle()).collect();
    let Some(least) = captures.iter().map(|&m| position.moving(m)).min() else { return Some(0) };
    let mut gains = captures.iter().filter(|&&m| position.moving(m) == least).map(|&m| {
        let gain = standing - exchange_by_rules(&position.play(m), to)?;
        Some(gain.max(0))
    });
    let first = gains.next()??;
    gains.all(|gain| gain == Some(first)).then_some(first)
}

#[test]
fn static_exchange_by_hand() {
    let cases = [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 100),
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
        ("4k3/8/2p5/3r4/4P3/8/8/4K3 w - - 0 1", "e4d5", 400),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2d3", -100),
        ("3rk3/8/8/3p4/8/8/8/3QK3 w - - 0 1", "d1d5", -900),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),
        ("3kr3/8/8/4p3/8/8/4R3/3KR3 w - - 0 1", "e2e5", 100),
        ("3r4/8/8/8/2r5/k7/2N5/1K6 b - - 0 1", "c4c2", -180),
        // The king may not recapture a protected piece.
        ("2r5/8/8/8/2r5/k7/2N5/1K6 b - - 0 1", "c4c2", 320),
        // The pawn and the knight are pinned.
        ("4k3/8/4p3/3n4/8/1B6/8/4R1K1 w - - 0 1", "b3d5", 320),
        ("4k3/4n3/8/3r4/8/1B6/8/4R1K1 w - - 0 1", "b3d5", 500),
        // The rook that pins the knight would leave the file.
        ("6k1/8/8/8/3pr3/2P5/4N3/4K3 w - - 0 1", "c3d4", 100),
        // The bishop opens a check, which the pawn cannot end.
        ("4k3/8/2p5/3n4/4B3/8/8/4R1K1 w - - 0 1", "e4d5", 320),
        ("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7a8q", 900),
        ("1r6/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7a8q", -100),
        ("1r6/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7b8q", 1400),
        ("1r6/P7/8/8/8/8/8/K1k5 w - - 0 1", "a7b8n", 720),
    ];
    for (fen, text, gain) in cases {
        let position = Position::from_fen(fen, false).unwrap();
        let m = position.parse_move(text).unwrap();
        assert!(position.see(m, gain), "{fen} {text} gains {gain}");
        assert!(!position.see(m, gain + 1), "{fen} {text} gains no more than {gain}");
    }
}

#[test]
fn impossible_positions_are_refused_with_a_reason() {
    let cases = [
        ("8/8/8/8/8/8/8/8 w - - 0 1", "empty board"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "missing king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "too many kings"),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "pawns on backrank"),
        ("k6R/8/8/8/8/8/8/K7 w - - 0 1", "opposite check"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "castling"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "ep square"),
        ("rnbqkbnr/pppppppp/8/7n/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "33 pieces"),
        ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "malformed"),
        ("hello", "malformed"),
        ("", "malformed"),
    ];
    for (fen, reason) in cases {
        let error = Position::from_fen(fen, false).unwrap_err().to_string();
        assert!(error.contains(reason), "{fen}: {error}");
        assert!(error.contains(&format!("'{fen}'")) && !error.contains('\n'));
    }
}

#[test]
fn unreachable_positions_are_played() {
    for fen in [
        "QQQQQQQQ/QQ6/8/8/7k/5K2/8/8 b - - 0 1",
        "4k3/8/8/1B2N3/8/8/4R3/4K3 b - - 0 1",
        "RRRRRRRR/RRRRRR2/8/8/8/5k2/8/K7 b - - 0 1",
    ] {
        let position = Position::from_fen(fen, false).unwrap();
        let oracle = position.to_chess().legal_moves();
        assert_eq!(position.legal_moves().len(), oracle.len(), "{fen}");
    }
}
