//! Lines of a session. What it prints goes to standard output.
#![no_main]

use halfpoint::uci;

/// Most lines of a session.
const MAX_LINES: usize = 40;
/// What may take long or much memory because it was asked for.
const LONG: [&str; 7] = ["infinite", "ponder", "perft", "bench", "genfens", "hash", "threads"];

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let lines = text.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !LONG.iter().any(|word| line.contains(word))
    });
    // A search ends soon, whatever else is asked for.
    let ended = lines.map(|line| {
        let is_search = line.split_whitespace().any(|word| word.eq_ignore_ascii_case("go"));
        if is_search { format!("{line} nodes 500 movetime 100") } else { line.to_owned() }
    });
    uci::run_arguments(&ended.take(MAX_LINES).collect::<Vec<_>>()).unwrap();
});
