//! The commands of Stockfish's WDL model as its README and its updateWDL.sh have them: `scoreWDLstat` is `count`,
//! `python scoreWDL.py` is `fit`.

use super::{Folder, Run};
use std::fs;

/// Games of match runner fastchess with evaluations in their comments.
const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/engine-games.pgn");

/// A folder with a test of fishtest in `pgns`.
fn fishtest() -> Folder {
    let folder = Folder::new();
    folder.write("pgns/25-01-01/abc/abc-0.pgn", fs::read(GAMES).unwrap());
    folder.write(
        "pgns/25-01-01/abc/abc.json",
        r#"{"args": {"book": "UHO_Lichess_4852_v1.epd", "tc": "60+0.6", "new_tc": "60+0.6", "threads": 1,
            "resolved_base": "71f53b92", "resolved_new": "def"}, "results": {"pentanomial": [10, 50, 100, 50, 10]}}"#,
    );
    folder
}

#[test]
fn the_commands_of_its_readme_run() {
    let folder = fishtest();
    folder.done("count -r --matchEngine 'stock.*'");
    assert!(folder.read("scoreWDLstat.json").starts_with('{'));
    let out = folder.done("fit --NormalizeToPawnValue 356 --momType move --momTarget 32 --moveMin 8 --winMin 1");
    assert!(out.contains("const int NormalizeToPawnValue = "), "{out}");
    assert!(!fs::exists(folder.path("scoreWDL.svg")).unwrap());
}

/// What the fuzz target does.
#[test]
fn curves_are_fitted_to_sound_counts_alone() {
    let mut counts = Vec::new();
    for number in 10..80 {
        for (eval, wins, losses) in [(-150, 1, 20), (0, 5, 5), (150, 20, 1)] {
            for (outcome, count) in [('W', wins), ('D', 10), ('L', losses)] {
                counts.push(format!(r#""('{outcome}', {number}, {number}, {eval})": {count}"#));
            }
        }
    }
    assert_eq!(super::counts::run(format!("{{{}}}", counts.join(",")).as_bytes()), [true; 2]);
    assert_eq!(super::counts::run(b"{\"1\"}"), [false; 2]);
}

#[test]
fn the_commands_of_its_update_run() {
    let folder = fishtest();
    folder.done(
        "count --dir pgns -r --matchTC '60\\+0.6' --matchThreads 1 --EloDiffMax 5 --matchRev '.*71f53b92|.*def' \
         --matchEngine '.*' --matchBook 'UHO_Lichess_4852_v..epd' -o updateWDL.json",
    );
    let asked = r#"{"momType":"material","momMin":17,"momMax":78,"momTarget":58,"as":[-72.3,185.9,-144.5,416.4]}"#;
    let out = folder.done(&format!(
        "fit updateWDL.json --plot save --pngName updateWDL.png --pngNameDistro updateWDLdistro.png --momType material \
         --momTarget 58 --materialMin 17 --moveMin 1 --modelFitting optimizeProbability --winMin 1 --NormalizeData '{asked}'"
    ));
    assert!(out.contains("Retained (W,D,L)") && out.contains("updateWDL.svg"), "{out}");
    for figure in ["updateWDL.svg", "updateWDLdistro.svg"] {
        assert!(folder.read(figure).starts_with("<svg"), "{figure}");
    }
    assert!(!fs::exists(folder.path("save")).unwrap());
}

#[test]
fn counts_are_shown_without_a_model() {
    let folder = Folder::new();
    folder.done(&format!("count --file {GAMES}"));
    let out = folder.done("fit --modelFitting None --plot save");
    assert!(out.contains("Retained (W,D,L)") && !out.contains("NormalizeToPawnValue"), "{out}");
    let svg = folder.read("scoreWDL.svg");
    assert!(svg.contains("Data: fraction") && !svg.contains("Model: fraction"));
    folder.done("fit --modelFitting None --plot no --pngName other.png");
    assert!(!fs::exists(folder.path("other.svg")).unwrap());
}

#[test]
fn games_of_datagen_are_counted() {
    let folder = Folder::new();
    folder.done("datagen --games 20 --nodes 200 --threads 1 --seed 5 --out own.vf");
    let out = folder.done("count own.vf");
    let lines = folder.done("data export own.vf --out own.txt");
    assert!(out.contains("20 counted"), "{out} {lines}");
    let positions = folder.read("own.txt").lines().count();
    assert!(out.contains(&format!("{positions} positions in scoreWDLstat.json")), "{out} {positions}");
    let Run { error, code, .. } = folder.lab("count own.vf --match-engine x -o filtered.json");
    assert!(code == Some(1) && error.contains("20 filtered out"), "{error}");
}

#[cfg(unix)]
#[test]
fn the_script_says_what_a_pawn_is_worth() {
    let folder = Folder::new();
    folder.done("datagen --games 60 --nodes 300 --threads 2 --seed 7 --out own.vf");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/update_wdl.sh");
    let run = std::process::Command::new(script)
        .arg("own.vf")
        .current_dir(folder.path("."))
        .env("HALFPOINT_LAB", env!("CARGO_BIN_EXE_halfpoint-lab"))
        .output()
        .unwrap();
    let [out, error] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(run.status.success() && out.contains("NormalizeToPawnValue should "), "{out} {error}");
    assert!(
        ["updateWDL.json", "updateWDL.svg", "updateWDLdistro.svg"].iter().all(|name| !folder.read(name).is_empty())
    );
}
