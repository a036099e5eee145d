//! Faults of the world around: full files, dead readers, numbers without sense, engines that never stop talking.

use super::{ANSWER, Folder, PATIENCE, Run, data, end};
use halfpoint::position::Position;
use halfpoint_lab::dataset::{Ending, Eval, Game, Ply, encode};
use shakmaty::KnownOutcome;
use std::fs::{self, File};
use std::io::pipe;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Most memory that a command which streams may have used, in KiB; what these tests feed it is more.
const MAX_KIB: u64 = 60_000;

/// Lines with distinct positions, each of a game of its own.
fn positions(count: usize) -> String {
    let mut lines = String::new();
    let patterns = (1_u32..1 << 24).filter(|pattern| pattern.count_ones() <= 8);
    for (index, pattern) in patterns.take(count).enumerate() {
        let row = |rank: u32| -> String {
            (0..8).map(|file| if pattern >> (8 * rank + file) & 1 == 1 { 'P' } else { '1' }).collect()
        };
        let result = ["1", "0", "0.5"][index % 3];
        lines += &format!("r3k3/8/8/{}/{}/{}/8/4K3 w - - 0 1;{result}\n", row(2), row(1), row(0));
    }
    lines
}

#[test]
fn profiles_fitted_at_the_same_time_are_all_kept() {
    let folder = Folder::new();
    folder.write("games.txt", positions(60));
    // The first has read the file when it asks its engine, and waits there until the second is through.
    let wait = "touch begun; until [ -e done ]; do sleep 0.05; done";
    let [slow, fast] = [("slow.sh", wait), ("fast.sh", "")].map(|(name, first)| folder.engine(name, first, ANSWER));
    let profile = |name: &str, engine: &str| {
        let fixed = "profile games.txt --skip-first 0 --spacing 1 --min-games 10 -o profiles.toml";
        let log = File::create(folder.path(&format!("{name}.log"))).unwrap();
        folder.start(&format!("{fixed} --name {name} --engine {engine}"), Stdio::null(), log)
    };
    let first = profile("slow", &slow);
    let deadline = Instant::now() + PATIENCE;
    while !fs::exists(folder.path("begun")).unwrap() && Instant::now() < deadline {
        sleep(Duration::from_millis(10));
    }
    let second = end(profile("fast", &fast));
    folder.write("done", "");
    let first = end(first);
    assert!(second.success() && first.success(), "{}{}", folder.read("fast.log"), folder.read("slow.log"));
    let written = folder.read("profiles.toml");
    assert!(written.contains("[slow]") && written.contains("[fast]"), "{written}");
}

#[test]
fn a_closed_standard_error_ends_nothing() {
    let folder = Folder::new();
    let code = |line: &str| {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        end(folder.start(line, Stdio::null(), writer)).code()
    };
    // It says what it read, then that there are too few games for so many parts.
    let all = "--validation 0 --test 0 --noisy keep --checks keep --mates keep --folds 100";
    assert_eq!(code(&format!("tune {} --out new.toml {all}", data!("cases/quotes-in-tag.pgn"))), Some(1));
    // A broken game and a good one: a warning, then the counts.
    assert_eq!(code(&format!("count {}", data!("cases/unterminated-brace.pgn"))), Some(0));
    assert!(fs::exists(folder.path("scoreWDLstat.json")).unwrap());
    assert_eq!(code("count --nonsense"), Some(2));
}

#[test]
fn files_of_others_are_replaced_only_when_asked() {
    let folder = Folder::new();
    folder.write("lines.txt", positions(6));
    let engine = folder.engine("engine.sh", "", ANSWER);
    let (games, counts) = (data!("cases/quotes-in-tag.pgn"), data!("engine-games-counts.json"));
    let verify = format!("verify lines.txt --skip-first 0 --no-refit --engine {engine}");
    for (command, works) in [
        (format!("count {games} -o mine.txt"), true),
        (format!("fit {counts} --win-min 1 --figure mine.txt"), true),
        (format!("fit {counts} --win-min 1 --figure-counts mine.txt"), true),
        (format!("{verify} --json mine.txt"), true),
        (format!("{verify} --plot mine.txt"), true),
        (format!("tune {games} --out mine.txt --folds 100"), false),
    ] {
        folder.write("mine.txt", "mine");
        folder.assert_refused(&command, "--overwrite replaces it");
        assert_eq!(folder.read("mine.txt"), "mine", "{command}");
        let Run { error, code, .. } = folder.lab(&format!("{command} --overwrite"));
        assert!(!error.contains("--overwrite"), "{command}: {error}");
        if works {
            assert_eq!(code, Some(0), "{command}: {error}");
            // What the command made it replaces unasked.
            let written = folder.read("mine.txt");
            folder.done(&command);
            assert_eq!(folder.read("mine.txt"), written, "{command}");
        }
    }
}

#[test]
fn numbers_without_sense_are_refused() {
    let folder = Folder::new();
    folder.write("lines.txt", positions(6));
    let count = format!("count {} -o x", data!("cases/quotes-in-tag.pgn"));
    for command in [
        "datagen --nodes 1 --out x --games 18446744073709551615",
        &format!("{count} --concurrency 100000"),
        &format!("{count} --concurrency 0"),
        "verify lines.txt --concurrency 100000 --engine true",
        "profile lines.txt --concurrency 100000 --engine true -o x",
    ] {
        let Run { error, code, .. } = folder.lab(command);
        assert_eq!((code, error.lines().count()), (Some(2), 1), "{command}: {error}");
        assert!(!fs::exists(folder.path("x")).unwrap());
    }
    for (counts, why) in [
        (r#"{"('W', 1, 78, 35)": 18446744073709551615, "('D', 1, 78, 35)": 18446744073709551615}"#, "positions in all"),
        (r#"{"('W', 4294967295, 78, 35)": 3}"#, "not of the form"),
        (r#"{"('W', 1, 78, -2147483648)": 3}"#, "not of the form"),
    ] {
        folder.write("counts.json", counts);
        folder.assert_refused("fit counts.json", why);
    }
}

#[test]
fn large_files_are_refused_before_they_are_read() {
    let folder = Folder::new();
    fs::copy(data!("cases/quotes-in-tag.pgn"), folder.path("test.pgn")).unwrap();
    for (name, mib, command) in [
        ("counts.json", 1025, "fit counts.json"),
        ("test.json", 65, "count test.pgn -o out.json"),
        ("profiles.toml", 5, "profile test.pgn -o profiles.toml"),
    ] {
        // Files with holes take no room on the disk.
        File::create(folder.path(name)).unwrap().set_len(mib << 20).unwrap();
        folder.assert_refused(command, "larger than");
    }
}

#[test]
fn a_game_without_end_is_refused() {
    let folder = Folder::new();
    let start = Position::default();
    let mut now = start;
    let mut plies = Vec::new();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(20_001) {
        let m = now.parse_move(text).unwrap();
        plies.push(Ply { m, eval: Eval::default() });
        now = now.play(m);
    }
    let mut bytes = Vec::new();
    let game = Game { start, plies, outcome: KnownOutcome::Draw, ending: Ending::Unknown };
    encode(&game, &mut bytes).unwrap();
    folder.write("games.vf", bytes);
    folder.assert_refused("tune games.vf --out new.toml", "more than 20000 moves");
}

/// What the command has used of memory at most, as its engine finds it.
#[cfg(target_os = "linux")]
mod memory {
    use super::*;

    const LOOK: &str = "grep VmHWM /proc/$PPID/status > memory";

    /// Verifies an engine on so many positions.
    fn verify(folder: &Folder, count: usize, engine: &str, options: &str) -> Run {
        folder.write("lines.txt", positions(count));
        folder.lab(&format!("verify lines.txt --skip-first 0 --no-refit --engine {engine} {options}"))
    }

    fn assert_small(folder: &Folder, run: &Run) {
        assert_eq!(run.code, Some(0), "{}", run.error);
        let kib: u64 = folder.read("memory").split_ascii_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(kib < MAX_KIB, "{kib} KiB");
    }

    #[test]
    fn a_limit_holds_no_more_than_it_takes() {
        let folder = Folder::new();
        let engine = folder.engine("engine.sh", LOOK, ANSWER);
        assert_small(&folder, &verify(&folder, 300_000, &engine, "--limit 20"));
    }

    #[test]
    fn an_endless_line_is_cut() {
        let folder = Folder::new();
        let long = format!("head -c 200000000 /dev/zero | tr '\\0' x; echo; {LOOK}; {ANSWER}");
        let engine = folder.engine("engine.sh", "", &long);
        assert_small(&folder, &verify(&folder, 5, &engine, ""));
    }

    #[test]
    fn an_engine_that_never_stops_talking_fails() {
        let folder = Folder::new();
        let engine = folder.engine("engine.sh", "", "yes info score cp 10 wdl 300 400 300");
        let Run { error, code, .. } = verify(&folder, 5, &engine, "--timeout 20");
        assert!(code == Some(1) && error.contains("before 'bestmove'"), "{error}");
    }
}
