//! What is written.

use crate::run::Run;
use halfpoint::games::{CommentEval, GameRecord, GameTexts, Note, ReadOptions};

/// Comments, judgements, variations, clocks and an old evaluation.
const NOTED: &str = "[Event \"x\"]\n[White \"A \\\"B\\\"\"]\n[Black \"C\"]\n[Result \"0-1\"]\n\
    [WhiteElo \"1400\"]\n[BlackElo \"1600\"]\n[TimeControl \"600+0\"]\n\n\
    {Begin} $13 1. f3?! {[%eval 9.99,3] [%clk 0:09:58] bad} e5 {[%clk 0:09:50]} 2. g4 $4 (2. e4 {solid} (2. d4 exd4) 2... Nc6)\n\
    Qh4# {[%clk 0:09:40]} 0-1\n";

fn read(text: &str) -> Vec<GameRecord> {
    let options = ReadOptions { keep_notes: true, ..ReadOptions::default() };
    GameTexts::new(text.as_bytes()).map(|game| game.unwrap().parse(&options).unwrap()).collect()
}

fn comments(notes: &[Note]) -> Vec<&str> {
    notes.iter().filter_map(|note| if let Note::Comment(text) = note { Some(text.as_str()) } else { None }).collect()
}

#[test]
fn annotated_games_keep_what_they_had() {
    let run = Run::new(NOTED);
    assert!(run.run("games.pgn --nodes 2000 --pgn out.pgn").status.success());
    let [before, after] = [read(NOTED).remove(0), read(&run.read("out.pgn")).remove(0)];
    assert_eq!(
        before.tags.iter().chain([("Annotator", "Halfpoint 0.1.0")]).collect::<Vec<_>>(),
        after.tags.iter().collect::<Vec<_>>()
    );
    assert_eq!(before.outcome, after.outcome);
    let moves =
        |game: &GameRecord| game.moves.iter().map(|played| (played.m, played.remarks.clock)).collect::<Vec<_>>();
    assert_eq!(moves(&before), moves(&after));
    for played in &after.moves {
        let wdl = played.remarks.wdl_after.unwrap();
        assert!(played.remarks.evaluation_after.is_some() && wdl.iter().sum::<u16>() == 1000);
    }
    assert_eq!(after.moves[0].remarks.evaluation_after.map(|eval| eval == CommentEval::Pawns(9.99)), Some(false));
    assert_eq!(after.moves[3].remarks.evaluation_after, Some(CommentEval::Mate { wins: true, distance: 0 }));
    assert_eq!(after.moves[3].remarks.wdl_after, Some([0, 0, 1000]));
    let notes = after.notes.unwrap();
    assert_eq!(comments(&notes.start), ["Begin"]);
    assert!(notes.start.contains(&Note::Nag(13)));
    assert_eq!(comments(&notes.moves[0])[1..], ["[%clk 0:09:58] bad"]);
    // The judgement of the file stays the only one of its kind.
    assert!(notes.moves[0].contains(&Note::Nag(6)) && notes.moves[2].contains(&Note::Nag(4)));
    assert_eq!(notes.moves[2].iter().filter(|note| matches!(note, Note::Nag(_))).count(), 1);
    let variation = Note::Variation("2. e4 {solid} (2. d4 exd4) 2... Nc6".to_owned());
    assert!(notes.moves[2].contains(&variation), "{notes:?}");
    assert!(notes.moves[2].iter().filter(|note| matches!(note, Note::Variation(_))).count() == 2, "{notes:?}");
}

#[test]
fn a_game_annotated_twice_is_the_same() {
    let run = Run::new(NOTED);
    assert!(run.run("games.pgn --nodes 2000 --pgn once.pgn").status.success());
    assert!(run.run("once.pgn --nodes 2000 --pgn twice.pgn").status.success());
    assert_eq!(run.read("once.pgn"), run.read("twice.pgn"));
}

#[test]
fn a_second_annotation_replaces_the_first() {
    let run = Run::new("1. e4 e5 2. Ba6 Nxa6 3. Nf3 Nf6 {a move} 4. Ng5 h6 5. Nf3 Nxe4 *");
    assert!(run.run("games.pgn --nodes 300 --pgn once.pgn").status.success());
    assert!(run.run("once.pgn --nodes 5000 --pgn twice.pgn --json twice.json").status.success());
    assert!(run.run("games.pgn --nodes 5000 --pgn alone.pgn").status.success());
    let moves = |name: &str| read(&run.read(name)).remove(0).notes.unwrap().moves;
    assert_eq!(moves("twice.pgn"), moves("alone.pgn"));
    let remarks = &crate::run::objects(run.read("twice.json").as_bytes())[0]["remarks"];
    assert_eq!(remarks.to_string(), "[{\"comments\":[\"a move\"],\"ply\":6}]");
}

#[test]
fn glyphs_of_an_earlier_annotation_are_replaced_and_others_stay() {
    let nags = |text: &str| -> Vec<Vec<u16>> {
        let nag = |note: &Note| if let Note::Nag(glyph) = note { Some(*glyph) } else { None };
        let moves = read(text).remove(0).notes.unwrap().moves;
        moves.iter().map(|notes| notes.iter().filter_map(nag).collect()).collect()
    };
    let fen = "[FEN \"6k1/5pp1/7p/8/8/3q4/5PPP/3R2K1 w - - 0 1\"]\n";
    for (text, options, expected) in [
        (format!("{fen}\n1. Rxd3 *\n"), "--multipv 2", [vec![7], vec![]]),
        (format!("{fen}\n1. Rxd3 $7 *\n"), "", [vec![7], vec![7]]),
        (format!("{fen}\n1. Rxd3 $7 *\n"), "--multipv 2", [vec![7], vec![7]]),
        // A sacrifice by an earlier search, and a mark of the file beside one.
        (
            format!("{fen}[Annotator \"Halfpoint 0.0.9\"]\n\n1. Rxd3 $3 $1 {{[%eval 1,1] [%nag 1]}} *\n"),
            "",
            [vec![3], vec![3]],
        ),
        (format!("{fen}\n1. Rxd3 $1 {{[%nag 1]}} *\n"), "", [vec![1], vec![1]]),
    ] {
        let run = Run::new(&text);
        assert!(run.run(&format!("games.pgn --nodes 3000 {options} --pgn once.pgn")).status.success());
        assert!(run.run("once.pgn --nodes 3000 --pgn twice.pgn").status.success());
        let found = [nags(&run.read("once.pgn")).remove(0), nags(&run.read("twice.pgn")).remove(0)];
        assert_eq!(found, expected, "{text} {options}");
    }
}

#[test]
fn judgements_of_the_file_stay_whatever_searches_judge() {
    let text = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $4 {human says} 4. Qxf7# 1-0\n";
    let run = Run::new(text);
    assert!(run.run("games.pgn --nodes 2000 --pgn once.pgn").status.success());
    assert!(run.run("once.pgn --nodes 2000 --thresholds 0.9,0.95,0.99 --pgn twice.pgn").status.success());
    for name in ["once.pgn", "twice.pgn"] {
        assert!(run.read(name).contains("3... Nf6 $4"), "{}", run.read(name));
    }
    // The engine's own goes with its search.
    let run = Run::new(text.replace(" $4 {human says}", ""));
    assert!(run.run("games.pgn --nodes 2000 --pgn once.pgn").status.success());
    assert!(run.run("once.pgn --nodes 2000 --thresholds 0.9,0.95,0.99 --pgn twice.pgn").status.success());
    assert!(run.read("once.pgn").contains("3... Nf6 $4") && !run.read("twice.pgn").contains("$4"));
}

#[test]
fn a_game_that_is_set_up_later_has_no_opening() {
    let phases = |fen: &str| {
        let run = Run::new(format!("[FEN \"{fen}\"]\n\n31. Re4 Qxe4 32. Bc3 Rfe8 33. Rb1 Rab8 *\n"));
        run.json("games.pgn --nodes 200")[0]["division"]["middle"].as_u64()
    };
    let board = "r4rk1/1bppRpp1/p1n3qp/2PN4/3B1b2/5N1P/P4PP1/R2Q2K1 w - - 3";
    assert_eq!(phases(&format!("{board} 31")), Some(0));
    assert_eq!(phases(&format!("{board} 1")), Some(0));
    assert_eq!(phases(&format!("{board} 9")), Some(4));
}

#[test]
fn a_draw_that_nobody_claimed_does_not_end_the_game() {
    let shuffle = "1. Kd1 Kd8 2. Ke1 Ke8 3. Kd1 Kd8 4. Ke1 Ke8";
    let last = |result: &str| {
        let run = Run::new(format!("[FEN \"4k3/8/8/8/8/8/PPP5/4K2R w - - 0 1\"]\n\n{shuffle} {result}\n"));
        run.json("games.pgn --nodes 500")[0]["analysis"][7]["wdl"][1].as_u64().unwrap()
    };
    assert_eq!(last("1/2-1/2"), 1000);
    assert!(last("1-0") < 100 && last("*") < 100);
}

#[test]
fn annotators_stay_and_are_no_reason_to_refuse() {
    for (tag, expected) in [
        ("", "Halfpoint 0.1.0"),
        ("[Annotator \"?\"]\n", "Halfpoint 0.1.0"),
        ("[Annotator \"Halfpoint 0.0.9\"]\n", "Halfpoint 0.1.0"),
        ("[Annotator \"A. B., C\"]\n", "A. B., C, Halfpoint 0.1.0"),
        ("[Annotator \"Halfpointer\"]\n", "Halfpointer, Halfpoint 0.1.0"),
    ] {
        let run = Run::new(format!("{tag}[White \"Halfpoint 0.1.0\"]\n\n1. e4 *\n"));
        for arguments in
            ["games.pgn --nodes 500 --pgn a.pgn", "games.pgn --nodes 100 --pgn a.pgn", "a.pgn --nodes 100 --pgn b.pgn"]
        {
            let (code, error) = crate::run::failure(&run.run(arguments));
            assert_eq!((code, error), (0, String::new()), "{tag} {arguments}");
        }
        for name in ["a.pgn", "b.pgn"] {
            assert!(run.read(name).contains(&format!("[Annotator \"{expected}\"]\n")), "{}", run.read(name));
        }
    }
    // That a player is this engine does not make a file its own.
    let run = Run::new("1. e4 *\n");
    std::fs::write(run.path("a.pgn"), "[White \"Halfpoint 0.1.0\"]\n\n1. d4 *\n").unwrap();
    let (code, error) = crate::run::failure(&run.run("games.pgn --nodes 100 --pgn a.pgn"));
    assert!(code == 1 && error.contains("--overwrite replaces it"), "{error}");
}

#[test]
fn the_same_file_is_not_written_twice_nor_over_the_input() {
    let run = Run::new("1. e4 *\n");
    std::fs::create_dir(run.path("sub")).unwrap();
    let mut refused = vec![
        "games.pgn --json x --pgn x",
        "games.pgn --json x --pgn ./x",
        "games.pgn --html sub/../x --json x",
        "games.pgn --json - --pgn -",
        "games.pgn --pgn games.pgn --overwrite",
        "games.pgn --json sub/../games.pgn --overwrite",
        "games.pgn --pgn a --json a.unfinished",
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("games.pgn", run.path("link")).unwrap();
        std::os::unix::fs::symlink("x", run.path("dangling")).unwrap();
        refused.extend([
            "games.pgn --pgn link --overwrite",
            "link --pgn games.pgn --overwrite",
            "games.pgn --json x --pgn dangling",
        ]);
    }
    for arguments in refused {
        let (code, error) = crate::run::failure(&run.run(&format!("{arguments} --nodes 100")));
        let is_said = error.contains("are the same file") || error.contains("it is an input");
        assert!(code == 1 && is_said && error.lines().count() == 1, "{arguments}: {error}");
    }
    assert_eq!(run.read("games.pgn"), "1. e4 *\n");
    assert!(run.run("games.pgn --nodes 100 --json /dev/null --pgn /dev/null").status.success());
    #[cfg(unix)]
    {
        assert!(run.run("games.pgn --nodes 100 --json dangling").status.success());
        assert!(run.path("dangling").is_symlink() && run.read("x").contains("\"engine\""));
    }
}

#[test]
fn objects_have_names_of_lichess() {
    let game = &Run::new(NOTED).json("games.pgn --nodes 2000")[0];
    assert_eq!(game["schema"], 1);
    assert_eq!(game["moves"], "f3 e5 g4 Qh4#");
    assert_eq!((&game["winner"], &game["result"]), (&"black".into(), &"0-1".into()));
    assert_eq!(game["wdlFor"], "White rated 1400 against Black rated 1600 in rapid games");
    assert_eq!(game["clocks"], serde_json::json!([59800, 59000, null, 58000]));
    assert_eq!(game["clock"], serde_json::json!({"initial": 600.0, "increment": 0.0}));
    assert_eq!(game["opening"], serde_json::json!({"eco": "A00", "name": "Barnes Opening: Fool's Mate", "ply": 4}));
    assert_eq!(game["ending"], "mate");
    let remarks = serde_json::json!([
        {"ply": 0, "comments": ["Begin"]},
        {"ply": 1, "comments": ["bad"]},
        {"ply": 3, "variations": ["2. e4 {solid} (2. d4 exd4) 2... Nc6"]},
    ]);
    assert_eq!(game["remarks"], remarks);
    let choices = game["choices"].as_array().unwrap().iter().find(|choices| choices["ply"] == 3).unwrap();
    assert_eq!(choices["uci"].as_str().unwrap().split(' ').count(), 19);
    assert_eq!(game["players"]["white"]["name"], "A \"B\"");
    let analysis = game["analysis"].as_array().unwrap();
    assert_eq!(analysis.len(), 4);
    let blunder = &analysis[2];
    assert_eq!(blunder["judgment"]["name"], "Blunder");
    assert!(blunder["judgment"]["comment"].as_str().unwrap().contains(" was best."));
    assert_eq!(blunder["mate"], -1);
    assert!(blunder["best"].is_string() && blunder["variation"].is_string());
    let lost = |name: &str| blunder["lost"][name].as_f64().unwrap();
    assert!(lost("total") > 0.2);
    assert!((lost("total") - lost("winToDraw") - lost("drawToLoss") - lost("winToLoss")).abs() < 1e-9);
    let mate = &analysis[3];
    assert_eq!(
        (&mate["mate"], &mate["wdl"], &mate["lost"]["total"]),
        (&0.into(), &serde_json::json!([0, 0, 1000]), &0.0.into())
    );
    assert!(mate.get("best").is_none());
    assert_eq!(game["moments"].as_array().unwrap().last().unwrap()["ply"], 3);
    let white = &game["players"]["white"]["analysis"];
    assert_eq!(white["blunder"], 1);
    assert!(white["accuracy"].as_f64().unwrap() < game["players"]["black"]["analysis"]["accuracy"].as_f64().unwrap());
}

#[test]
fn wdl_follow_the_players_and_thresholds_the_judgements() {
    let run = Run::new(NOTED);
    let first = |arguments: &str| run.json(&format!("games.pgn --nodes 2000 {arguments}"))[0].clone();
    let (tags, master) = (first(""), first("--white-elo 2600 --black-elo 2600 --time-control classical"));
    assert_ne!(tags["start"]["wdl"], master["start"]["wdl"]);
    assert_eq!(tags["start"]["nominal"], master["start"]["nominal"]);
    let nominal = first("--profile nominal");
    assert_eq!(nominal["start"]["wdl"], nominal["start"]["nominal"]);
    let lenient = first("--thresholds 0.9,0.95,1");
    assert!(lenient["analysis"].as_array().unwrap().iter().all(|played| played.get("judgment").is_none()));
}

#[test]
fn a_page_needs_nothing_else() {
    let run = Run::new("[White \"</script><b>\"]\n\n1. e4 *\n");
    let output = run.run("games.pgn --nodes 500");
    assert!(output.status.success());
    let page = run.read("games.html");
    assert!(!page.contains("</script><b>") && page.contains("\\u003c/script>\\u003cb>"));
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "{{"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(run.files(), ["games.html", "games.pgn"]);
    // It was not named, so it is not replaced.
    let (code, text) = crate::run::failure(&run.run("games.pgn --nodes 500"));
    assert!(code == 1 && text.contains("'games.html' exists"), "{text}");
}

#[test]
fn the_terminal_lists_every_game_in_its_direction() {
    let run = Run::new(
        "[White \"אברהם\"]\n[Black \"Donaudampfschifffahrtsgesellschaft\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n\
         [White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n\n1/2-1/2\n",
    );
    let output = run.run("games.pgn --nodes 500 --json out.json");
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("    1  \u{2068}אברהם\u{2069}  ") && lines[1].contains("  1-0  "), "{text}");
    assert!(lines[2].starts_with("    2  A  ") && lines[2].ends_with("    - -     -      - -     -"), "{text}");
    let column = |line: &str| line.replace(['\u{2068}', '\u{2069}'], "").chars().take_while(|&c| c != '/').count();
    assert_eq!(column(&lines[1].replace("1-0", "1/0")), column(lines[2]), "{text}");
    // Positions have no lines.
    let positions = Run::new("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n");
    let output = positions.run("games.pgn --nodes 500 --json out.json");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "written: out.json\n");
}

#[test]
fn endgame_tables_are_used() {
    let run = Run::new("[FEN \"4k3/4b3/8/8/8/8/4R3/4K3 b - - 0 1\"]\n\n1... Kf7 2. Kd2 Kf6 *\n");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let game = run.json(&format!("games.pgn --nodes 500 --syzygy {folder}")).remove(0);
    let draw = serde_json::json!([0, 1000, 0]);
    assert_eq!((&game["start"]["wdl"], game["analysis"].as_array().unwrap().len()), (&draw, 3));
    for position in game["analysis"].as_array().unwrap() {
        assert!(position["wdl"].as_array().unwrap().contains(&1000.into()), "{position}");
    }
    assert_ne!(run.json("games.pgn --nodes 500").remove(0)["start"]["wdl"], draw);
    let output = run.run("games.pgn --nodes 500 --syzygy nowhere --json -");
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).starts_with("nowhere: "));
}

#[test]
fn clocks_count_where_they_are_asked_for() {
    let game = |class: &str, white: u32, black: u32| {
        format!(
            "[Event \"x\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[TimeControl \"{class}\"]\n\n\
             1. e4 {{[%clk 0:00:{white:02}]}} e5 {{[%clk 0:00:{black:02}]}} 2. Nf3 {{[%clk 0:00:{white:02}]}} *\n"
        )
    };
    let expected = |text: &str, options: &str| {
        let game = &Run::new(text).json(&format!("games.pgn --nodes 2000 {options}"))[0];
        let after = |ply: usize| game["analysis"][ply]["expected"].as_f64().unwrap();
        ([game["start"]["expected"].as_f64().unwrap(), after(0), after(1), after(2)], game["wdlFor"].clone())
    };
    let even = expected(&game("60", 40, 40), "--clocks");
    assert_eq!(even.1, "players rated 1500 in bullet games, by their clocks");
    let ([start, first, second, last], _) = expected(&game("60", 50, 5), "--clocks");
    let untold =
        Run::new("[WhiteElo \"1500\"]\n[TimeControl \"60\"]\n\n1. e4 e5 *\n").json("games.pgn --nodes 500 --clocks");
    assert_eq!(untold[0]["wdlFor"], "players rated 1500 in bullet games");
    // White's clock is known after its move, Black's after the reply.
    assert_eq!(start, even.0[0]);
    assert!(first > even.0[1] && second > even.0[2] + 0.1 && last > even.0[3] + 0.1);
    assert_eq!(expected(&game("60", 50, 5), ""), expected(&game("60", 40, 40), ""));
    assert_eq!(expected(&game("600+5", 50, 5), "--clocks"), expected(&game("600+5", 40, 40), ""));
}
