use super::*;
use crate::writing::NewFile;
use proptest::prelude::*;
use std::fs;
use tempfile::TempDir;

const STARTS: [&str; 7] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 19",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 63 140",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    // Rooks beyond the ones that may castle.
    "1r2k1rr/8/8/8/8/8/8/RR2K1RR b BGbg - 0 1",
];

/// A game of moves picked by `choices`, with made-up scores and result.
fn game(start: &str, choices: &[u8], result: usize, ending: usize) -> Game {
    let start = Position::from_fen(start, true).unwrap();
    let mut position = start;
    let mut plies = Vec::new();
    for (index, &choice) in choices.iter().enumerate() {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() >= 100 {
            break;
        }
        let m = moves[usize::from(choice) % moves.len()];
        plies.push(Ply { m, eval: Eval((usize::from(choice) * 257 + index) as u16 as i16) });
        position = position.play(m);
    }
    let (outcome, ending) = (format::OUTCOMES[result], format::ENDINGS[ending]);
    Game { start, plies, outcome, ending }
}

fn some_games(count: usize) -> Vec<Game> {
    let choices = |seed: usize| (0..60).map(|i| (i * 37 + seed * 101) as u8).collect::<Vec<_>>();
    (0..count).map(|i| game(STARTS[i % STARTS.len()], &choices(i), i % 3, i % 6)).collect()
}

fn bytes_of(games: &[Game]) -> Vec<u8> {
    let mut bytes = Vec::new();
    games.iter().for_each(|game| encode(game, &mut bytes).unwrap());
    bytes
}

fn read_bytes(bytes: &[u8]) -> (Vec<Game>, Option<String>, bool) {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("games");
    fs::write(&path, bytes).unwrap();
    let mut reader = match read(&path) {
        Ok(reader) => reader,
        Err(error) => return (Vec::new(), Some(format!("{error:#}")), false),
    };
    let mut games = Vec::new();
    let mut failure = None;
    for game in &mut reader {
        match game {
            Ok(game) => games.push(game),
            Err(error) => failure = Some(error.to_string()),
        }
    }
    assert!(reader.next().is_none());
    (games, failure, reader.truncated())
}

fn assert_same(left: &Game, right: &Game) {
    assert_eq!(left.start.fen(), right.start.fen());
    assert_eq!(left.start.key(), right.start.key());
    assert_eq!(left.plies, right.plies);
    assert_eq!(left.outcome, right.outcome);
    assert_eq!(left.ending, right.ending);
}

proptest! {
    #[test]
    fn games_survive_and_the_format_is_that_of_the_crate(
        start in prop::sample::select(&STARTS[..]),
        choices in prop::collection::vec(any::<u8>(), 0..150),
        result in 0..3usize,
        ending in 0..6usize,
    ) {
        let game = game(start, &choices, result, ending);
        let bytes = bytes_of(std::slice::from_ref(&game));
        let mut raw = Vec::new();
        let read = format::decode(&mut bytes.as_slice(), &mut raw).ok().unwrap();
        prop_assert_eq!(&raw, &bytes);
        assert_same(&game, &read);

        // Here, with debug assertions, the crate checks that the moves are legal.
        let theirs = viriformat::dataformat::Game::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
        prop_assert_eq!(theirs.len(), game.plies.len());
        let mut evals = Vec::new();
        theirs.visit_positions(|board, eval| evals.push((u32::from(board.fifty_move_counter()), eval)));
        let ours: Vec<_> =
            game.positions().map(|(position, ply)| (position.halfmoves(), i32::from(ply.eval.centipawns()))).collect();
        prop_assert_eq!(evals, ours);
    }

    #[test]
    fn any_bytes_are_read_without_panic(
        mut bytes in Just(bytes_of(&some_games(7))),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        length in any::<prop::sample::Index>(),
    ) {
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        bytes.truncate(length.index(bytes.len() + 1));
        let mut input = bytes.as_slice();
        while let Ok(game) = format::decode(&mut input, &mut Vec::new()) {
            prop_assert!(game.positions().all(|(position, ply)| position.legal_moves().contains(&ply.m)));
        }
    }

    #[test]
    fn noise_is_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut input = bytes.as_slice();
        while format::decode(&mut input, &mut Vec::new()).is_ok() {}
    }
}

#[test]
fn every_truncation_drops_the_last_game_alone() {
    let games = some_games(3);
    let bytes = bytes_of(&games);
    let ends: Vec<usize> = (1..=3).map(|count| bytes_of(&games[..count]).len()).collect();
    for length in (1..bytes.len()).step_by(7).chain(ends.clone()) {
        let (read, failure, truncated) = read_bytes(&bytes[..length]);
        let whole = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(read.len(), whole, "{length}");
        assert_eq!(truncated, !ends.contains(&length), "{length}");
        assert_eq!(failure.is_some(), whole == 0, "{length}");
        read.iter().zip(&games).for_each(|(left, right)| assert_same(left, right));
    }
}

#[test]
fn corruption_is_reported_with_its_place() {
    let games = some_games(2);
    let first = bytes_of(&games[..1]).len();
    let good = bytes_of(&games);
    let cases: [(usize, &[u8], usize, &str); 8] = [
        (first, &[255; 8], first, "64 pieces"),
        (first + 8, &[0xff], first + 8, "piece code 15 on a1"),
        (first + 8, &[0x55], first, "kings"),
        (first + 24, &[65], first + 24, "en passant square 65"),
        (first + 24, &[0], first, "ep square"),
        (first + 30, &[3], first + 30, "result 3"),
        (first + 36, &[0, 0, 1, 0], first + 36, "illegal move a1a1"),
        (first + 36, &[0x0c, 0x07], first + 36, "illegal move e2e4"),
    ];
    for (at, change, offset, reason) in cases {
        let mut bytes = good.clone();
        bytes[at..at + change.len()].copy_from_slice(change);
        let (read, failure, _) = read_bytes(&bytes);
        let failure = failure.unwrap();
        assert_eq!(read.len(), 1);
        assert!(
            failure.contains(&format!("games: corrupt at byte {offset}: ")) && failure.contains(reason),
            "{failure}"
        );
        assert!(!failure.contains('\n') && !failure.contains("dataset"), "{failure}");
    }
}

#[test]
fn files_of_another_kind_are_doubted() {
    let failure = read_bytes(&b"[Event \"Casual game\"]\n".repeat(9)).1.unwrap();
    assert!(failure.ends_with("on a2 (is it a dataset of `datagen`?)"), "{failure}");
}

#[test]
fn empty_and_missing_files_are_reported() {
    assert!(read_bytes(&[]).1.unwrap().ends_with("games: not one whole game in it"));
    let missing = format!("{:#}", read(Path::new("no/such/file")).err().unwrap());
    assert!(missing.starts_with("no/such/file: "), "{missing}");
}

#[test]
fn compressed_files_are_read_and_nothing_is_overwritten() {
    let directory = TempDir::new().unwrap();
    let games = some_games(20);
    for name in ["games", "games.gz", "games.zst"] {
        let path = directory.path().join(name);
        let mut file = NewFile::create(&path).unwrap();
        file.write(&bytes_of(&games)).unwrap();
        file.finish().unwrap();
        let read_games: Vec<Game> = read(&path).unwrap().map(Result::unwrap).collect();
        assert_eq!(read_games.len(), games.len());
        read_games.iter().zip(&games).for_each(|(left, right)| assert_same(left, right));
        assert!(NewFile::create(&path).is_err());

        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 20]).unwrap();
        // Zstandard comes block by block, and this is one.
        if name == "games.zst" {
            assert!(read(&path).is_err());
            continue;
        }
        let mut reader = read(&path).unwrap();
        assert!(reader.all(|game| game.is_ok()));
        assert!(reader.truncated());
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut game = some_games(1).remove(0);
    game.plies.push(Ply { m: Move::NONE, eval: Eval::default() });
    let refused = |game: &Game| encode(game, &mut Vec::new()).unwrap_err().to_string();
    assert!(refused(&game).contains("null move"));
    game.start = Position::from_fen("8/8/4k3/8/8/3K4/8/5B2 w - - 300 1", false).unwrap();
    assert!(refused(&game).contains("halfmove clock 300"));
}

#[test]
fn evals_are_whites_and_keep_mates_apart() {
    let better = Score::heuristic(200, -100);
    assert_eq!(Eval::of(better, Color::Black).centipawns(), -Eval::of(better, Color::White).centipawns());
    assert_eq!(Eval::of(Score::mate_in(3), Color::White).centipawns(), 31_997);
    assert_eq!(Eval::of(Score::mate_in(3), Color::Black).centipawns(), -31_997);
    assert_eq!(Eval::of(Score::mated_in(4), Color::White).centipawns(), -31_996);
    assert_eq!(Eval::of(Score::tablebase_win(5), Color::Black).centipawns(), -19_995);
    assert!(Eval::of(Score::tablebase_win(5), Color::Black).is_exact() && !Eval::of(better, Color::White).is_exact());
    let eval = Eval::of(better, Color::White);
    assert!((eval.expected() - better.expected()).abs() < 0.001);
    assert_eq!(eval.for_color(Color::Black), -i32::from(eval.centipawns()));
}
