//! Work that was interrupted.

use crate::run::{Run, failure};
use std::fs;
use std::time::{Duration, Instant};
use std::{process::Stdio, thread};

const GAME: &str = include_str!("../../examples/game.pgn");
const ARGUMENTS: &str = "games.pgn --nodes 4000 --threads 2 --json out.json";

/// A run that was killed in the middle of its work, so that some of it is in a file.
fn interrupted(arguments: &str) -> Run {
    let run = Run::new(GAME);
    let unfinished = run.path("out.json.unfinished");
    let mut child = run.command(arguments).stdout(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let done = || fs::read_to_string(&unfinished).map_or(0, |text| text.lines().count());
    while done() < 20 {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "it goes on");
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(run.files(), ["games.pgn", "out.json.unfinished"]);
    run
}

#[test]
fn interrupted_work_goes_on_where_it_was() {
    let whole = Run::new(GAME);
    assert!(whole.run(ARGUMENTS).status.success());

    let run = interrupted(ARGUMENTS);
    // As if it had been cut in the middle of a line.
    let mut text = run.read("out.json.unfinished");
    text += "{\"game\":0,\"ply\":3,\"no";
    fs::write(run.path("out.json.unfinished"), &text).unwrap();
    assert!(run.run(ARGUMENTS).status.success());
    assert_eq!(run.files(), ["games.pgn", "out.json"]);
    assert_eq!(run.read("out.json"), whole.read("out.json"));
}

#[test]
fn unfinished_work_is_not_erased_by_other_options_or_games() {
    let run = interrupted(ARGUMENTS);
    let before = run.read("out.json.unfinished");
    for (from, to, differences) in [
        ("--nodes 4000", "--nodes 1000", "unfinished work with 4000 nodes, not 1000 nodes;"),
        (
            "--json",
            "--hash 3 --multipv 2 --json",
            "with 4000 nodes, a table of 16 MiB, not 4000 nodes, 2 lines, a table of 3 MiB",
        ),
        ("--json", "--people --json", "unfinished work with the engine's moves alone, not people's moves;"),
        (
            "--json",
            "--thresholds 0.6,0.7,0.8 --json",
            "unfinished work with thresholds 0.05,0.08,0.16, not thresholds 0.6,0.7,0.8;",
        ),
        ("--json", "--white-elo 2000 --json", "unfinished work with other players, not these;"),
        ("games.pgn", "other.pgn", "unfinished work with other games, not these;"),
    ] {
        fs::write(run.path("other.pgn"), "1. e4 *").unwrap();
        let (code, error) = failure(&run.run(&ARGUMENTS.replace(from, to)));
        assert!(code == 1 && error.contains(differences) && error.lines().count() == 1, "{error}");
        assert!(error.contains("finish it with these, or delete the file"), "{error}");
        assert_eq!(run.read("out.json.unfinished"), before);
    }
    // What shows the same searches in another way goes on.
    assert!(run.run(&format!("{ARGUMENTS} --pgn out.pgn")).status.success());
}

#[test]
fn damaged_lines_are_left_out_and_said() {
    let whole = Run::new(GAME);
    assert!(whole.run(ARGUMENTS).status.success());
    let run = interrupted(ARGUMENTS);
    let text = run.read("out.json.unfinished").into_bytes();
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let digit = lines[..5].concat().len() + lines[5].iter().position(u8::is_ascii_digit).unwrap();
    // Another digit is as bad as what is no text.
    for (place, byte, part) in [(digit, b'9', "; damaged lines left out: 1"), (digit, 0xff, "damaged lines left out")] {
        let mut damaged = text.clone();
        damaged[place] = if damaged[place] == byte { b'8' } else { byte };
        fs::write(run.path("out.json.unfinished"), damaged).unwrap();
        let (code, error) = failure(&run.run(ARGUMENTS));
        assert!(code == 0 && error.lines().count() == 1, "{error}");
        assert!(error.contains("out.json.unfinished: goes on after ") && error.contains(part), "{error}");
        assert_eq!(run.files(), ["games.pgn", "out.json"]);
        assert_eq!(run.read("out.json"), whole.read("out.json"));
    }
    for wrong in [&text[1..], b"another program's", b"{\"journal\":2}\n"] {
        fs::write(run.path("out.json.unfinished"), wrong).unwrap();
        let (code, error) = failure(&run.run(ARGUMENTS));
        assert!(code == 1 && error.contains("delete the file to begin anew"), "{error}");
        assert_eq!(fs::read(run.path("out.json.unfinished")).unwrap(), wrong);
    }
    // A run that was ended before or while it wrote its first line.
    for begun in [&text[..0], &text[..30]] {
        fs::write(run.path("out.json.unfinished"), begun).unwrap();
        assert!(run.run(ARGUMENTS).status.success());
    }
}

#[test]
fn one_run_at_a_time_works_on_an_output() {
    let run = Run::new(GAME);
    let mut first = run.command("games.pgn --nodes 20000 --threads 1 --json out.json").spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while fs::read_to_string(run.path("out.json.unfinished")).map_or(0, |text| text.lines().count()) < 2 {
        assert!(Instant::now() < deadline);
        thread::sleep(Duration::from_millis(2));
    }
    let (code, error) = failure(&run.run("games.pgn --nodes 20000 --json out.json"));
    assert!(code == 1 && error.contains("out.json.unfinished: another run is at work on this output"), "{error}");
    // A run that keeps its work elsewhere does not lose it either. It has more to do, and so ends later.
    let mut second = run.command("games.pgn --nodes 50000 --threads 1 --html a.html --json out.json");
    let second = second.stderr(Stdio::piped()).spawn().unwrap();
    assert!(first.wait().unwrap().success());
    let report = run.read("out.json");
    let (code, error) = failure(&second.wait_with_output().unwrap());
    assert!(code == 1 && error.contains("another program has written it meanwhile"), "{error}");
    assert!(error.contains("the searches are kept in"), "{error}");
    assert_eq!((run.read("out.json"), run.files().len()), (report, 4));
}

#[test]
fn threads_do_not_matter() {
    let run = Run::new(GAME);
    let with = |threads: usize| run.json(&format!("games.pgn --nodes 1000 --threads {threads}"));
    assert_eq!(with(1), with(3));
}
