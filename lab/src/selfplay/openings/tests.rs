use super::*;
use rand::SeedableRng;
use shakmaty::{CastlingSide, Color, Position as _};
use std::collections::HashSet;
use std::fs;
use tempfile::TempDir;

fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn load(name: &str, text: &str, chess960: bool) -> Result<Openings, String> {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, text).unwrap();
    let prefix = format!("{}/", directory.path().display());
    Openings::new(&OpeningSource::File(path), chess960, &mut rng(7))
        .map_err(|error| format!("{error:#}").replace(&prefix, ""))
}

fn fens(openings: &Openings, numbers: std::ops::Range<u64>) -> Vec<String> {
    numbers.map(|number| openings.draw(number, &mut rng(number)).unwrap().0.fen()).collect()
}

#[test]
fn sources_are_read_from_the_command_line() {
    assert_eq!("random:8".parse::<OpeningSource>().unwrap(), OpeningSource::Random(8));
    assert_eq!("book.epd".parse::<OpeningSource>().unwrap(), OpeningSource::File("book.epd".into()));
    for text in ["random:", "random:x", "random:0", "random:61", "random:-1", ""] {
        assert!(text.parse::<OpeningSource>().unwrap_err().contains(text));
    }
}

#[test]
fn random_moves_alternate_the_side_to_move() {
    let openings = Openings::new(&OpeningSource::Random(5), false, &mut rng(1)).unwrap();
    for number in 0..20 {
        let (position, plies) = openings.draw(number, &mut rng(number)).unwrap();
        assert_eq!(plies, 5 + number % 2);
        assert_eq!(position.turn(), if number % 2 == 0 { Color::Black } else { Color::White });
    }
    assert_eq!(fens(&openings, 0..20).into_iter().collect::<HashSet<_>>().len(), 20);
}

#[test]
fn all_960_start_positions_are_there() {
    let starts = chess960_starts();
    let fens: HashSet<String> = starts.iter().map(|start| Position::from_chess(start).fen()).collect();
    assert_eq!(fens.len(), CHESS960_STARTS);
    for start in &starts {
        let [first, last] = [shakmaty::Rank::First, shakmaty::Rank::Eighth].map(shakmaty::Bitboard::from_rank);
        assert_eq!((start.board().occupied() & (first | last)).count(), 16);
        assert!(Color::ALL.iter().all(|&color| CastlingSide::ALL.iter().all(|&side| start.castles().has(color, side))));
        let bishops = start.board().bishops() & first;
        assert_eq!((bishops & shakmaty::Bitboard::DARK_SQUARES).count(), 1);
    }
}

#[test]
fn lines_of_all_kinds_are_read() {
    let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7\n\n\
                rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\r\n\
                rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - bm e5; id \"3 4\";\n\
                rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1;0.5\n";
    let openings = load("book.epd", text, false).unwrap();
    let first: HashSet<String> = fens(&openings, 0..4).into_iter().collect();
    let expected = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 3 7",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
    ];
    assert_eq!(first, expected.map(str::to_owned).into_iter().collect());
    // Each further round has one more random move.
    for (number, turn) in [(0, Color::Black), (4, Color::White), (11, Color::Black)] {
        let (position, plies) = openings.draw(number, &mut rng(number)).unwrap();
        assert_eq!((position.turn(), plies), (turn, number / 4));
    }
    assert!(openings.label().starts_with("book.epd, 4 positions, CRC-32 "));
}

#[test]
fn the_same_opening_comes_once_a_round() {
    let (first, other) = ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/8/8/4k3/8/8/3P4/4K3 w - - 0 1");
    let openings = load("book.epd", &format!("{first}\n{}\n{other}\n", first.replace("0 1", "3 9")), false).unwrap();
    let found: HashSet<String> = fens(&openings, 0..2).into_iter().collect();
    assert_eq!(found, [first, other].map(str::to_owned).into_iter().collect());
    assert_eq!(openings.draw(2, &mut rng(2)).unwrap().1, 1);
}

#[test]
fn games_are_played_to_their_ends() {
    let text = "[Event \"?\"]\n[Result \"1-0\"]\n\n1. e4 {king's pawn} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n\n\
                [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 9\"]\n\n9. e4 *\n";
    let found: HashSet<String> = fens(&load("book.pgn", text, false).unwrap(), 0..2).into_iter().collect();
    let expected =
        ["rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 9"];
    assert_eq!(found, expected.map(str::to_owned).into_iter().collect());
}

#[test]
fn chess960_books_need_the_option() {
    let text = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n";
    assert!(load("book.epd", text, true).is_ok());
    let error = load("book.epd", text, false).err().unwrap();
    assert!(error.starts_with("book.epd: no opening in it; book.epd: line 1: "), "{error}");
    assert!(error.ends_with("; Chess960 needs its tag or option"), "{error}");
    let tagged =
        "[Variant \"Chess960\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n*";
    assert!(load("book.pgn", tagged, false).is_ok());
}

#[test]
fn openings_that_are_broken_or_over_are_left_out() {
    let good = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - -\n";
    for (name, text, count) in [
        ("a.epd", format!("# book\n{good}8/8 w\n{good}"), 2),
        ("b.epd", format!("{good}{over}"), 1),
        ("c.pgn", "1. e4 e5 2. Ke3 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. d4 *\n".to_owned(), 1),
        ("d.txt", "[Event \"a\"]\n\n1. d4 *\n".to_owned(), 1),
        ("e.pgn", "[Variant \"Atomic\"]\n\n1. Nf3 *\n\n1. d4 *\n".to_owned(), 1),
    ] {
        let openings = load(name, &text, false).unwrap();
        assert!(openings.label().starts_with(&format!("{name}, {count} positions, ")), "{}", openings.label());
    }
}

#[test]
fn files_without_openings_are_errors_that_name_the_place() {
    let cases = [
        ("a.epd", "\n8/8 w\n".to_owned(), "a.epd: no opening in it; a.epd: line 2: malformed FEN '8/8 w'"),
        (
            "b.epd",
            "7k/5Q2/6K1/8/8/8/8/8 b - -\n".to_owned(),
            "b.epd: no opening in it; b.epd: line 1: the game is over in '7k",
        ),
        ("c.epd", "\n \n".to_owned(), "c.epd: no opening in it"),
        (
            "d.pgn",
            "1. e4 e5 2. Ke3 *\n".to_owned(),
            "d.pgn: no opening in it; d.pgn: game 1, line 1: move 2. Ke3 is illegal in '",
        ),
        (
            "e.pgn",
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n".to_owned(),
            "e.pgn: no opening in it; e.pgn: game 1, line 1: ",
        ),
        ("f.pgn", String::new(), "f.pgn: no opening in it"),
        ("g.doc", "x".to_owned(), "'g.doc' holds neither games nor positions"),
    ];
    for (name, text, expected) in cases {
        let error = load(name, &text, false).err().unwrap();
        assert!(error.starts_with(expected) && !error.contains('\n'), "{error}");
    }
    let missing = Openings::new(&OpeningSource::File("no/book.epd".into()), false, &mut rng(1)).err().unwrap();
    assert!(format!("{missing:#}").starts_with("cannot read 'no/book.epd': "));
}
