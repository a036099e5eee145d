//! The handshake, options, and the parameter files that they name.

use crate::engine::{Engine, assert_one_info_string, number, parameter_file};

#[cfg(not(feature = "spsa"))]
#[test]
fn handshake_lists_every_option_once() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Halfpoint "));
    assert!(lines[1].starts_with("id author "));
    for option in [
        "Hash type spin default 16 min 1 max ",
        "Clear Hash type button",
        "Threads type spin default 1 min 1 max ",
        "MultiPV type spin default 1 min 1 max 256",
        "Ponder type check default false",
        "Move Overhead type spin default 10 min 0 max 5000",
        "ClockLead type check default false",
        "UCI_ShowWDL type check default false",
        "ShowWDL type check default false",
        "PgnComment type check default false",
        "UCI_Chess960 type check default false",
        "EvalParams type string default <empty>",
        "Evaluation type combo default network var network var terms",
        "EvalFile type string default <empty>",
        "WDL_Profile type combo default nominal var nominal var uncorrected var ",
        "WDL_ProfileFile type string default <empty>",
        "WDL_NominalFile type string default <empty>",
        "WDL_WhiteElo type spin default 0 min 0 max 10000",
        "WDL_BlackElo type spin default 0 min 0 max 10000",
        "WDL_TimeControl type combo default classical var classical var rapid var blitz var bullet",
        "WDL_Clocks type check default false",
        "Contempt type spin default 0 min -1000 max 1000",
        "AutoContempt type check default false",
        "UCI_RatingAdv type spin default 0 min -10000 max 10000",
        "UCI_Opponent type string default <empty>",
        "OwnElo type spin default 0 min 0 max 10000",
        "ContemptSide type combo default play var play var white var black var off",
        "ShowContempt type check default false",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default 1500 min 600 max 2600",
        "LimitStrength type check default false",
        "LimitElo type spin default 1500 min 600 max 2600",
        "HumanFile type string default <empty>",
        "HumanSeed type spin default 0 min 0 max 2147483647",
        "UCI_AnalyseMode type check default false",
    ] {
        let start = format!("option name {option}");
        assert_eq!(lines.iter().filter(|line| line.starts_with(&start)).count(), 1, "{option}");
    }
    assert_eq!(lines.iter().filter(|line| line.starts_with("option ")).count(), 39);
    assert!(engine.settle().is_empty());
}

/// The options of the first page are those of the binary, with their defaults.
#[cfg(not(feature = "spsa"))]
#[test]
fn readme_lists_every_option_with_its_default() {
    let page = include_str!("../../README.md");
    let section = page.split("\n## ").find(|section| section.starts_with("Options\n")).unwrap();
    let rows: Vec<Vec<&str>> = section.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    let mut engine = Engine::start();
    engine.send("uci");
    for line in engine.until("uciok") {
        let Some((name, declared)) = line.strip_prefix("option name ").and_then(|option| option.split_once(" type "))
        else {
            continue;
        };
        let default = declared.split_once(" default ").and_then(|(_, rest)| rest.split(' ').next());
        let default = default.filter(|&word| word != "<empty>").unwrap_or_default();
        let row = rows.iter().find(|row| row.get(1).is_some_and(|names| names.contains(&format!("`{name}`"))));
        let row = row.unwrap_or_else(|| panic!("{name} is not in README.md"));
        assert_eq!(row[2], default, "{name}");
    }
}

#[test]
fn valid_settings_print_nothing() {
    let mut engine = Engine::start();
    for line in [
        "setoption name hash value 8",
        "setoption name Threads value 2",
        "setoption name CLEAR HASH",
        "setoption name MultiPV value 2",
        "setoption name Ponder value true",
        "setoption name Move Overhead value 50",
        "setoption name UCI_ShowWDL value true",
        "setoption name UCI_Chess960 value false",
        "setoption name EvalParams value <empty>",
        "setoption name EvalParams",
        "setoption name Evaluation value Network",
        "setoption name EvalFile value <empty>",
        "setoption name Evaluation value terms",
        "setoption name WDL_Profile value nominal",
        "setoption name WDL_ProfileFile value <empty>",
        "setoption name WDL_NominalFile value <empty>",
        "setoption name WDL_WhiteElo value 2500",
        "setoption name WDL_WhiteElo value 0",
        "setoption name WDL_TimeControl value blitz",
        "setoption name WDL_TimeControl value classical",
        "setoption name Contempt value -20",
        "setoption name Contempt value 0",
        "setoption name AutoContempt value false",
        "setoption name UCI_RatingAdv value -150",
        "setoption name UCI_Opponent value none 2400 computer Some Engine 1.0",
        "setoption name UCI_Opponent value <empty>",
        "setoption name OwnElo value 3000",
        "setoption name ContemptSide value PLAY",
        "setoption name ShowContempt value false",
        "setoption name UCI_AnalyseMode value false",
        "ucinewgame",
        "debug off",
        "stop",
        "ponderhit",
        "",
    ] {
        assert!(engine.ask(line).is_empty(), "{line}");
    }
    let lines = engine.search("go depth 3");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ") && line.contains(" wdl ")), "{lines:#?}");
}

#[test]
fn broken_weights_file_is_refused() {
    let file = parameter_file("this is = not [ weights");
    let mut engine = Engine::start();
    let before = engine.ask("eval");
    let answer = engine.ask(&format!("setoption name EvalParams value {}", file.path().display()));
    assert_one_info_string(&answer, "EvalParams");
    assert!(answer[0].contains(file.path().to_str().unwrap()), "{answer:#?}");
    assert_one_info_string(
        &engine.ask(&format!("setoption name EvalParams value {}", std::env::temp_dir().display())),
        "a directory",
    );
    assert_eq!(engine.ask("eval"), before);
}

#[test]
fn broken_network_is_refused() {
    let mut engine = Engine::start();
    assert!(engine.ask("setoption name Evaluation value network").is_empty());
    let before = engine.ask("eval");
    assert!(before.iter().any(|line| line.starts_with("network ")), "{before:#?}");
    for content in ["this is no network", "HPNET\u{2}@"] {
        let file = parameter_file(content);
        let answer = engine.ask(&format!("setoption name EvalFile value {}", file.path().display()));
        assert_one_info_string(&answer, "EvalFile");
        assert!(answer[0].contains(file.path().to_str().unwrap()), "{answer:#?}");
        assert_eq!(engine.ask("eval"), before);
    }
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/engine-params/network.bin");
    assert!(engine.ask(&format!("setoption name EvalFile value {shipped}")).is_empty());
    assert_eq!(engine.ask("eval"), before);
    assert!(engine.ask("setoption name Evaluation value terms").is_empty());
    assert!(engine.ask("eval").iter().all(|line| !line.starts_with("network ")));
}

#[test]
fn hash_beyond_memory_is_refused() {
    let mut engine = Engine::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    let hash = lines.iter().find(|line| line.starts_with("option name Hash ")).unwrap();
    let max = number(hash, "max");
    assert_one_info_string(&engine.ask(&format!("setoption name Hash value {max}")), "Hash");
    assert_one_info_string(&engine.ask(&format!("setoption name Hash value {}", max + 1)), "Hash");
    assert!(engine.search("go depth 3").last().unwrap().starts_with("bestmove "));
}
