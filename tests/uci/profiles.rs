//! Profiles: W/D/L for ratings and time controls, shipped and from a file.

use crate::engine::{Engine, KIWIPETE, assert_one_info_string, at_fixed_nodes, parameter_file, words};
use halfpoint::position::Position;
use halfpoint::printing::BoardFacts;
use halfpoint::printing::Profiles;
use halfpoint::printing::apply;
use halfpoint::wdl::model::Wdl;
use std::fs;

/// Lines of a search but for `score cp N`.
fn without_scores(lines: &[String]) -> Vec<String> {
    let without = |line: &String| match line.split_once(" score cp ") {
        Some((before, after)) => format!("{before} {}", after.split_once(' ').map_or("", |(_, rest)| rest)),
        None => line.clone(),
    };
    lines.iter().map(without).collect()
}

#[test]
fn profiles_change_printed_wdl_and_nothing_else() {
    let extreme = "\
        [weak]\nelo = 1200\nwilo_factor = 0.2\ndraw_offset = -4.0\ndraw_certain = -8.0\n\
        [strong]\nelo = 3400\nwilo_factor = 2.0\nwilo_endgame = 0.5\ndraw_offset = 3.0\ndraw_factor = 0.5\n\
        draw_endgame = 1.0\ndraw_sharp = -0.1\n";
    let profiles = parameter_file(extreme);
    let mut engine = Engine::start();
    engine.send("uci");
    let declared = engine.until("uciok").into_iter().find(|line| line.contains("name WDL_Profile ")).unwrap();
    let mut shipped: Vec<_> = declared.split(" var ").skip(3).map(str::to_owned).collect();
    assert_eq!(shipped.pop().as_deref(), Some("file"));
    assert!(!shipped.is_empty(), "{declared}");
    engine.ask("setoption name UCI_ShowWDL value true");
    for position in ["position startpos".to_owned(), format!("position fen {KIWIPETE}")] {
        let (nominal, nominal_wdl) = at_fixed_nodes(&mut engine, &position);
        let check = |engine: &mut Engine, settings: &[&str], changes: bool| {
            for setting in settings {
                assert!(engine.ask(setting).is_empty(), "{setting}");
            }
            let (rest, wdl) = at_fixed_nodes(engine, &position);
            assert_eq!(rest, nominal, "{settings:?}");
            assert_eq!(wdl != nominal_wdl, changes, "{settings:?}");
        };
        for name in &shipped {
            check(&mut engine, &[&format!("setoption name WDL_Profile value {name}")], true);
        }
        // Its centipawns are those of its own W/D/L, too.
        engine.ask("setoption name WDL_Profile value uncorrected");
        let (rest, wdl) = at_fixed_nodes(&mut engine, &position);
        assert_ne!(wdl, nominal_wdl);
        assert_eq!(without_scores(&rest), without_scores(&nominal));
        let file = format!("setoption name WDL_ProfileFile value {}", profiles.path().display());
        check(&mut engine, &["setoption name WDL_Profile value nominal"], false);
        // A profile that only the file has is chosen once the file is loaded.
        let wanted = "setoption name WDL_Profile value weak";
        assert_one_info_string(&engine.ask(wanted), wanted);
        check(&mut engine, &[], false);
        assert!(engine.ask(&file).is_empty());
        check(&mut engine, &[], true);
        assert!(engine.ask("setoption name WDL_Profile value nominal").is_empty());
        assert!(engine.ask("setoption name WDL_ProfileFile value").is_empty());
        engine.ask(&format!("setoption name WDL_Profile value {}", shipped[0]));
        // The chosen profile is not in the file; it is used again when the file goes.
        for _ in 0..2 {
            assert_one_info_string(&engine.ask(&file), &file);
            check(&mut engine, &[], false);
            check(&mut engine, &["setoption name WDL_ProfileFile value"], true);
        }
        assert_one_info_string(&engine.ask(&file), &file);
        for name in ["weak", "STRONG", "file"] {
            check(&mut engine, &[&format!("setoption name WDL_Profile value {name}")], true);
        }
        for elo in [1000, 2300, 4000] {
            check(&mut engine, &[&format!("setoption name WDL_WhiteElo value {elo}")], true);
        }
        let nominal_again = ["setoption name WDL_WhiteElo value 0", "setoption name WDL_Profile value nominal"];
        check(&mut engine, &nominal_again, false);
        check(&mut engine, &["setoption name WDL_ProfileFile value"], false);
    }
}

#[test]
fn ratings_between_two_profiles_are_interpolated() {
    let file = parameter_file(
        "[a]\nelo = 1000\nwilo_factor = 1.0\ndraw_offset = -3.0\n[b]\nelo = 2000\nwilo_factor = 1.0\ndraw_offset = 3.0\n",
    );
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    engine.ask(&format!("setoption name WDL_ProfileFile value {}", file.path().display()));
    let mut draws = |elo: u32| {
        engine.ask(&format!("setoption name WDL_WhiteElo value {elo}"));
        let (_, wdl) = at_fixed_nodes(&mut engine, "position startpos");
        words(wdl.last().unwrap(), "wdl")[1].parse::<u32>().unwrap()
    };
    let series = [900, 1000, 1300, 1700, 2000, 2100].map(&mut draws);
    assert_eq!((series[0], series[4]), (series[1], series[5]));
    assert!(series[1] < series[2] && series[2] < series[3] && series[3] < series[4], "{series:?}");
}

#[test]
fn names_stand_for_ratings_and_time_controls() {
    let profiles = Profiles::shipped();
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    let mut printed = |settings: &[String]| {
        for setting in settings {
            assert!(engine.ask(&format!("setoption name {setting}")).is_empty(), "{setting}");
        }
        at_fixed_nodes(&mut engine, &format!("position fen {KIWIPETE}")).1
    };
    let mut seen = Vec::new();
    for name in profiles.names() {
        let profile = profiles.get(name).unwrap();
        let (Some(elo), Some(class)) = (profile.elo, profile.time_class) else { continue };
        let named = printed(&[format!("WDL_Profile value {name}")]);
        let rated = printed(&[
            format!("WDL_TimeControl value {class}"),
            format!("WDL_WhiteElo value {elo}"),
            "WDL_Profile value nominal".to_owned(),
        ]);
        assert_eq!(named, rated, "{name}");
        assert!(!seen.contains(&named), "{name}");
        seen.push(named);
        printed(&["WDL_WhiteElo value 0".to_owned()]);
    }
    assert!(seen.len() > 5);
}

#[test]
fn profiles_are_applied_as_the_library_applies_them() {
    let profiles = Profiles::shipped();
    let profile = profiles.get("master").unwrap();
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    for fen in [
        KIWIPETE,
        // Drawn by the evaluation, by repetition, and won against a lone king.
        "6k1/5p2/6p1/7p/7P/6P1/1r3P2/2R3K1 w - - 0 1",
        "8/5k2/3p4/3P4/5K2/8/8/8 w - - 0 1",
        "8/8/4k3/8/8/2PK4/8/8 w - - 0 1",
    ] {
        let mut printed = |name: &str| {
            engine.ask(&format!("setoption name WDL_Profile value {name}"));
            let (_, wdl) = at_fixed_nodes(&mut engine, &format!("position fen {fen}"));
            let number = |index: usize| words(wdl.last().unwrap(), "wdl")[index].parse::<f64>().unwrap() / 1000.0;
            Wdl { win: number(0), draw: number(1), loss: number(2) }
        };
        let (uncorrected, master) = (printed("uncorrected"), printed("master"));
        let position = Position::from_fen(fen, false).unwrap();
        let found = apply(&profile.numbers, uncorrected, BoardFacts::of_position(&position));
        // A per mille in what is nearly certain is much in logits.
        let differences = [found.win - master.win, found.draw - master.draw, found.loss - master.loss];
        assert!(differences.iter().all(|x| x.abs() < 0.015), "{fen}: {uncorrected:?} {found:?} {master:?}");
    }
}

#[test]
fn broken_profile_files_are_refused() {
    let file = parameter_file("");
    let load = format!("setoption name WDL_ProfileFile value {}", file.path().display());
    let mut engine = Engine::start();
    for (text, why) in [
        ("[a]\nwilo_factor = = 1", "line 2"),
        ("[a]\n\nwilo_factor = 101", "line 3: wilo_factor = 101 is not from 0 to 100"),
        ("[nominal]\nwilo_factor = 1.0\ndraw_offset = 0.0", "nominal"),
        ("", "there is no profile"),
    ] {
        fs::write(file.path(), text).unwrap();
        let answer = engine.ask(&load);
        assert_one_info_string(&answer, text);
        assert!(answer[0].contains(why) && answer[0].contains(file.path().to_str().unwrap()), "{answer:?}");
    }
    // Without profiles that have ratings, a rating cannot be chosen.
    fs::write(file.path(), "[a]\nwilo_factor = 1.0\ndraw_offset = 0.0").unwrap();
    assert!(engine.ask(&load).is_empty());
    assert_one_info_string(&engine.ask("setoption name WDL_WhiteElo value 2000"), "no rating");
    // Nor with ratings for another time control alone.
    fs::write(file.path(), "[a]\nelo = 1800\ntime_control = \"blitz\"\nwilo_factor = 0.2\ndraw_offset = 0.0").unwrap();
    assert_one_info_string(&engine.ask(&load), "another time control");
    engine.ask("setoption name UCI_ShowWDL value true");
    let (_, nominal) = at_fixed_nodes(&mut engine, "position startpos");
    assert!(engine.ask("setoption name WDL_TimeControl value blitz").is_empty());
    let (_, blitz) = at_fixed_nodes(&mut engine, "position startpos");
    assert_ne!(blitz.last(), nominal.last());
    assert!(engine.ask("setoption name WDL_WhiteElo value 1500").is_empty());
    assert_one_info_string(&engine.ask("setoption name WDL_TimeControl value rapid"), "another time control");
    // `file` cannot stay chosen without a file.
    assert!(engine.ask("setoption name WDL_Profile value file").is_empty());
    let answer = engine.ask("setoption name WDL_ProfileFile value");
    assert!(answer.iter().any(|line| line.contains("'file' needs a WDL_ProfileFile")), "{answer:?}");
}

#[test]
fn a_nominal_file_changes_printed_scores_and_contempt() {
    let shipped = fs::read_to_string("engine-params/nominal.toml").unwrap();
    let same = parameter_file(&shipped);
    let flat = parameter_file("[wilo_factor]\nconstant = 0.5\n[contempt]\npawns_per_elo = 0.001\n");
    let load = |path: &str| format!("setoption name WDL_NominalFile value {path}");
    let mut engine = Engine::start();
    engine.ask("setoption name UCI_ShowWDL value true");
    let mut printed = |setting: &str| {
        assert!(engine.ask(setting).is_empty(), "{setting}");
        at_fixed_nodes(&mut engine, &format!("position fen {KIWIPETE}"))
    };
    let before = printed("setoption name WDL_NominalFile value <empty>");
    assert_eq!(printed(&load(same.path().to_str().unwrap())), before);
    assert_ne!(printed(&load(flat.path().to_str().unwrap())), before);
    assert_eq!(printed("setoption name WDL_NominalFile value"), before);
    // Contempt comes from the same file.
    let mut contempt = |setting: &str| {
        engine.ask(setting);
        let lines = engine.search("go depth 1");
        lines.into_iter().find(|line| line.starts_with("info string contempt")).unwrap()
    };
    assert!(contempt("setoption name Contempt value 100").contains(": +0.55 pawns of w"));
    assert!(contempt(&load(flat.path().to_str().unwrap())).contains(": +0.10 pawns of w"));
    // A broken file leaves everything as it was.
    for (text, why) in [
        ("[wilo_factor]\n\nconstant = x", "line 3"),
        ("[fast]\nconstant = 1", "line 1: [fast]"),
        ("", "there is no number"),
    ] {
        fs::write(same.path(), text).unwrap();
        let answer = engine.ask(&load(same.path().to_str().unwrap()));
        assert_one_info_string(&answer, text);
        assert!(answer[0].contains(why) && answer[0].contains("WDL_NominalFile"), "{answer:?}");
    }
}
