//! `count`, `fit`, `verify` and `profile`.

use super::{Folder, Run, data};
use halfpoint::params::NumberTable;
use halfpoint::printing::profile::ProfileNumbers;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

/// Games of match runner fastchess with evaluations in their comments, and what scoreWDLstat counts in them.
const GAMES: &str = data!("engine-games.pgn");
const COUNTS: &str = data!("engine-games-counts.json");

#[test]
fn counts_are_those_of_the_reference_whatever_the_compression() {
    let folder = Folder::new();
    let games = fs::read(GAMES).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&games).unwrap();
    let plain = folder.write("plain.pgn", &games);
    let gz = folder.write("gz.pgn.gz", gz.finish().unwrap());
    let zst = folder.write("zst.pgn.zst", compress_to_vec(games.as_slice(), CompressionLevel::Fastest));
    for path in [plain, gz, zst] {
        let out = folder.done(&format!("count {path}"));
        assert!(out.contains("5 counted") && out.contains("1 without a result on the board"), "{out}");
        assert_eq!(folder.read("scoreWDLstat.json"), fs::read_to_string(COUNTS).unwrap());
    }
}

#[test]
fn folders_and_filters_choose_games() {
    let folder = Folder::new();
    let games = fs::read(GAMES).unwrap();
    folder.write("a.pgn", &games);
    folder.write("notes.txt", "no games");
    folder.write("deep/b-1.pgn", &games);
    folder.write(
        "deep/b.json",
        r#"{"args": {"book": "noob.epd", "tc": "60+0.6", "new_tc": "60+0.6", "threads": 1, "resolved_base": "abc",
            "resolved_new": "def", "sprt": {}}, "results": {"pentanomial": [1, 10, 50, 12, 1]}}"#,
    );
    let positions = |options: &str| -> u64 {
        let Run { out, error, code } = folder.lab(&format!("count . {options}"));
        if code != Some(0) {
            assert!(error.contains("nothing to count"), "{error}");
            return 0;
        }
        out.lines().last().unwrap().split_once(' ').unwrap().0.parse().unwrap()
    };
    let all = positions("");
    assert_eq!(positions("-r"), 2 * all);
    let (one, others) = (positions("--match-engine 'stock.*'"), positions("--matchEngine '[^s].*'"));
    assert!(one > 0 && others > 0);
    assert_eq!(one + others, all);
    assert_eq!(positions("--match-engine stock"), 0, "the whole name must match");
    // The file without metadata is judged by its tags, if they can tell.
    assert_eq!(positions(r"-r --match-tc '60\+0.6'"), all);
    assert_eq!(positions(r"-r --match-tc '0.5\+0.005'"), all);
    for options in [
        "--match-book 'noob.*'",
        "--match-rev abc --match-engine '.*'",
        "--match-threads 1",
        "--EloDiffMax 30",
        "--elo-diff-min 1 --elo-diff-max 30 --sprt-only",
    ] {
        assert_eq!(positions(&format!("-r {options}")), all, "{options}");
    }
    for options in ["--match-book 'noob.*' --match-book-invert", "--match-threads 2", "--EloDiffMax 3"] {
        assert_eq!(positions(&format!("-r {options}")), 0, "{options}");
    }
}

#[test]
fn what_cannot_be_counted_is_reported() {
    let folder = Folder::new();
    folder.write("silent.pgn", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    folder.assert_refused("count silent.pgn", "1 without evaluations, 0 broken (evaluations are comments such as");
    folder.assert_refused("count missing.pgn", "missing.pgn");
    fs::create_dir(folder.path("empty")).unwrap();
    folder.assert_refused("count empty", "no .pgn");
    folder.assert_refused("count silent.pgn --match-engine '('", "--match-engine");
    folder.assert_refused("count silent.pgn --bin-width 0", "--bin-width");
    folder.write("games.pgn", fs::read(GAMES).unwrap());
    folder.assert_refused("count games.pgn -o no/folder/counts.json", "counts.json");
    folder.write("games.pgn.gz", "");
    folder.assert_refused("count .", "hold the same");
    folder.assert_refused("count games.pgn ./games.pgn", "hold the same");
    folder.assert_refused(&format!("count {GAMES} --match-threads 1"), "ID.json");
}

#[test]
fn broken_games_are_skipped_and_reported() {
    let folder = Folder::new();
    let games = fs::read_to_string(GAMES).unwrap();
    let illegal = "\n[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 {+0.1/1} e5 2. Qh6 {+9/1} 1-0\n";
    let unclosed = "\n[Event \"y\"]\n[Result \"1-0\"]\n\n1. e4 {+0.1/1 never closed 1-0\n";
    folder.write("mixed.pgn", [&games, illegal, unclosed, &games].concat());
    let Run { out, error, code } = folder.lab("count mixed.pgn -o counts.json");
    assert_eq!(code, Some(0));
    assert!(out.contains("10 counted") && out.contains("2 broken"), "{out}");
    assert!(error.contains("move 2. Qh6") && error.contains("unterminated comment"), "{error}");
}

/// Counts of positions that end as curves say.
fn ideal_counts() -> String {
    let mut entries = Vec::new();
    for material in 17..=78 {
        let u = f64::from(material) / 58.0;
        let (a, b) = (20.0 * u * u - 90.0 * u + 190.0, 15.0 * u + 45.0);
        for evaluation in (-390..=390).step_by(15) {
            let x = f64::from(evaluation);
            let rate = |x: f64| 1.0 / (1.0 + ((a - x) / b).exp());
            let (wins, losses) = ((300.0 * rate(x)).round(), (300.0 * rate(-x)).round());
            for (letter, count) in [('W', wins), ('D', 300.0 - wins - losses), ('L', losses)] {
                if count > 0.0 {
                    entries.push(format!("\"('{letter}', 30, {material}, {evaluation})\": {count}"));
                }
            }
        }
    }
    format!("{{{}}}", entries.join(",\n"))
}

/// The numbers in the braces of the line with this name.
fn coefficients(out: &str, name: &str) -> Vec<f64> {
    let line = out.lines().find(|line| line.contains(&format!("double {name}[]"))).unwrap();
    let list = line.split(['{', '}']).nth(1).unwrap();
    list.split(", ").map(|number| number.parse().unwrap()).collect()
}

#[test]
fn curves_are_those_of_the_reference() {
    let folder = Folder::new();
    let counts = folder.write("counts.json", ideal_counts());
    // What scoreWDL.py prints for these counts.
    for (method, a, b, objective) in [
        (
            "fitDensity",
            [0.70713452, 18.26499069, -88.75207022, 189.74687931],
            [-0.25145686, 0.59690376, 14.54078752, 45.11811780],
            None,
        ),
        (
            "optimizeProbability",
            [1.01752273, 17.45663519, -88.12545946, 189.67992233],
            [0.08661064, -0.01432484, 14.86143128, 44.94592965],
            Some(0.4575067382830381),
        ),
        (
            "optimizeScore",
            [0.80109840, 17.99713148, -88.45184186, 189.62664813],
            [-0.49449621, 1.20957290, 14.11247508, 45.13372477],
            Some(0.1942261092362263),
        ),
    ] {
        let out = folder.done(&format!("fit {counts} --method {method}"));
        let value = |c: &[f64], u: f64| c.iter().fold(0.0, |sum, c| sum * u + c);
        for u in [0.3, 0.6, 1.0, 1.3] {
            for (name, reference) in [("as", a), ("bs", b)] {
                let (ours, theirs) = (value(&coefficients(&out, name), u), value(&reference, u));
                assert!((ours - theirs).abs() < 0.03, "{method} {name} at {u}: {ours} {theirs}");
            }
        }
        if let Some(theirs) = objective {
            let line = out.lines().find(|line| line.starts_with("Final objective function:")).unwrap();
            let ours: f64 = line.split_whitespace().last().unwrap().parse().unwrap();
            assert!(ours <= theirs && theirs - ours < 1e-8, "{method}: {ours} {theirs}");
        }
    }
}

#[test]
fn figures_are_drawn() {
    let folder = Folder::new();
    let counts = folder.write("counts.json", ideal_counts());
    let (model, numbers) = (folder.path("model.svg"), folder.path("numbers.svg"));
    folder.done(&format!("fit {counts} --figure {model} --figure-counts {numbers}"));
    let svg = fs::read_to_string(&model).unwrap();
    for title in ["Data: fraction of positions leading to a win", "Model: fraction of positions leading to a draw"] {
        assert!(svg.contains(title), "{title}");
    }
    assert!(fs::read_to_string(&numbers).unwrap().starts_with("<svg"));
}

#[test]
fn what_cannot_be_fitted_is_reported() {
    let folder = Folder::new();
    let counts = folder.write("counts.json", ideal_counts());
    let few = folder.write("few.json", "{\"('W', 1, 78, 35)\": 20}");
    folder.assert_refused(&format!("fit {few}"), "too little data");
    let won = folder.write("won.json", ideal_counts().replace("('D'", "('W'").replace("('L'", "('W'"));
    let Run { error, .. } = folder.lab(&format!("fit {won}"));
    assert!(error.contains("no position was drawn") && error.contains("no position was lost"), "{error}");
    folder.assert_refused(&format!("fit {}", folder.write("key.json", "{\"('W', 1, 78)\": 20}")), "is not of the form");
    folder.assert_refused(&format!("fit {}", folder.write("no.json", "[1, 2]")), "no.json");
    folder.assert_refused("fit missing.json", "missing.json");
    folder.assert_refused(&format!("fit {counts} --mom-target 0"), "--mom-target");
    folder.assert_refused(&format!("fit {counts} --plot save --mom-plot-min 90"), "nothing to draw");
    folder.assert_refused(&format!("fit {counts} --normalize-data {{}}"), "--normalize-data");
}

pub static OWN: LazyLock<String> = LazyLock::new(|| {
    let engine = Path::new(env!("CARGO_BIN_EXE_halfpoint-lab")).with_file_name("halfpoint");
    assert!(engine.exists(), "build the engine too: cargo test --workspace");
    engine.to_str().unwrap().to_owned()
});

#[test]
fn engines_are_verified_side_by_side() {
    let folder = Folder::new();
    let silent = format!("{};UCI_ShowWDL=false", *OWN);
    let written = "--json report.json --plot diagram.svg";
    let engines = format!("--engine {} --engine '{silent}' --concurrency 2", *OWN);
    let Run { out, error, .. } = folder.lab(&format!("verify {GAMES} {engines} --nodes 300 --skip-first 4 {written}"));
    assert!(error.contains("prints no wdl"), "{error}");
    let kinds: Vec<_> = ["base rates, 5-fold", "as printed", "level profile, 5-fold", "curve refitted, 5-fold"]
        .iter()
        .map(|kind| out.lines().filter(|line| line.ends_with(kind)).count())
        .collect();
    // With their scores, with their worst bins, and with what chance gives.
    assert_eq!(kinds, [3, 3, 3, 6], "{out}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["calibration_by_chance"][1]["mean"].as_f64().unwrap() > 0.0), "{report}");
    let positions = report["positions"].as_u64().unwrap();
    assert!(positions >= 10 && report["games"] == 5);
    let curves = rows.iter().filter(|row| row["kind"].as_str().unwrap().starts_with("curve"));
    for row in rows {
        assert_eq!(row["positions"], positions);
        let loss = row["log_loss"].as_f64().unwrap();
        assert!(loss > 0.0 && loss < 8.0, "{row}");
        let binned: u64 = row["bins"][1].as_array().unwrap().iter().map(|bin| bin["positions"].as_u64().unwrap()).sum();
        assert_eq!(binned, positions);
    }
    // The same scores make the same curve, whether W/D/L stand beside them or not.
    let losses: Vec<_> = curves.map(|row| row["log_loss"].to_string()).collect();
    assert_eq!(losses[0], losses[1]);
    assert!(folder.read("diagram.svg").contains("as printed: win"));
    // What is printed is scored the same without anything refitted, and needs wdl.
    let plain = format!("verify {GAMES} --nodes 300 --skip-first 4 --no-refit --engine");
    let alone = folder.done(&format!("{plain} {}", *OWN));
    assert!(!alone.contains("level profile") && !alone.contains("curve"), "{alone}");
    for line in alone.lines().filter(|line| line.ends_with("as printed")) {
        assert!(out.contains(line), "{line}: {out}");
    }
    folder.assert_refused(&format!("{plain} '{silent}'"), "prints no wdl");
}

#[test]
fn lines_with_results_are_verified() {
    let folder = Folder::new();
    let ranks = ["P7", "1P6", "2P5", "3P4", "4P3", "5P2"].iter().zip(["1", "0.5", "0", "1-0", "1/2-1/2", "0-1"]);
    let lines: String = ranks.map(|(rank, result)| format!("4k3/8/8/8/8/8/{rank}/4K3 w - - 0 1;{result}\n")).collect();
    let positions = folder.write("positions.txt", lines);
    let out = folder.done(&format!("verify {positions} --nodes 500"));
    assert!(out.starts_with("6 positions of 6 games, 500 nodes each"), "{out}");
    assert!(out.lines().any(|line| line.contains("Halfpoint") && line.ends_with("as printed")), "{out}");
    assert!(!out.contains("for these players") && !out.contains("with ratings"), "{out}");
    // With ratings the engine is asked again, as if they were its options.
    let rated = fs::read_to_string(&positions)
        .unwrap()
        .lines()
        .zip(0..)
        .fold(String::new(), |text, (line, game)| text + &format!("{line};a{game};b;1500;1900\n"));
    let rated = folder.write("rated.txt", rated);
    let as_set = format!("{};WDL_WhiteElo=1500;WDL_BlackElo=1900", *OWN);
    let out = folder.done(&format!("verify {rated} --nodes 500 --engine {} --engine '{as_set}'", *OWN));
    let figures = |engine: &str, kind: &str| {
        let line = out.lines().find(|line| line.contains(engine) && line.ends_with(kind));
        line.unwrap_or_else(|| panic!("{engine} {kind}: {out}")).split("Halfpoint").next().unwrap().to_owned()
    };
    assert_eq!(figures("Halfpoint", "for these players"), figures("WDL_BlackElo=1900", "as printed"));
    assert_ne!(figures("Halfpoint", "for these players"), figures("Halfpoint", "as printed"));
    assert_eq!(out.lines().filter(|line| line.ends_with("level profile with ratings, 5-fold")).count(), 6, "{out}");
    // By ratings there is but one group of each kind: all games have a mean of 1700 and a difference of 400.
    let [json, plot] = ["ratings.json", "ratings.svg"].map(|name| folder.path(name));
    let asked = format!("verify {rated} --nodes 500 --no-refit --json {json} --plot-ratings {plot}");
    folder.done(&asked);
    let figure = fs::read_to_string(&plot).unwrap();
    assert!(figure.contains("mean 1600 to 1999: win") && figure.contains("difference from 300: win"));
    let report: serde_json::Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    for row in report["rows"].as_array().unwrap() {
        let names: Vec<_> = row["groups"].as_array().unwrap().iter().map(|group| group["name"].as_str()).collect();
        assert_eq!(names, [Some("mean 1600 to 1999"), Some("difference from 300")]);
        assert!(row["groups"].as_array().unwrap().iter().all(|group| group["log_loss"] == row["log_loss"]), "{row}");
    }
    folder.assert_refused(&format!("verify {positions} --nodes 500 --no-refit --plot-ratings {plot}"), "both ratings");
}

#[test]
fn clocks_count_where_they_decide() {
    let folder = Folder::new();
    // Games of seven moves, each with another first move; Black has ten seconds left in those with clocks.
    let game = |control: &str, clocks: [&str; 2], first: &str| {
        let moves = "e6 Nf3 d5 Nc3 Be7 Rg1 Nf6 Rh1 O-O Rg1 Nc6 Rh1 Bd7";
        let mut text =
            format!("[WhiteElo \"1500\"]\n[BlackElo \"1500\"]\n[TimeControl \"{control}\"]\n[Result \"1-0\"]\n\n");
        for (ply, m) in [first].into_iter().chain(moves.split(' ')).enumerate() {
            text += &format!("{m} {} ", clocks[ply % 2]);
        }
        text + "1-0\n\n"
    };
    let loss = |control: &str, clocks: [&str; 2]| -> f64 {
        let games: String =
            ["a3", "a4", "b3", "c3", "g3", "h3", "h4"].map(|first| game(control, clocks, first)).concat();
        let path = folder.write("games.pgn", games);
        let out =
            folder.done(&format!("verify {path} --skip-first 8 --spacing 2 --nodes 300 --no-refit --engine {}", *OWN));
        let line = out.lines().find(|line| line.ends_with("for these players")).unwrap_or_else(|| panic!("{out}"));
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let clocks = ["{[%clk 0:01:40]}", "{[%clk 0:00:10]}"];
    assert!(loss("180", clocks) < loss("180", ["", ""]) - 0.05);
    assert_eq!(loss("1800", clocks), loss("1800", ["", ""]));
}

#[test]
fn positions_of_chess960_are_verified_as_such() {
    let folder = Folder::new();
    // A mate in one, with castling rights that the engine has to be told of.
    let ranks = ["7p", "6p1", "5p2", "4p3", "3p4", "2p5"];
    let line = |rank| format!("k7/8/8/8/{rank}/8/1QQ5/1R2K1R1 w GB - 0 1;1-0\n");
    let lines: String = ranks.map(line).concat();
    let Run { out, error, code } = folder.lab(&format!("verify {} --nodes 300", folder.write("positions.txt", &lines)));
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let printed = out.lines().find(|line| line.contains("as printed")).unwrap();
    let loss: f64 = printed.split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(loss < 0.01, "{out}");
}

#[test]
fn options_are_set_in_any_order_and_refused_values_are_reported() {
    let folder = Folder::new();
    let file = folder.write("mine.toml", "[mine]\nwilo_factor = 0.01\ndraw_offset = -9.0");
    let verify = |options: &str| folder.done(&format!("verify {GAMES} --nodes 100 --engine '{};{options}'", *OWN));
    let expected = verify(&format!("WDL_ProfileFile={file};WDL_Profile=mine"));
    let printed = |out: &str| out.lines().find(|line| line.contains("as printed")).unwrap()[..50].to_owned();
    assert_eq!(printed(&verify(&format!("WDL_Profile=mine;WDL_ProfileFile={file}"))), printed(&expected));
    assert_ne!(printed(&verify("WDL_Profile=nominal")), printed(&expected));
    for (option, why) in [("WDL_Profile=nobody", "'nobody'"), ("Hash=much", "option Hash"), ("Hash=", "option Hash")] {
        folder.assert_refused(&format!("verify {GAMES} --engine '{};{option}'", *OWN), why);
    }
}

#[test]
fn what_does_not_count_is_reported() {
    let folder = Folder::new();
    let line = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1-0\n";
    let other = |pawns: usize| format!("4k3/8/8/8/8/8/4P3/{}K{} w - - 0 1;0.5\n", pawns, 7 - pawns);
    let text = line.repeat(3) + &(1..=5).map(other).collect::<String>();
    let path = folder.write("lines.txt", &text);
    let Run { error, .. } = folder.lab(&format!("verify {path} --nodes 1"));
    assert!(error.contains("note: 3 positions occurred before"), "{error}");
    let crowd = folder.write("crowd.txt", "nnnnknnn/nnnnnnnn/nnnnnnnn/nnnnnnnn/8/8/8/4K3 w - - 0 1;0\n");
    folder.assert_refused(&format!("verify {crowd}"), "33 pieces on the board, more than 32");
}

#[test]
fn what_cannot_be_verified_is_reported() {
    let folder = Folder::new();
    let one = folder.write("one.txt", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;1\n");
    folder.assert_refused(&format!("verify {one}"), "1 games, 5 are needed");
    folder.assert_refused(
        &format!("verify {}", folder.write("bad.txt", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1;3\n")),
        "is no result",
    );
    folder.assert_refused(&format!("verify {GAMES} --engine /no/such/engine"), "/no/such/engine");
    folder.assert_refused(&format!("verify {GAMES} --engine '{};Colour=red'", *OWN), "no option");
    folder.assert_refused(&format!("verify {GAMES} --engine '{};Hash'", *OWN), "Option=Value");
    folder.assert_refused(&format!("verify {GAMES} --engine true"), "the engine ended");
    folder.assert_refused(&format!("verify {GAMES} --skip-first 400"), "no position");
    folder.assert_refused(&format!("verify {GAMES} --nodes 0"), "--nodes");
}

#[test]
fn a_position_at_which_an_engine_fails_does_not_count() {
    let folder = Folder::new();
    let pawns = |i: u32| (0..8).map(|file| if i >> file & 1 == 1 { 'P' } else { '1' }).collect::<String>();
    let lines: String = (0..128).map(|i| format!("4k3/8/8/8/8/8/{}/4K3 w - - 0 1;1\n", pawns(i))).collect();
    let positions = folder.write("positions.txt", lines);
    let verify = |fails_at: &str| {
        let answers = "go*) echo info score cp 10 wdl 300 400 300; echo bestmove e2e4";
        let script = format!(
            "while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; \
             position*{fails_at}*|quit) exit;; {answers};; esac; done\n"
        );
        {
            folder.write("engine.sh", script);
            folder.lab(&format!("verify {positions} --engine 'sh engine.sh'"))
        }
    };
    let Run { out, error, code } = verify("PPPPPPP1");
    assert_eq!(code, Some(0), "{error}");
    assert!(error.contains("1 positions do not count") && error.contains("PPPPPPP1"), "{error}");
    let counted = |row: &str| out.lines().find(|line| line.contains(row)).unwrap().trim_start()[..4].to_owned();
    assert_eq!((counted("base rates"), counted("as printed")), ("128 ".to_owned(), "127 ".to_owned()));
    // One in a hundred at most.
    let Run { error, code, .. } = verify("PPPPPP");
    assert!(code != Some(0) && error.contains("the engine ended"), "{error}");
}

/// Games between players who do not win with a queen more.
fn careless_games() -> String {
    let ranks = (0..8).flat_map(|left| (left + 1..8).map(move |right| (left, right)));
    ranks
        .zip(["1", "0.5", "0"].into_iter().cycle())
        .map(|((left, right), result)| {
            let pawns: String = (0..8).map(|file| if file == left || file == right { '1' } else { 'p' }).collect();
            format!("rnb1kbnr/{pawns}/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;{result}\n")
        })
        .collect()
}

#[test]
fn profiles_are_fitted_and_written_beside_others() {
    let folder = Folder::new();
    let kept = "# mine\n[zeta] # last\nwilo_factor = 1.0 # as it is\ndraw_offset = 0.0\n\n\
                # fitted\n[fast]\ndescription = \"my games\"\ndraw_offset = 0.5\nwilo_factor = 9.0 # old\ndraw_sharp = -9.0\n";
    let output = folder.write("profiles.toml", kept);
    let games = folder.write("games.txt", careless_games());
    let arguments = format!("profile {games} --name fast --min-games 5 --nodes 200 -o {output}");
    let out = folder.done(&arguments);
    assert!(out.starts_with("fast: ") && out.contains("uncorrected") && out.contains("wilo_factor"), "{out}");
    let (_, bins) =
        out.split_once("worst bin of 300 positions and 100 games or more, observed less predicted:\n").unwrap();
    assert!(["    W ", "  D ", "  L "].iter().all(|part| bins.lines().next().unwrap().contains(part)), "{out}");
    let text = fs::read_to_string(&output).unwrap();
    for part in [
        "# mine\n[zeta] # last\nwilo_factor = 1.0 # as it is",
        "# fitted\n[fast]",
        "# old",
        "\"my games\"",
        "[fast.fit]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.find("[zeta]").unwrap() < text.find("[fast]").unwrap());
    assert!(!text.contains("9.0") && !text.contains("draw_sharp_interval = [-9"), "{text}");
    let numbers = text[text.find("[fast]").unwrap()..text.find("[fast.fit]").unwrap()].lines().filter_map(|line| {
        let (key, _) = line.split_once(" = ")?;
        ProfileNumbers::index(key)
    });
    assert!(numbers.is_sorted(), "{text}");
    // Names are the same in any case.
    let Run { error, code, .. } = folder.lab(&arguments.replace("fast", "FAST"));
    assert_eq!((code, fs::read_to_string(&output).unwrap()), (Some(0), text.clone()), "{error}");
    // A comment alone stays at the top.
    let fresh = folder.write("fresh.toml", "# about\n# profiles\n\n");
    folder.done(&arguments.replace(&output, &fresh));
    let written = fs::read_to_string(&fresh).unwrap();
    assert!(
        written.starts_with("# about\n# profiles\n\n[fast]\n") && written.matches("# about").count() == 1,
        "{written}"
    );
    // The engine takes what was written, and writing again changes nothing.
    let engine = format!("{};WDL_ProfileFile={output};WDL_Profile=fast", *OWN);
    let out = folder.done(&format!("verify {games} --nodes 200 --engine '{engine}' --engine {}", *OWN));
    let loss = |end: &str| -> f64 {
        let line = out.lines().find(|line| line.ends_with(end)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let own = out.lines().filter(|line| line.ends_with("as printed") && !line.contains("fast")).count();
    assert_eq!(own, 3, "{out}");
    assert!(loss("WDL_Profile=fast as printed") < loss(") as printed") - 0.5, "{out}");
    folder.lab(&arguments);
    assert_eq!(fs::read_to_string(&output).unwrap(), text);
}

#[test]
fn what_cannot_be_profiled_is_reported() {
    let folder = Folder::new();
    let output = folder.path("profiles.toml");
    folder.assert_refused(&format!("profile {GAMES} --name nominal -o {output}"), "nominal");
    folder.assert_refused(&format!("profile {GAMES} --name 'two words' -o {output}"), "two words");
    folder.assert_refused(&format!("profile {GAMES} --band x=5-4 -o {output}"), "x=5-4");
    folder.assert_refused(&format!("profile {GAMES} --band x=1-4 --band x=5-9 -o {output}"), "the name 'x'");
    folder.assert_refused(&format!("profile {GAMES} --band x=1-5 --band y=5-9 -o {output}"), "'x' and 'y' overlap");
    folder.assert_refused(&format!("profile {GAMES} --seed 18446744073709551615 -o {output}"), "18446744073709551615");
    folder.assert_refused(&format!("tune {GAMES} {GAMES} --out a.toml"), "hold the same");
    let tiny = "--vectors wilo --prior-wilo 1e-300 --validation 0 --test 0";
    let Run { error, code, .. } = folder.lab(&format!("tune {GAMES} --out a.toml {tiny}"));
    assert!(code != Some(0) && error.contains("error: the loss became"), "{error}");
    let Run { error, code, .. } = folder.lab(&format!("profile {GAMES} --name a --min-games 5 --nodes 1 -o {output}"));
    assert!(code != Some(0) && !fs::exists(&output).unwrap(), "{error}");
    assert!(error.contains("a is no better than none") && error.contains("no profile to write"), "{error}");
    let broken = folder.write("broken.toml", "[a]\nwilo_factor = 101");
    folder.assert_refused(&format!("profile {GAMES} --name a -o {broken}"), "line 2: wilo_factor = 101");
    folder.assert_refused(&format!("profile {GAMES} --name a -o no/such.toml"), "no/such.toml");
    let Run { error, code, .. } = folder.lab(&format!("profile {GAMES} --name a -o {output}"));
    assert_ne!(code, Some(0));
    assert!(error.contains("too little data for a: 5 games, 100 are needed"), "{error}");
    let Run { error, code, .. } = folder.lab(&format!("profile {GAMES} -o {output}"));
    assert_ne!(code, Some(0));
    assert!(error.contains("without ratings") && error.contains("too little data"), "{error}");
}
