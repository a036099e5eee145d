//! Games and positions from files.

use super::*;

/// Games of a file in a directory of its own, and what is said of it.
fn games_of(name: &str, text: &str) -> (Vec<TrainingGame>, String) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, text).unwrap();
    let mut report = crate::reading::ReadLog::default();
    let mut games = Vec::new();
    let result = source::read(&path, &mut report, |game| {
        games.push(game);
        true
    });
    result.unwrap();
    (games, report.explanation().replace(&format!("{}/", directory.path().display()), ""))
}

fn parse(text: &str) -> Result<(String, Outcome, Option<i16>), String> {
    let (games, problem) = games_of("data.epd", text);
    let Some(GamePositions::Listed(lines)) = games.first().map(|game| &game.positions) else { return Err(problem) };
    Ok((lines[0].position.fen(), lines[0].outcome, lines[0].eval.map(|eval| eval.centipawns())))
}

#[test]
fn lines_are_read_with_results_and_evaluations() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 20";
    let short = "4k3/8/8/8/8/8/4P3/4K3 b - -";
    for (result, outcome) in [("1-0", Outcome::Win), ("0.5", Outcome::Draw), ("0-1", Outcome::Loss)] {
        assert_eq!(parse(&format!("# note\n{fen};{result}")), Ok((fen.to_owned(), outcome, None)));
        assert_eq!(parse(&format!("{fen} c9 \"{result}\";")), Ok((fen.to_owned(), outcome, None)));
    }
    let epd = format!("{short} hmvc 3; ce -45; fmvn 20; id \"x; y\"; c9 \"1-0\";");
    assert_eq!(parse(&epd), Ok((fen.to_owned(), Outcome::Win, Some(45))));
    // A large score is no mate, unless it is as large as that of one.
    for (written, read) in [("20000", -15_000), ("-31990", 31_990), ("32767", -32_000)] {
        let epd = epd.replace("-45", written);
        assert_eq!(parse(&epd), Ok((fen.to_owned(), Outcome::Win, Some(read))));
    }
    for (text, reason) in [(fen.to_owned(), "no result"), (format!("{fen};2-0"), "'2-0' is no result")] {
        let error = parse(&text).unwrap_err();
        assert!(error.starts_with(&format!("; data.epd: line 1: {reason}")), "{error}");
    }
}

#[test]
fn games_of_pgn_are_read_with_their_scores() {
    let text = "[Result \"1-0\"]\n\n1. e4 {+0.35/12 0.05s} e5 {-0.20/11 0.1s} 2. Qh5 {book} (2. Nf3) Nc6 {+M5/20 1s} 1-0\n\n\
                [FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]\n\n1. Rh8# {+M1/1 0s} 1-0\n\n1. d4 *\n\n1. c4 1/2-1/2\n\n[Result \"0-1\"]\n\n1. d4 d5\n";
    let (games, problem) = games_of("games.txt", text);
    let GamePositions::Played { plies, outcome, .. } = &games[0].positions else { panic!() };
    let evals: Vec<Option<i16>> = plies.iter().map(|ply| ply.eval.map(|eval| eval.centipawns())).collect();
    assert_eq!(plies.iter().map(|ply| ply.is_book).collect::<Vec<_>>(), [false, false, true, false]);
    assert_eq!((*outcome, evals), (Outcome::Win, vec![Some(35), Some(20), None, Some(-31_995)]));
    let GamePositions::Played { start, plies, .. } = &games[1].positions else { panic!() };
    assert_eq!(start.fen(), "k7/8/1K6/8/8/8/8/7R w - - 0 1");
    assert_eq!(plies[0].eval.map(|eval| eval.centipawns()), Some(31_999));
    // The game without a result is left out; one has it in its tags alone.
    assert_eq!((games.len(), problem.as_str()), (4, "; 1 without a result"));
    let GamePositions::Played { plies, outcome, .. } = &games[3].positions else { panic!() };
    assert_eq!((*outcome, plies.len()), (Outcome::Loss, 2));
    // One broken game does not end the others.
    let (games, problem) = games_of("games.pgn", "1. e4 e5 2. Ke3 1-0\n\n[FEN \"x\"]\n\n*\n\n1. c4 1-0\n");
    assert_eq!(games.len(), 1);
    assert!(problem.starts_with("; games.pgn: game 1, line 1: move 2. Ke3 is illegal"), "{problem}");
    assert!(problem.ends_with(" and 1 more"), "{problem}");
}

#[test]
fn lines_of_a_game_stay_together() {
    let line =
        |turn: &str, number: u32, result: &str| format!("4k3/8/8/8/8/8/4P3/4K3 {turn} - - 0 {number};{result}\n");
    let text = [
        line("w", 1, "1-0"),
        line("b", 1, "1-0"),
        line("w", 4, "1-0"),
        // Another result, then a lower number.
        line("w", 5, "0-1"),
        "\n# comment\n".to_owned(),
        line("b", 5, "0-1"),
        line("w", 5, "0-1"),
        line("w", 5, "0-1;A;B"),
        line("b", 4, "0-1;A;B"),
        line("w", 6, "1-0;C;D"),
        // The game before, elsewhere in the file.
        line("w", 7, "0-1;A;B"),
    ];
    let (games, _) = games_of("x.epd", &text.concat());
    let lengths: Vec<usize> = games
        .iter()
        .map(|game| if let GamePositions::Listed(lines) = &game.positions { lines.len() } else { 0 })
        .collect();
    assert_eq!(lengths, [3, 2, 1, 3, 1]);
}

#[test]
fn lines_keep_their_own_results() {
    let line = |result: &str| format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;{result};A;B\n");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("twice.epd");
    fs::write(&path, line("1-0") + &line("0-1")).unwrap();
    let chosen = options(&[path.to_str().unwrap(), "--validation", "0", "--test", "0", "--noisy", "keep"]);
    let data = data::read(&chosen, &Weights::terms(), &Knots::default()).unwrap();
    let outcomes: Vec<Outcome> = data.splits[0].iter().flat_map(|block| &block.rows).map(|row| row.outcome).collect();
    assert_eq!((data.tallies.games, outcomes), (1, vec![Outcome::Win, Outcome::Loss]));
}

#[test]
fn ratings_after_the_game_tell_no_advantage() {
    let game = |site: &str| {
        let text = format!("[Site \"{site}\"]\n[WhiteElo \"1510\"]\n[BlackElo \"1490\"]\n\n1. e4 e5 1-0\n");
        let conditions = games_of("games.pgn", &text).0[0].conditions;
        (conditions.advantage, conditions.mean_rating)
    };
    assert_eq!((game("lichess.org"), game("https://www.Chess.com/")), ((20, Some(1500)), (0, Some(1500))));
}

#[test]
fn games_are_counted_by_how_they_end_for_white() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.epd");
    let line = |(file, result)| format!("4k3/8/8/8/8/8/{file}P{}/4K3 w - - 0 1;{result}\n", 7 - file);
    fs::write(&path, (1..7).zip(["1-0", "1-0", "1-0", "1/2-1/2", "1/2-1/2", "0-1"]).map(line).collect::<String>())
        .unwrap();
    let chosen = options(&[path.to_str().unwrap(), "--validation", "0", "--test", "0", "--noisy", "keep"]);
    let tallies = data::read(&chosen, &Weights::terms(), &Knots::default()).unwrap().tallies;
    let percent = Outcome::ALL.map(|outcome| tallies.percent(outcome).round());
    assert_eq!((tallies.games, percent), (6, [50.0, 33.0, 17.0]));
}
