//! Faults that game files of the world have.

use super::*;
use crate::printing::TimeClass;

/// Reads a case as the commands do, decompressed.
fn read_case(name: &str) -> Vec<Game> {
    let mut text = Vec::new();
    open(&Path::new("tests/data/cases").join(name)).unwrap().read_to_end(&mut text).unwrap();
    read_bytes(&text)
}

/// What is in a game.
fn ucis(game: &Game) -> String {
    let mode = |game: &GameRecord| game.start.castles().mode();
    let game = game.as_ref().unwrap();
    game.moves.iter().map(|played| played.m.to_uci(mode(game)).to_string()).collect::<Vec<_>>().join(" ")
}

fn line(text: &str) -> Result<PositionLine, BrokenLine> {
    LineTexts::new(text.as_bytes()).next().unwrap().unwrap().parse(CastlingRights::Either)
}

#[test]
fn tags_given_twice_or_malformed_make_one_game() {
    let games = read_case("02a-result-twice-with-fen.pgn");
    assert_eq!(short(&games), ["4/0 1-0"]);
    let game = games[0].as_ref().unwrap();
    assert_eq!((game.tags.get("White"), game.start.fullmoves().get()), (Some("Aa"), 2));
    assert_eq!(
        short(&read_case("02d-tag-name-with-blank.pgn")),
        ["4/0 1-0, line 4: malformed tag '[White Elo \"2000\"]' left out"]
    );
    for (text, expected) in [
        ("[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\n\n1. e4 0-1", &["1/0 0-1"][..]),
        (
            "[White \"b\"]\n[Result \"*\"]\n[Result \"0-1\"]\n1. e4 0-1\n\n[White \"c\"]\n\n1. d4 1-0",
            &["1/0 0-1", "1/0 1-0"],
        ),
        (
            "[White \"b\"]\n[\"Event\" \"x\"]\n\n1. e4 0-1",
            &["1/0 0-1, line 2: malformed tag '[\"Event\" \"x\"]' left out"],
        ),
        (
            "[White \"b\"]\n[Date 2001.01.01]\n\n1. e4 0-1",
            &["1/0 0-1, line 2: malformed tag '[Date 2001.01.01]' left out"],
        ),
        ("[Site “Rome”]\n[White \"b\"]\n\n1. e4 0-1", &["1/0 0-1, line 1: malformed tag '[Site “Rome”]' left out"]),
        (
            "[White \"b\"]\n[Tournée \"x\"]\n[Event \"open\n\n1. e4 0-1",
            &[
                "1/0 0-1, line 2: malformed tag '[Tournée \"x\"]' left out, line 3: malformed tag '[Event \"open' left out",
            ],
        ),
        ("[White \"b\"]\n[FEN 8/8/8/8/8/8/8/8]\n\n1. e4 *", &["game 1, line 2: malformed tag '[FEN 8/8/8/8/8/8/8/8]'"]),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\n\n1. Kd2 *",
            &["game 1, line 1: malformed tag '[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1'"],
        ),
    ] {
        assert_eq!(short(&read(text)), expected, "{text}");
    }
    for (lines, notes) in [
        (
            "[Event \"A very\nlong\"]",
            "line 2: malformed tag '[Event \"A very' left out, line 3: text between the tags left out: 'long\"]'",
        ),
        ("hello there", "line 2: text between the tags left out: 'hello there'"),
        ("hello there\nand here (no tags)", "line 2: text between the tags left out: 'hello there'"),
        ("Won 1-0 today\nby Black", "line 2: text between the tags left out: 'Won 1-0 today'"),
        ("foo {bar} baz; x\rthen", "line 2: text between the tags left out: 'foo {bar} baz; x'"),
        ("[Site \"x\"] Germany", "line 2: text between the tags left out: 'Germany'"),
        (
            "[Event \"a\n[b]\"]",
            "line 2: malformed tag '[Event \"a' left out, line 3: text between the tags left out: '[b]\"]'",
        ),
    ] {
        let text = format!("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 9\"]\n{lines}\n[White \"x\"]\n\n9. Kd2 Kd7 1-0");
        assert_eq!(short(&read(&text)), [format!("2/0 1-0, {notes}")]);
    }
    for (lines, expected) in [
        // Moves, another game behind an empty line, or neither.
        ("e4 e5\n[White \"x\"]\n\nd4 *", &["2/0 *, without a result", "1/0 *, without a result"][..]),
        ("hello\n\n[White \"x\"]\n\nd4 *", &["game 1, line 2: 'hello' is no move", "1/0 *, without a result"]),
        ("hello\n1. e4 *", &["game 1, line 2: 'hello' is no move"]),
        ("1. e4 e5 2. Nf3\n[White \"x\"]\n\nd4 *", &["3/0 *, without a result", "1/0 *, without a result"]),
        ("1. e4 Sc6 *\n[Event \"a\"]\n\nd4 *", &["game 1, line 2: 'Sc6' is no move", "1/0 *, without a result"]),
        ("hello", &["game 1, line 2: 'hello' is no move"]),
        ("1. e4 e5 1-0[Event \"b\"]\n[White \"x\"]\n1. d4 0-1", &["2/0 1-0", "1/0 0-1"]),
        ("1. e4 Nf6 2. e5 d5 3. exd6 e.p. Nd5 1-0\n[White \"x\"]\n1. d4 0-1", &["6/0 1-0", "1/0 0-1"]),
        ("1. e4 (1. d4 ch) e5 1-0\n[White \"x\"]\n1. d4 0-1", &["2/0 1-0", "1/0 0-1"]),
        ("\n{two\nlines}\n[Event \"b\"]\n\n1. d4 0-1", &["0/0 *, without a result", "1/0 0-1"]),
        (
            "\n; c\n1. e4 Nf6 2. e5 d5 3. exd6 e.p. Nd5\n{cf.\n[White \"other\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n\
             1. e4 is another game}\n4. c4 1-0",
            &["7/0 1-0"],
        ),
        (
            "[White \"A\nB\"]\n\n1. e4 *",
            &[
                "1/0 *, without a result, line 2: malformed tag '[White \"A' left out, line 3: text between the tags left out: 'B\"]'",
            ],
        ),
    ] {
        assert_eq!(short(&read(&format!("[Event \"a\"]\n{lines}"))), expected, "{lines}");
    }
    let tags: String = (0..101).map(|number| format!("foo\n[B{number} \"c\"]\n")).collect();
    let many = format!("[Event \"a\"]\n{tags}\n1. e4 *");
    assert_eq!(short(&read(&many)), ["game 1, line 202: more than 100 malformed tags"]);
    let long = format!(
        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 9\"]\n[Notes \"{}\"]\n[White \"x\"]\n\n9. Kd2 1-0",
        "x".repeat(17_000)
    );
    let glued = long.replace("\"]\n[White", "\"][White");
    assert_eq!(read(&glued)[0].as_ref().unwrap().tags.get("White"), Some("x"));
    let quoted = format!("'[Notes \"{}…'", "x".repeat(32));
    assert_eq!(short(&read(&long)), [format!("1/0 1-0, line 2: a tag longer than 16 KiB left out: {quoted}")]);
    let twice = read("[White \"b\"]\n[WhiteElo \"1500\"]\n[White \"c\"]\n[WhiteElo \"1600\"]\n\n1. e4 *");
    let tags = &twice[0].as_ref().unwrap().tags;
    assert_eq!((tags.get("White"), tags.white_elo()), (Some("c"), Some(1600)));
    let many = format!("{}1. e4 *", "[A b]\n".repeat(101));
    assert_eq!(short(&read(&many)), ["game 1, line 101: more than 100 malformed tags"]);
}

#[test]
fn numbers_that_begin_anew_behind_an_empty_line_are_another_game() {
    for (text, expected) in [
        ("1. e4 e5\n\n1. d4 d5", &["e2e4 e7e5", "d2d4 d7d5"][..]),
        ("[Event \"a\"]\n\n1. e4\n\n1. d4 d5\n\n1.c4\n", &["e2e4", "d2d4 d7d5", "c2c4"]),
        ("{Notes}\n\n1. e4 e5\n\n2. Nf3\n", &["e2e4 e7e5 g1f3"]),
        ("$1\n\n1. e4 {a\n\n1. d4} e5 *", &["e2e4 e7e5"]),
        ("1. e4 (1. d4\n\n1. c4)\n\n1... e5\n\n2. Nf3", &["e2e4 e7e5 g1f3"]),
        ("1. e4\n1. d4 d5", &[]),
        ("1. e4 e5\n\n1. d4 d4", &["e2e4 e7e5"]),
    ] {
        let games = GameTexts::new(text.as_bytes()).map(|game| game.unwrap().parse(&ReadOptions::default()));
        let whole: Vec<_> = games.filter(Result::is_ok).map(|game| ucis(&game)).collect();
        assert_eq!(whole, expected, "{text}");
    }
}

#[test]
fn operations_run_on_and_counters_are_dashes() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for (text, expected) in [
        ("- - bm e4;", &[("bm", "e4")][..]),
        ("- 7 bm e4;", &[("bm", "e4")]),
        ("bm e4 Kd2 dm 34", &[("bm", "e4 Kd2"), ("dm", "34")]),
        ("bm e4 id \"position am e3 02\";", &[("bm", "e4"), ("id", "position am e3 02")]),
        ("am e4 + ; id \"a\";", &[("am", "e4 +"), ("id", "a")]),
        ("c0 bm e4 dm 3; dm 2;", &[("c0", "bm e4 dm 3"), ("dm", "2")]),
        ("c0 \"bm e4; am e3;", &[("c0", "bm e4; am e3")]),
        ("bm", &[("bm", "")]),
    ] {
        let line = line(&format!("{fen} {text}")).unwrap();
        let found: Vec<_> = line.operations.iter().map(|(code, operand)| (code.as_str(), operand.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }
    assert_eq!(move_words("1.e4 +, Nf3 ! # Qxe5+ 12... d5").collect::<Vec<_>>(), ["e4", "Nf3", "Qxe5+", "d5"]);
}

#[test]
fn operands_that_are_not_used_do_not_matter() {
    let epd = String::from_utf8(case("03a-c9-moves.epd")).unwrap();
    let found = line(&epd).unwrap();
    assert_eq!((found.outcome, found.operations.len()), (None, 6));
    assert_eq!(found.operations[5], ("c9".to_owned(), "f4f5 d4e5 d4f2 f3g4".to_owned()));
    for (operations, outcome, centipawns) in [
        ("c9 \"a note\"; ce +M5;", None, None),
        ("ce #-3; c9 \"1-0\";", Some("1-0"), None),
        ("c9 \"*\"; ce 35;", None, Some(35.0)),
        ("c9; ce 0.5x; acd 99; pv e4 e5", None, None),
    ] {
        let found = line(&format!("4k3/8/8/8/8/8/4P3/4K3 b - - {operations}")).unwrap();
        assert_eq!(found.outcome.map(KnownOutcome::as_str), outcome, "{operations}");
        assert_eq!(found.centipawns, centipawns, "{operations}");
    }
}

#[test]
fn compressed_cases_are_read() {
    assert!(read_case("04a-pzstd.pgn.zst").iter().all(Result::is_ok));
    assert_eq!(read_case("04a-pzstd.pgn.zst").len(), 5);
    let padded = read_case("08a-zero-padding.pgn.gz");
    assert!(padded.len() > 10 && short(&padded).iter().all(|game| game == "6/0 1-0"));
}

#[test]
fn a_text_that_is_cut_is_read_up_to_there() {
    use std::io::{Cursor, Error, ErrorKind, Read};
    struct Cut(Cursor<Vec<u8>>);
    impl Read for Cut {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buffer)? {
                0 => Err(Error::new(ErrorKind::UnexpectedEof, "cut")),
                count => Ok(count),
            }
        }
    }
    let cut = |text: &str| BufReader::new(Cut(Cursor::new(text.as_bytes().to_vec())));
    for (text, whole) in [
        ("1. e4 1-0\n1. d4 0-1", 2),
        ("1. e4 1-0\n1. d4 0-", 1),
        ("1. e4 1-0\n\n[Event \"x", 1),
        ("1. e4 1-0 {x} 1. d4 * 1. c4", 2),
        ("1. e4 1-0\n1. d4 {a", 1),
        ("1.", 0),
    ] {
        let mut games = GameTexts::new(cut(text));
        let read = games.by_ref().take_while(Result::is_ok).count();
        assert_eq!((read, games.next().is_none()), (whole, true), "{text}");
    }
    let mut lines = LineTexts::new(cut("4k3/8/8/8/8/8/8/4K3 w - -\n4k3/8/8/8/8/8/8/4K3 w - - 0"));
    assert!(lines.next().unwrap().is_ok() && lines.next().unwrap().is_err() && lines.next().is_none());
}

#[test]
fn lines_end_with_returns_alone() {
    assert_eq!(short(&read_case("05a-cr-semicolon.pgn")), ["4/0 1-0", "2/0 0-1"]);
    for (text, expected) in [
        ("[White \"a\"]\r% no\r\r1. e4 e5 ; x\r2. Nf3 *\r", &["3/0 *, without a result"][..]),
        ("1. e4 ; x\r\n1... e5 ; y\n2. Nf3 ; z\r2... Nc6 1-0", &["4/0 1-0"]),
        (
            "1. e4 1-0\r1. d4 Ke4 0-1\r\r",
            &[
                "1/0 1-0",
                "game 2, line 2: move 1... Ke4 is illegal in \
            'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1'",
            ],
        ),
    ] {
        assert_eq!(short(&read(text)), expected, "{text}");
    }
    let epd = "# a\r4k3/8/8/8/8/8/8/4K3 w - - id \"x\";\r\r4k3/8/8/8/8/8/8/4K3 b - - 0 1\r";
    let numbers: Vec<_> = LineTexts::new(epd.as_bytes()).map(|line| line.unwrap().number).collect();
    assert_eq!(numbers, [2, 4]);
}

#[test]
fn a_first_position_that_is_needed_is_there() {
    let unknown = "the first position is not known: FEN '?'";
    let chess960 = "Chess960 without the FEN of its first position";
    assert_eq!(short(&read_case("06a-chess960-fen-unknown.pgn")), [format!("game 1, line 4: {unknown}")]);
    assert_eq!(short(&read_case("06c-chess960-without-fen.pgn")), [format!("game 1, line 1: {chess960}")]);
    for (tags, expected) in [
        ("[FEN \"?\"]", format!("game 1, line 1: {unknown}")),
        ("[Variant \"fischerandom\"][FEN \"-\"]", format!("game 1, line 1: {chess960}")),
        ("[Variant \"Chess 960\"]\n[FEN \"\"]", format!("game 1, line 2: {chess960}")),
        ("[fen \"?\"]", format!("game 1, line 1: {unknown}")),
        ("[setup \"1\"]", "game 1, line 1: a set-up position without its FEN".to_owned()),
        ("[SetUp \"1\"]", "game 1, line 1: a set-up position without its FEN".to_owned()),
        ("[SetUp \"0\"][FEN \"\"]", "2/0 1-0".to_owned()),
        ("[Variant \"Standard\"]", "2/0 1-0".to_owned()),
    ] {
        assert_eq!(short(&read(&format!("{tags}\n\n1. e4 e5 1-0"))), [expected], "{tags}");
    }
}

#[test]
fn both_players_may_lose() {
    let both = "0/0 *, lost by both players";
    assert_eq!(short(&read_case("07a-both-lose-no-moves.pgn")), [both, "6/0 1-0"]);
    let ready = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5";
    for (text, expected) in [
        // Castling would be legal.
        (format!("[Result \"0-0\"]\n\n{ready} 0-0"), &["6/0 *, lost by both players"][..]),
        (
            format!("{ready} 0-0 {{both late}} $5\n1. d4 1-0"),
            &[
                "6/0 *, lost by both players, line 1: 0-0 at the end is read as lost by both, though castling would be legal",
                "1/0 1-0",
            ],
        ),
        (
            format!("[Result \"*\"]\n\n{ready} 0–0\n\n[Event \"x\"]\n\n1. d4 1-0"),
            &[
                "6/0 *, lost by both players, line 3: 0-0 at the end is read as lost by both, though castling would be legal",
                "1/0 1-0",
            ],
        ),
        (format!("[Result \"0-0\"]\n\n{ready} 4. 0-0 0-0 5. d3 0-0"), &["9/0 *, lost by both players"]),
        ("[Result \"1-0\"]\n\n1. e4 e5 0-0".to_owned(), &["2/0 1-0, conflict"]),
        // Castling.
        (format!("[Result \"1-0\"]\n\n{ready} 4. 0-0"), &["7/0 1-0"]),
        (format!("{ready} 4. 0-0"), &["7/0 *, without a result"]),
        (format!("{ready} 0-0 0-0 1-0"), &["8/0 1-0"]),
        (format!("[Result \"1-0\"]\n\n{ready} 4. 0-0 0-0"), &["8/0 1-0"]),
    ] {
        assert_eq!(short(&read(&text)), expected, "{text}");
    }
}

#[test]
fn bare_moves_and_text_are_read_by_content() {
    assert_eq!(short(&read_case("09a-moves-without-numbers.pgn")), ["5/0 1-0"]);
    for (text, expected) in [
        ("e4 e5 Nf3 1-0\nd4 d5 0-1\n", &["3/0 1-0", "2/0 0-1"][..]),
        ("e2e4 e7e5 *", &["2/0 *, without a result"]),
        ("1. e4", &["1/0 *, without a result"]),
        (
            "Club championship\nof 2019\n\n[White \"a\"]\n\n1. e4 1-0",
            &["1/0 1-0, line 1: text before the game left out: 'Club championship'"],
        ),
        (
            "12 games\n\n1. e4 1-0\n1. d4 *",
            &["1/0 1-0, line 1: text before the game left out: '12 games'", "1/0 *, without a result"],
        ),
        (
            "1. e4 1-0\n\nThe next one:\n[White \"b\"]\n\n1. d4 0-1",
            &["1/0 1-0", "1/0 0-1, line 3: text before the game left out: 'The next one:'"],
        ),
        (
            "1. e4 1-0\n\nThanks for reading.\n```\n",
            &["1/0 1-0", "game 2, line 3: text behind the games left out: 'Thanks for reading.'"],
        ),
        (
            "1. e4 1-0\n[Generated by x]\n",
            &["1/0 1-0", "game 2, line 2: text behind the games left out: '[Generated by x]'"],
        ),
        ("1. e4 1-0\n\n2. place: A\n", &["1/0 1-0", "game 2, line 3: text behind the games left out: '2. place: A'"]),
        ("1. e4 1-0\n\n1. Sf3 1-0\n", &["1/0 1-0", "game 2, line 3: 'Sf3' is no move"]),
        (
            "1. e\u{ad}4 e5 O\u{2060}-O *",
            &[
                "game 1, line 1: move 2. O-O is illegal in 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'",
            ],
        ),
        ("1.\u{2003}e4\u{3000}e5\u{200b} 2.\u{202f}Nf3\u{ad}\u{2060} 1-0\u{200e}", &["3/0 1-0"]),
        ("Sf3 Sf6\n2. d4", &["game 1, line 1: 'Sf3' is no move"]),
    ] {
        assert_eq!(short(&read(text)), expected, "{text}");
        let format = TextFormat::detect(&mut text.as_bytes()).unwrap();
        assert_eq!(format, (!text.starts_with("Sf3")).then_some(TextFormat::Pgn), "{text}");
    }
}

#[test]
fn signs_of_all_sets_are_read() {
    assert_eq!(short(&read_case("10a-latin1-signs.pgn")), ["3/0 1-0"]);
    assert_eq!(short(&read_case("10d-lichess-glyphs.pgn")), ["7/0 1-0"]);
    for (text, plies) in [
        (&b"1. e4\xb1 e5 2. Nf3 \xb1 \xbd-\xbd"[..], 3),
        ("1. e4⊕ e5⇆! 2. Nf3□ Nc6⨀ 3. Bb5+− a6∓ *".as_bytes(), 6),
        ("1. e4+/= e5=/+ 2. ♘f3∞ N ♞c6↑↑ D 3. ♗×c6 *".as_bytes(), 0),
        ("1. e4 ⯹ e5 ☆ 2. Nf3☆ *".as_bytes(), 3),
        (b"1. e4\xa0e5 2.\xa0N\xadf3 1-0", 3),
    ] {
        let games = read_bytes(text);
        let found = games[0].as_ref().map(|game| game.moves.len());
        assert!(found == Ok(plies) || plies == 0 && found.is_err(), "{found:?}");
    }
}

#[test]
fn words_of_digits_are_castling_numbers_or_no_moves() {
    assert!(ucis(&read_case("12a-castling-00-last.pgn")[0]).ends_with("e1g1"));
    assert_eq!(short(&read_case("12c-iccf.pgn")), ["game 1, line 5: '5254' is no move"]);
    for (text, expected) in [
        ("1 e4 e5 2 Nf3 Nc6 3 Bc4 Bc5 4 00 Nf6 5 d3 00 *", "10/0 *, without a result"),
        ("1.5254 5755 *", "game 1, line 1: '1.5254' is no move"),
        ("1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Qd2 Qd7 5. 000 000 *", "10/0 *, without a result"),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1234\"]\n\n1234 Kd2 Kd7 1235 Ke2 *", "3/0 *, without a result"),
        ("1. e4 51710 *", "game 1, line 1: '51710' is no move"),
        ("1. e4 0000 *", "game 1, line 1: '0000' is a null move"),
    ] {
        assert_eq!(short(&read(text)), [expected], "{text}");
    }
}

#[test]
fn clocks_and_time_controls_are_read_as_people_write_them() {
    let games = read_case("13a-comma.pgn");
    assert_eq!(games[0].as_ref().unwrap().moves[0].remarks.clock, Some(Duration::from_millis(179_800)));
    for name in ["14a-5-bar-5.pgn", "14c-sandclock.pgn"] {
        assert_eq!(short(&read_case(name)), ["1/0 *, without a result"], "{name}");
    }
    for (tag, warning) in [
        ("G/5", ""),
        ("3 min + 2 sec", ""),
        ("-", ""),
        ("quick", ", line 1: the time control 'quick' is not understood"),
        ("5 min 3 sec", ", line 1: the time control '5 min 3 sec' is not understood"),
    ] {
        let expected = format!("1/0 1-0{warning}");
        assert_eq!(short(&read(&format!("[TimeControl \"{tag}\"]\n\n1. e4 1-0"))), [expected], "{tag}");
    }
}

#[test]
fn time_controls_count_minutes_where_the_clocks_do() {
    let class = |control: &str, clock: &str| {
        let text = format!("[TimeControl \"{control}\"]\n\n1. e4 {{[%clk {clock}]}} e5 {{[%clk {clock}]}} 1-0");
        let tags = read(&text)[0].as_ref().unwrap().tags.clone();
        (tags.time_class(), tags.time_control().map(|control| control.base))
    };
    assert_eq!(class("90+30", "1:29:55"), (Some(TimeClass::Classical), Some(5400.0)));
    assert_eq!(class("3+2", "0:03:01"), (Some(TimeClass::Blitz), Some(180.0)));
    assert_eq!(class("90+30", "0:01:29"), (Some(TimeClass::Rapid), Some(90.0)));
    assert_eq!(class("5400+30", "1:29:55"), (Some(TimeClass::Classical), Some(5400.0)));
}

#[test]
fn ratings_and_results_are_read_or_said() {
    for (tag, rating, warning) in [
        ("WhiteElo \"1500?\"", Some(1500), ""),
        ("WhiteElo \"2100P\"", Some(2100), ""),
        ("WhiteElo \"unrated\"", None, ""),
        ("WhiteElo \"0\"", None, ""),
        ("WhiteElo \"1900.5\"", None, ", line 1: WhiteElo '1900.5' is not understood"),
        ("WhiteElo \"GM\"", None, ", line 1: WhiteElo 'GM' is not understood"),
        ("Result \"?\"", None, ""),
        ("Result \"White\"", None, ", line 1: the result 'White' is not understood"),
    ] {
        let games = read(&format!("[{tag}]\n\n1. e4 1-0"));
        assert_eq!(short(&games), [format!("1/0 1-0{warning}")], "{tag}");
        assert_eq!(games[0].as_ref().unwrap().tags.white_elo(), rating, "{tag}");
    }
}

#[test]
fn lines_say_whether_they_have_a_move_number() {
    for line in LineTexts::new(case("15a-no-counters.epd").as_slice()) {
        assert!(!line.unwrap().parse(CastlingRights::Chess).unwrap().has_move_number);
    }
    for (counters, has_number) in [("0 5", true), ("3", false), ("c9 \"1-0\"; fmvn 7;", true), ("hmvc 3;", false)] {
        let found = line(&format!("4k3/8/8/8/8/8/4P3/4K3 b - - {counters}")).unwrap();
        assert_eq!(found.has_move_number, has_number, "{counters}");
    }
}

#[test]
fn strings_have_escapes() {
    let found = line(&String::from_utf8(case("16a-escaped-quote-semicolon.epd")).unwrap()).unwrap();
    assert_eq!(found.operations[2], ("c1".to_owned(), "say \"a; 5 b\" now".to_owned()));
    for (operations, expected) in [
        (r#"id "a\\"; c0 "b";"#, &["a\\", "b"][..]),
        (r#"id "a \"b\"";"#, &["a \"b\""]),
        (r#"id "C:\games\"; c0 "x; y";"#, &["C:\\games\\", "x; y"]),
        (r#"id "\";\"";"#, &["\";\""]),
        (r#"bm Kd7; id a\b"#, &["Kd7", "a\\b"]),
    ] {
        let found = line(&format!("4k3/8/8/8/8/8/4P3/4K3 b - - {operations}")).unwrap();
        let operands: Vec<_> = found.operations.iter().map(|(_, operand)| operand.as_str()).collect();
        assert_eq!(operands, expected, "{operations}");
    }
}

#[test]
fn results_may_be_written_twice() {
    assert_eq!(short(&read_case("18a-result-twice.pgn")), ["6/0 1-0", "6/0 1-0"]);
    for (text, expected) in [
        ("1. e4 1-0\n1-0\n\n1. d4 0-1 {x} 0-1\n", &["1/0 1-0", "1/0 0-1"][..]),
        (
            "[Result \"1/2-1/2\"]\n\n1. e4 1/2 1/2-1/2\n\n[Event \"b\"]\n\n1. d4 *",
            &["1/0 1/2-1/2", "1/0 *, without a result"],
        ),
        (
            "1. e4 1-0 0-1\n1. d4 *",
            &["1/0 1-0, line 1: several results behind the moves; the first counts", "1/0 *, without a result"],
        ),
        ("1. e4 1-0 1. d4 1-0", &["1/0 1-0", "1/0 1-0"]),
    ] {
        assert_eq!(short(&read(text)), expected, "{text}");
    }
}

#[test]
fn castling_rights_that_cannot_be_are_left_out() {
    let left_out = "castling rights without king and rook in place left out";
    assert_eq!(
        short(&read_case("19a-rights-left-over.pgn")),
        [format!("1/0 *, without a result, line 2: FEN: {left_out}")]
    );
    for (tags, expected) in [
        ("[FEN \"r4rk1/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]", format!("1/0 1-0, line 1: FEN: {left_out}")),
        (
            "[Variant \"Standard\"][FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1\"]",
            format!("1/0 1-0, line 1: FEN: {left_out}"),
        ),
        ("[FEN \"4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1\"]", format!("1/0 1-0, line 1: FEN: {left_out}")),
        ("[FEN \"1r3kr1/8/8/8/8/8/8/2R1K1R1 w KQkq - 0 1\"]", format!("1/0 1-0, line 1: FEN: {left_out}")),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 w - e6 0 1\"]",
            "1/0 1-0, line 1: FEN: impossible en passant square left out".to_owned(),
        ),
    ] {
        assert_eq!(short(&read(&format!("{tags}\n\n1. Ke2 1-0"))), [expected], "{tags}");
    }
    let found = line("r4rk1/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    assert!(found.mends == [left_out] || found.position.castles().mode().is_chess960());
}
