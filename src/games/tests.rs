use super::*;
use shakmaty::{KnownOutcome, Position as _};
use std::fs;
use std::io::{BufReader, Read as _};
use std::path::Path;
use std::time::Duration;

mod kinds;

type Game = Result<GameRecord, BrokenGame>;

/// The games of a text, by any size of the read buffer.
fn read_bytes(text: &[u8]) -> Vec<Game> {
    let read = |capacity| -> Vec<GameText> {
        GameTexts::new(BufReader::with_capacity(capacity, text)).map(Result::unwrap).collect()
    };
    let texts = read(1 << 16);
    assert_eq!(texts, read(7));
    texts.iter().map(|text| text.parse(&ReadOptions::default())).collect()
}

fn read(text: &str) -> Vec<Game> {
    read_bytes(text.as_bytes())
}

fn case(name: &str) -> Vec<u8> {
    fs::read(Path::new("tests/data/cases").join(name)).unwrap()
}

fn outcome(game: &GameRecord) -> &'static str {
    game.outcome.map_or("*", KnownOutcome::as_str)
}

/// Each game in short: plies, evaluations, result, what keeps it from counting, and warnings; or its fault.
fn short(games: &[Game]) -> Vec<String> {
    let evaluated = |game: &GameRecord| game.moves.iter().filter(|m| m.remarks.evaluation.is_some()).count();
    let short = |game: &Game| match game {
        Ok(game) => {
            let exclusion = game.exclusion.map_or(String::new(), |exclusion| format!(", {exclusion}"));
            let conflict = if game.conflict.is_some() { ", conflict" } else { "" };
            let warnings: String = game.warnings.iter().map(|warning| format!(", {warning}")).collect();
            format!("{}/{} {}{exclusion}{conflict}{warnings}", game.moves.len(), evaluated(game), outcome(game))
        }
        Err(broken) => broken.to_string(),
    };
    games.iter().map(short).collect()
}

#[test]
fn all_cases_are_read() {
    let german = "game 1, line 6: 'Sf3' is no move";
    let unterminated = "game 1, line 6: unterminated comment";
    for (name, expected) in [
        ("quotes-in-tag.pgn", &["5/5 1-0", "2/2 0-1"][..]),
        ("space-before-tags.pgn", &["2/2 1-0", "2/2 0-1"]),
        ("blank-line-and-tags-in-comment.pgn", &["4/4 1-0"]),
        ("headerless-second-game.pgn", &["2/2 1-0", "2/2 0-1"]),
        ("ep-suffix.pgn", &["6/6 1-0", "6/6 1-0"]),
        ("promotion-as-last-move.pgn", &["3/3 1-0"]),
        ("german-letters.pgn", &[german]),
        ("result-only-in-movetext.pgn", &["4/4 1-0", "4/4 0-1"]),
        ("result-mismatch.pgn", &["4/4 1-0, conflict", "4/4 1-0, conflict"]),
        ("time-forfeit.pgn", &["3/3 1-0, lost on time"]),
        ("spaces-in-comments.pgn", &["6/6 1-0"]),
        ("no-movetext-then-game.pgn", &["0/0 *, without a result", "2/2 1-0"]),
        (
            "variant-names.pgn",
            &["2/2 1-0", "2/2 1-0", "0/0 1-0, of other variants", "0/0 1-0, of other variants", "2/2 1-0"],
        ),
        ("semicolon-lines-between-games.pgn", &["4/4 0-1", "3/3 1/2-1/2"]),
        ("unterminated-brace.pgn", &[unterminated, "2/2 0-1", "2/2 1/2-1/2"]),
    ] {
        assert_eq!(short(&read_bytes(&case(name))), expected, "{name}");
    }
    let long = read_bytes(&case("long-tag-minimal.pgn"));
    assert_eq!(long.len(), 322);
    assert!(long.iter().all(|game| game.as_ref().is_ok_and(|game| game.moves.len() == 2 && game.outcome.is_some())));
    let second = &read_bytes(&case("no-movetext-then-game.pgn"))[1];
    assert_eq!(second.as_ref().unwrap().start, shakmaty::Chess::default());
    for name in ["bom-crlf.txt", "no-space-before-semicolon.epd"] {
        let text = case(name);
        let lines: Vec<_> = LineTexts::new(text.as_slice()).map(Result::unwrap).collect();
        assert!(lines.len() == 2 && lines.iter().all(|line| line.parse(CastlingRights::Chess).is_ok()), "{name}");
    }
}

#[test]
fn games_are_separated() {
    for (text, expected) in [
        // Several on a line, with results glued to moves.
        (
            "[A \"b\"] 1. e4 e51-0 1. d4 d5 1/2 [A \"c\"] 1.c4*\n",
            &["2/0 1-0", "2/0 1/2-1/2", "1/0 *, without a result"][..],
        ),
        // What stands behind a result belongs to the game before, on its line.
        ("1. e4 1-0 {+0.3/1} $1 (1. d4) ; x\n; y\n1. d4 d5 0-1\n", &["1/0 1-0", "2/0 0-1"]),
        ("1. e4 1-0\n{first} 1. d4 0-1", &["1/0 1-0", "1/0 0-1"]),
        // No empty line anywhere.
        ("[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 d5 0-1", &["1/0 1-0", "2/0 0-1"]),
        ("[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4 d5 0-1", &["1/0 *, without a result", "2/0 0-1"]),
        // Empty lines everywhere.
        (
            "[Event \"a\"]\n\n[Result \"1-0\"]\n\n1. e4\n\ne5\n\n2. d4\n\n1-0\n\n[Event \"b\"]\n\n1. c4",
            &["3/0 1-0", "1/0 *, without a result"],
        ),
        // Games without moves.
        ("[Event \"a\"]\n[Result \"1-0\"]\n\n[Event \"b\"]\n[Result \"*\"]\n\n0-1", &["0/0 1-0", "0/0 0-1"]),
        (
            "[White \"a\"]\n[FEN \"x\"]\n\n[White \"b\"]\n\n1. e4 1-0",
            &["game 1, line 2: malformed FEN 'x': invalid board part in fen", "1/0 1-0"],
        ),
        // Tags in one line; one that is named twice.
        ("[Event \"a\"] [Result \"0-1\"] [ECO \"x\"]\n[ECO \"y\"]\n1. e4", &["1/0 0-1"]),
        // Tabs, escapes and comments.
        (
            "\t[Event\t\"a\"]\t\n% [Event \"b\"]\n{c} ; [Event \"d\"]\n1. e4\t; e5 {\n1... d5 1-0\n%\n\u{1a}",
            &["2/0 1-0"],
        ),
        // A brace in a tag, results in comments and variations.
        ("[Event \"{\"]\n[Result \"1-0\"]\n\n1. e4 {0-1} (1. d4 0-1 (1. c4 *) {)} 0-1) e5 1-0", &["2/0 1-0"]),
        // Joined files.
        ("\u{feff}1. e4 1-0\r\n\u{feff}[Event \"b\"]\r\n\r\n1. d4\r\n0-1\r\n", &["1/0 1-0", "1/0 0-1"]),
        ("", &[]),
        (" \n; nothing\n% nothing\n{nothing}\n", &[]),
    ] {
        assert_eq!(short(&read(text)), expected, "{text}");
    }
}

#[test]
fn comments_may_hold_games() {
    for (text, expected) in [
        ("1. e4 {a {b} c} e5 1-0", &["2/0 1-0"][..]),
        ("1. e4 {:-{ } e5 {x} 1-0\n\n[Event \"b\"]\n\n1. d4 {y} 1-0", &["2/0 1-0", "1/0 1-0"]),
        ("1. e4 {\n\n[Event \"x\"]\n\n1. d4 {good} 0-1\n} e5 1-0\n\n1. c4 1-0", &["2/0 1-0", "1/0 1-0"]),
        ("1. e4 {\n[Event \"x\"]\n[Event \"y\"]\n1. d4 0-1\n} e5 1-0", &["2/0 1-0"]),
        // Without an end: the tags, or the next first move, end the game.
        ("1. e4 {a\n\n[Event \"b\"]\n\n1. d4 d5 0-1\n", &["game 1, line 1: unterminated comment", "2/0 0-1"]),
        (
            "1. e4 {a {b 1-0\n[Event \"b\"]\n\n1. d4 {c} d5 {d} 0-1\n\n[Event \"c\"]\n1. c4 *",
            &["game 1, line 1: unterminated comment", "2/0 0-1", "1/0 *, without a result"],
        ),
        ("1. e4 {a 1-0\n\n1. d4 {b} d5 0-1", &["game 1, line 1: unterminated comment", "2/0 0-1"]),
        ("1. d4 d5 1-0\n1. e4 e5 {cut off", &["2/0 1-0", "game 2, line 2: unterminated comment"]),
        ("{cut off", &["game 1, line 1: unterminated comment"]),
    ] {
        assert_eq!(short(&read(text)), expected, "{text}");
    }
}

#[test]
fn every_word_is_a_move_or_named() {
    for (moves, expected) in [
        ("1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O", "7/0 1-0"),
        ("1 e4 1... e5 2. ... ", "2/0 1-0"),
        ("1.e4!? e5?! 2. Nf3 ! $1$2 Nc6 ?? += N", "4/0 1-0"),
        ("e2e4 e7-e5 Ng1-f3 b8c6 Bf1b5 a7a6 e1g1", "7/0 1-0"),
        ("1. e4 e5 2. f4 exf4 3. g4 fxg3ep 4. hxg3 h5", "8/0 1-0"),
        ("1. e4 e5 2. f4 exf4 3. g4 fxg3 e.p.", "6/0 1-0"),
        ("1. e4 e5 e.p.", "game 1, line 3: 'e.p.' is no move"),
        ("1. e4 e5 2. Sf3", "game 1, line 3: 'Sf3' is no move"),
        ("1. e4 e5\n2. nf3", "game 1, line 4: 'nf3' is no move"),
        ("1. e4 --", "game 1, line 3: '--' is a null move"),
        ("1. e4 Z0", "game 1, line 3: 'Z0' is a null move"),
        ("1. e4 0000", "game 1, line 3: '0000' is a null move"),
        ("1. e4 e5 2. Nf", "game 1, line 3: 'Nf' is no move"),
        ("1. e4 mistake e5", "game 1, line 3: 'mistake' is no move"),
        ("1. e4 } e5", "game 1, line 3: '}' is no move"),
        ("1. e4 ) e5", "game 1, line 3: ')' is no move"),
        ("1. e4 [%clk 0:01]", "game 1, line 3: '[%clk' is no move"),
        ("1. e4 $ e5", "game 1, line 3: '$' is no move"),
        ("1. e4 (1. d4 (1. c4) d5", "game 1, line 3: unterminated variation"),
        (
            "1. e4 e5 2. Ke3",
            "game 1, line 3: move 2. Ke3 is illegal in 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'",
        ),
        (
            "1. e4 e4",
            "game 1, line 3: move 1... e4 is illegal in 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'",
        ),
        ("1. e4 (1. Sf3 xyz {x}) e5", "2/0 1-0"),
    ] {
        assert_eq!(short(&read(&format!("[Result \"1-0\"]\n\n{moves}\n"))), [expected], "{moves}");
    }
    let long = format!("1. e4 {} 1-0", "x".repeat(2_000_000));
    assert!(short(&read(&long))[0].ends_with("xx…' is no move"));
    assert_eq!(short(&read("seed = 9\n")), ["game 1, line 1: 'seed' is no move"]);
    assert_eq!(short(&read("1-0\n\n1. e4 *")), ["game 1, line 1: neither tags nor moves", "1/0 *, without a result"]);
    assert_eq!(
        short(&read("[WhiteElo 2100]\n[Event \"x\"]\n1. e4 *")),
        ["1/0 *, without a result, line 1: malformed tag '[WhiteElo 2100]' left out"]
    );
    assert_eq!(
        short(&read("[A \"b\"]\n[Event \"x]\n\n1. e4 *")),
        ["1/0 *, without a result, line 2: malformed tag '[Event \"x]' left out"]
    );
}

#[test]
fn results_count_by_one_rule() {
    for (tags, moves, expected) in [
        ("[Result \" 1-0 \"]", "1. e4", "1/0 1-0"),
        ("[Result \"½-½\"]", "1. e4 1/2", "1/0 1/2-1/2"),
        ("[Result \"0.5-0.5\"]", "1. e4", "1/0 1/2-1/2"),
        ("[Result \"?\"]", "1. e4 0-1", "1/0 0-1"),
        ("[Result \"1-0\"]", "1. e4 *", "1/0 1-0, conflict"),
        ("[Result \"*\"]", "1. e4 1-0", "1/0 1-0"),
        ("[Result \"1-0\"][Termination \"Abandoned\"]", "1. e4 1-0", "1/0 1-0, abandoned"),
        ("[Result \"1-0\"][Termination \"unterminated\"]", "1. e4 1-0", "1/0 1-0, broken off"),
        ("[Result \"0-1\"]", "1. e4 {+1/1 1s} e5 { Black wins on time. } 0-1", "2/1 0-1, lost on time"),
        ("[Result \"0-1\"]", "1. e4 {+1/1 1s, White loses on time} 0-1", "1/1 0-1, lost on time"),
        ("[Result \"0-1\"]", "1. e4 0-1 {White disconnects}", "1/0 0-1, abandoned"),
        ("[Result \"0-1\"]", "1. e4 {nearly lost on time} e5 0-1", "2/0 0-1"),
        ("[Result \"1/2-1/2\"]", "1. e4 {I almost lost on time here, draw agreed} 1/2-1/2", "1/0 1/2-1/2"),
    ] {
        assert_eq!(short(&read(&format!("{tags}\n\n{moves}"))), [expected], "{tags} {moves}");
    }
    let games = read("[Result \"1-0\"]\n1. e4 0-1");
    let conflict = games[0].as_ref().unwrap().conflict.unwrap();
    assert_eq!(conflict.to_string(), "the tag says 1-0, but the moves end with 0-1; the tag counts");
}

#[test]
fn tags_and_remarks_are_kept() {
    let games = read(
        "[White \"A \\\"1\\\"\"]\n[Result \"0-1\"]\n[WhiteElo \"2100\"]\n[BlackElo \"?\"]\n[SetUp \"0\"]\n\n{before} 1. f3 {+0.10/3 0s} \
         (1. e4 {+0.2/3}) e5 {a} {b} 2. g4 $4 {-2.00/9\n1s} {[%clk 0:01:00] [%eval -9.5]} 2... Qh4# {+M1/2 0s, Black mates} 0-1",
    );
    let game = games[0].as_ref().unwrap();
    assert_eq!(game.tags.get("White"), Some("A \"1\""));
    assert_eq!((game.tags.white_elo(), game.tags.black_elo()), (Some(2100), None));
    let evaluations: Vec<_> = game.moves.iter().map(|m| m.remarks.evaluation).collect();
    let pawns = |pawns| Some(CommentEval::Pawns(pawns));
    assert_eq!(evaluations, [pawns(0.1), None, pawns(-2.0), Some(CommentEval::Mate { wins: true, distance: 1 })]);
    let remarks = game.moves[2].remarks;
    assert_eq!(remarks.evaluation_after, pawns(-9.5));
    assert_eq!((remarks.clock, remarks.elapsed), (Some(Duration::from_secs(60)), Some(Duration::from_secs(1))));
    let latin = read_bytes(b"[White \"M\xfcller\"]\n\n1. e4 {sch\xf6n} e5 1-0");
    assert_eq!(latin[0].as_ref().unwrap().tags.get("White"), Some("Müller"));
}

#[test]
fn first_positions_are_set_up() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let parse = |tags: &str, options: &ReadOptions<'_>| {
        let text = format!("{tags}[FEN \"{fen}\"]\n\n9. c4 *");
        GameTexts::new(text.as_bytes()).next().unwrap().unwrap().parse(options).map_err(|broken| broken.to_string())
    };
    let plain = ReadOptions::default();
    let error = parse("[A \"b\"]\n", &plain).unwrap_err();
    assert!(error.starts_with("game 1, line 2: illegal position: invalid castling rights"), "{error}");
    assert!(error.ends_with("; Chess960 needs its tag or option"), "{error}");
    assert!(parse("[Variant \"wild/fr\"]\n", &plain).is_ok());
    let game = parse("", &ReadOptions { chess960: true, ..plain }).unwrap();
    assert_eq!((game.start.fullmoves().get(), game.moves.len()), (9, 1));
    let later = |fen: &str| Ok(fen.replace("2 9", "4 11"));
    let options = ReadOptions { chess960: true, replace_fen: Some(&later), ..plain };
    assert_eq!(parse("", &options).unwrap().start.fullmoves().get(), 11);
    let unknown = |_: &str| Err("not in the book".to_owned());
    let options = ReadOptions { chess960: true, replace_fen: Some(&unknown), ..plain };
    assert_eq!(parse("", &options).unwrap_err(), "game 1, line 1: not in the book");
    for (variant, expected) in [
        ("Standard", "2/0 1-0"),
        ("From Position", "2/0 1-0"),
        ("?", "2/0 1-0"),
        ("Antichess", "0/0 *, of other variants"),
        ("King of the Hill", "0/0 *, of other variants"),
        ("wild/5", "0/0 *, of other variants"),
    ] {
        assert_eq!(short(&read(&format!("[Variant \"{variant}\"]\n\n1. e4 e5 1-0"))), [expected], "{variant}");
    }
}

#[test]
fn lines_are_read_in_all_forms() {
    let parse = |text: &str| {
        let line = LineTexts::new(text.as_bytes()).next().unwrap().unwrap();
        let line = line.parse(CastlingRights::Either).map_err(|broken| broken.to_string())?;
        let fen = crate::position::Position::from_chess(&line.position).fen();
        Ok::<_, String>((fen, line.outcome.map_or("-", KnownOutcome::as_str), line.centipawns))
    };
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20";
    let short = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    let fresh = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1";
    for (text, expected) in [
        (format!("{fen};1-0"), (fen, "1-0", None)),
        (format!("{fen} ; 0.5 ;A;B"), (fen, "1/2-1/2", None)),
        (format!("\u{feff}{fen} [0.0]\r\n"), (fen, "0-1", None)),
        (format!("{short};1"), (fresh, "1-0", None)),
        (format!("{short} ; bm Kd7; \0\n"), (fresh, "-", None)),
        (format!("{short} - ; bm Kd7;"), (fresh, "-", None)),
        (format!("\0{short} ; c9 1-0; id x\0\0\r\n"), (fresh, "1-0", None)),
        (format!("{fen};1-0\u{7f}\u{1a}"), (fen, "1-0", None)),
        (short.to_owned(), (fresh, "-", None)),
        (format!("{fen};bm Kd7"), (fen, "-", None)),
        (format!("{short};bm Kd7; id \"a; c9 1-0\";"), (fresh, "-", None)),
        (format!("{short} c9 \"1-0\"; hmvc 3; fmvn 20;"), (fen, "1-0", None)),
        (format!("{short} hmvc 3; ce -45; fmvn 20; id \"x; y\"; c9 \"1/2-1/2\";"), (fen, "1/2-1/2", Some(-45.0))),
        (format!("# note\n\n{fen} c9 \"0-1\""), (fen, "0-1", None)),
        (
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1;1".to_owned(),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "1-0", None),
        ),
    ] {
        let (fen, outcome, centipawns) = expected;
        assert_eq!(parse(&text), Ok((fen.to_owned(), outcome, centipawns)), "{text}");
    }
    for (text, expected) in [
        (format!("{fen};2-0"), "line 1: '2-0' is no result and no operation of EPD"),
        ("\n4k3/8/8/9/8/8/4P3/4K3 b - -;1-0".into(), "line 2: malformed FEN"),
        ("8/8/8/8/8/8/4P3/4K3 b - - 0 1;1-0".into(), "line 1: illegal position: missing king"),
        ("nonsense".into(), "line 1: malformed FEN 'nonsense'"),
        ("8/8 w".into(), "line 1: malformed FEN '8/8 w'"),
    ] {
        let error = parse(&text).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let epd = format!("{short} bm Kd7 Kf7; id \"a; b\"; c0 \"c\";");
    let line = LineTexts::new(epd.as_bytes()).next().unwrap().unwrap().parse(CastlingRights::Chess).unwrap();
    let operations: Vec<_> = line.operations.iter().map(|(code, operand)| (code.as_str(), operand.as_str())).collect();
    assert_eq!(operations, [("bm", "Kd7 Kf7"), ("id", "a; b"), ("c0", "c")]);
    let error = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1";
    let line = LineTexts::new(error.as_bytes()).next().unwrap().unwrap().parse(CastlingRights::Chess);
    assert!(line.unwrap_err().to_string().ends_with("; Chess960 needs its tag or option"));
}

#[test]
fn endless_games_do_not_hide_others() {
    let text = format!("1. d4 *\n1. e4 {}\n[Event \"x\"]\n\n1. c4 1-0\n", "Nf3 Nf6 Ng1 Ng8\n".repeat(1_200_000));
    let games: Vec<_> = GameTexts::new(text.as_bytes()).map(Result::unwrap).collect();
    let games: Vec<_> = games.iter().map(|text| text.parse(&ReadOptions::default())).collect();
    let expected = ["1/0 *, without a result", "game 2, line 2: longer than 16 MiB", "1/0 1-0"];
    assert_eq!(short(&games), expected);
}

#[test]
fn a_reader_that_fails_ends_the_games() {
    struct Failing(&'static [u8]);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() { Err(std::io::ErrorKind::UnexpectedEof.into()) } else { self.0.read(buffer) }
        }
    }
    let mut games = GameTexts::new(BufReader::new(Failing(b"1. e4 1-0\n1. d4 0-1\n1. c4")));
    assert!(games.next().unwrap().is_ok() && games.next().unwrap().is_ok());
    assert!(games.next().unwrap().is_err());
    assert!(games.next().is_none());
}
