//! `law`.

use super::calibration::OWN;
use super::{Folder, Run, data};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// How often what is on the board decides.
#[derive(Clone, Copy, PartialEq)]
enum Skill {
    Little,
    Much,
}

/// Positions with random pawns, knights and rooks, each with a result that the material decides, more or less.
fn positions(skill: Skill, seed: u64) -> Vec<(String, &'static str)> {
    let mut random = StdRng::seed_from_u64(seed);
    let mut side = |pawn: char, back: [char; 8]| {
        let mut points = 0;
        let pawns: String = (0..8).map(|_| if random.random_bool(0.6) { pawn } else { '1' }).collect();
        points += pawns.chars().filter(|piece| *piece == pawn).count();
        let mut keep = |piece: char| match piece.to_ascii_lowercase() {
            'n' | 'r' if random.random_bool(0.3) => '1',
            _ => piece,
        };
        let back: String = back.into_iter().map(&mut keep).collect();
        points += back
            .chars()
            .map(|piece| match piece.to_ascii_lowercase() {
                'n' => 3,
                'r' => 5,
                _ => 0,
            })
            .sum::<usize>();
        (pawns, back, points as f64)
    };
    let sides: Vec<_> = (0..800)
        .map(|_| {
            (side('P', ['R', 'N', 'B', '1', 'K', 'B', 'N', 'R']), side('p', ['r', 'n', 'b', '1', 'k', 'b', 'n', 'r']))
        })
        .collect();
    let mut result = |ahead: f64| {
        let drawn = if skill == Skill::Much { 0.4 / (1.0 + ahead.abs()) } else { 0.33 };
        let won = 1.0 / (1.0 + (-ahead * if skill == Skill::Much { 1.0 } else { 0.1 }).exp());
        match (random.random_bool(drawn), random.random_bool(won)) {
            (true, _) => "1/2-1/2",
            (_, true) => "1-0",
            (_, false) => "0-1",
        }
    };
    let line = |((white, first, more), (black, last, less)): ((String, String, f64), (String, String, f64))| {
        (format!("{last}/{black}/8/8/8/8/{white}/{first} w - - 0 1"), result(more - less))
    };
    sides.into_iter().map(line).collect()
}

/// They as lines with the result for White.
fn lines(skill: Skill) -> String {
    let points = |result: &'static str| if result == "1/2-1/2" { "0.5" } else { &result[..1] };
    positions(skill, 1).into_iter().map(|(fen, result)| format!("{fen};{}\n", points(result))).collect()
}

/// Others as games of two players of a rating.
fn games(skill: Skill, elo: u32, time_control: &str) -> String {
    positions(skill, u64::from(elo))
        .into_iter()
        .map(|(fen, result)| {
            format!(
                "[Event \"?\"]\n[FEN \"{fen}\"]\n[SetUp \"1\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n\
                 [TimeControl \"{time_control}\"]\n[Result \"{result}\"]\n\n1. Kd1 Kd8 {result}\n\n"
            )
        })
        .collect()
}

/// The engine with a table that takes no longer to clear than the searches.
fn small_hash() -> String {
    format!("{};Hash=1", *OWN)
}

#[test]
fn nominal_goes_with_the_nodes_of_the_games() {
    let folder = Folder::new();
    let output = folder.write(
        "nominal.toml",
        "# mine\n[contempt]\nlimit_wilo = 123\n\n# a factor\n[wilo_factor]\nconstant = 1.0\n\n[draw_idle]\nconstant = 1.0\n",
    );
    let slow = folder.write("slow.txt", lines(Skill::Much));
    let fast = folder.write("fast.txt", lines(Skill::Little));
    let plot = folder.path("plot.svg");
    let run = format!("law nominal 1000={fast} 2000={slow} --skip-first 0 --plot {plot} -o {output}");
    let out = folder.done(&format!("{run} --engine '{}'", small_hash()));
    assert!(out.contains(" 1000 nodes") && out.contains(" 2000 nodes"), "{out}");
    let text = folder.read("nominal.toml");
    assert!(text.starts_with("# mine\n") && text.contains("limit_wilo = 123") && text.contains("# a factor"), "{text}");
    // No game tells of plies without progress.
    assert!(
        !text.contains("draw_idle") && text.contains("nodes = ") && text.contains("[fit]\npositions = 1600"),
        "{text}"
    );
    let svg = folder.read("plot.svg");
    assert!(svg.contains("2000 nodes, 800 games") && svg.contains("win of either"), "{svg}");
    // The engine takes the file: with few nodes the material decides little, with more much.
    let loss = |nodes: u32, games: &str, option: &str| -> f64 {
        let engine = format!("'{}{option}'", small_hash());
        let out = folder.done(&format!("verify {games} --nodes {nodes} --skip-first 0 --no-refit --engine {engine}"));
        let line = out.lines().find(|line| line.ends_with("as printed")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let fitted = format!(";WDL_NominalFile={output}");
    let losses = [loss(1000, &fast, ""), loss(1000, &fast, &fitted), loss(2000, &slow, ""), loss(2000, &slow, &fitted)];
    assert!(losses[1] < losses[0] - 0.3 && losses[1] < 1.2 && losses[3] < losses[2], "{losses:?}");
}

#[test]
fn people_go_with_their_ratings_and_time() {
    let folder = Folder::new();
    folder.write("games/a.pgn", games(Skill::Little, 900, "180+0"));
    folder.write("games/b.pgn", games(Skill::Much, 2300, "5400+30"));
    let ratings = folder.write("ratings.toml", "# theirs\nlimit_elo = 400.0\n");
    let run = "law people games --nodes 200 --skip-first 0 --spacing 1 -o people.toml --ratings ratings.toml";
    let Run { out, error, code } = folder.lab(&format!("{run} --engine '{}'", small_hash()));
    assert_eq!(code, Some(0), "{error}");
    assert!(error.contains("fewer than 6 files"), "{error}");
    let row = |name: &str| -> Vec<f64> {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{out}"));
        line[name.len()..].split_whitespace().filter_map(|word| word.parse().ok()).collect()
    };
    // Log loss of the law, and of the fractions in which the results happened, which it must meet on games held out.
    for name in ["blitz  800 to  999", "classical 2200 to 2399"] {
        let row = row(name);
        assert!(row[1] == 800.0 && row[2] < row[4] + 0.1, "{row:?}");
    }
    let text = folder.read("people.toml");
    // No position is a mate in sight, so those stay certain.
    assert!(text.contains("rating = ") && !text.contains("mate"), "{text}");
    assert!(std::fs::read_to_string(ratings).unwrap().starts_with("# theirs\nlimit_elo = "));
}

#[test]
fn what_no_law_can_be_fitted_to_is_told() {
    let folder = Folder::new();
    let games = data!("engine-games.pgn");
    for wrong in ["games.vf", "0=games.vf", "x=games.vf"] {
        folder.assert_refused(&format!("law nominal {wrong} -o a.toml"), "NODES=FILE");
    }
    folder.write("old.toml", "[1000]\nwilo_factor = 1.0\n");
    folder.assert_refused(&format!("law nominal 100={games} -o old.toml"), "there is no such number");
    folder.assert_refused(&format!("law nominal 100={games} -o {games}"), games);
    folder.assert_refused("law nominal 100=none.vf -o a.toml", "none.vf");
    folder.assert_refused(&format!("law nominal 100={games} 50={games} -o a.toml"), "hold the same");
    folder.assert_refused(&format!("law nominal 100={games} --limit 3 -o a.toml"), "too little data: ");
    folder.write("broken.toml", "x = [\n");
    folder.assert_refused(&format!("law nominal 100={games} -o broken.toml"), "broken.toml, line 1: ");
    folder.assert_refused(&format!("law people {games} -o a.toml --ratings b.toml"), "both ratings are needed");
    folder.assert_refused(&format!("law people {games} -o old.toml --ratings b.toml"), "there is no such number");
}
