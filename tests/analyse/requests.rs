//! `--json-lines`.

use crate::run::{Run, objects};
use serde_json::{Value, json};
use std::io::Write;
use std::process::Stdio;

fn answers(requests: &str) -> (Vec<Value>, bool) {
    answers_with("", requests)
}

fn answers_with(options: &str, requests: &str) -> (Vec<Value>, bool) {
    let run = Run::new("");
    let mut child = run
        .command(&format!("--json-lines --nodes 500 --threads 2 {options}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(requests.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let mut found = objects(&output.stdout);
    found.sort_by_key(|answer| answer["id"].to_string());
    (found, output.status.success())
}

#[test]
fn requests_are_answered() {
    let (found, all) = answers(
        "{\"id\":1,\"moves\":\"e2e4 e7e5\",\"depth\":4,\"multipv\":3}\n\n\
         {\"id\":2,\"fen\":\"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\",\"whiteElo\":1000,\"blackElo\":1000,\"timeControl\":\"rapid\"}\n\
         {\"id\":3,\"fen\":\"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\",\"moves\":[]}\n",
    );
    assert!(all);
    assert_eq!(found.len(), 3);
    assert_eq!((found[0]["lines"].as_array().unwrap().len(), &found[0]["depth"]), (3, &json!(4)));
    assert_eq!((&found[1]["mate"], &found[1]["best"]), (&json!(1), &json!("d1d8")));
    assert_eq!(found[1]["wdlFor"], "players rated 1000 in rapid games");
    assert_eq!((&found[2]["wdl"], found[2].get("best")), (&json!([0, 1000, 0]), None));
}

#[test]
fn options_hold_where_a_request_does_not_say() {
    let (found, all) = answers_with(
        "--chess960 --profile grandmaster",
        "{\"id\":1,\"fen\":\"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1\"}\n\
         {\"id\":2,\"whiteElo\":1000,\"blackElo\":2400,\"timeControl\":\"blitz\"}\n\
         {\"id\":3,\"timeControl\":\"exhibition\"}\n",
    );
    assert!(!all);
    assert_eq!(found[0]["wdlFor"], "profile grandmaster");
    assert_eq!(found[1]["wdlFor"], "White rated 1000 against Black rated 2400 in blitz games");
    assert_eq!(found[2]["error"], "'exhibition' is not a time control");
}

#[test]
fn bad_requests_are_told_and_the_others_answered() {
    let (found, all) = answers(
        "\u{feff}nonsense\n{\"id\":\"a\",\"nodez\":1}\n{\"id\":\"b\",\"moves\":\"e2e5\"}\n{\"id\":\"c\",\"profile\":\"x\"}\n\
         {\"id\":\"d\",\"time\":-1}\n{\"id\":\"e\",\"fen\":\"x\"}\n{\"id\":\"f\",\"nodes\":100}\n\
         {\"id\":\"g\",\"whiteElo\":0}\n{\"id\":\"h\",\"blackElo\":99999}\n{\"id\":\"i\",\"depth\":300}\n\
         {\"id\":\"j\",\"depth\":0}\n{\"id\":\"k\",\"nodes\":0}\n{\"id\":\"l\",\"multipv\":257}\n{\"id\":\"m\",\"time\":0}\n\
         {\"id\":\"n\",\"depth\":1,\"nodes\":1,\"multipv\":1,\"time\":0.001}\n[]\n",
    );
    assert!(!all);
    let errors: Vec<bool> = found.iter().map(|answer| answer["error"].is_string()).collect();
    let answered: Vec<_> = (0..errors.len()).filter(|&index| !errors[index]).map(|index| &found[index]["id"]).collect();
    assert_eq!((answered, found.len()), (vec![&json!("f"), &json!("n")], 16), "{found:?}");
    assert_eq!(found[6]["error"], "whiteElo 0 is no rating from 1 to 10000");
    let told: Vec<_> = (8..13).map(|index| found[index]["error"].as_str().unwrap()).collect();
    assert_eq!(
        told,
        [
            "depth 300 is not in 1..=245",
            "depth 0 is not in 1..=245",
            "nodes 0 is not in 1..",
            "multipv 257 is not in 1..=256",
            "time 0 is not a number of seconds from 0.001"
        ]
    );
    assert!(found[1]["error"].as_str().unwrap().contains("illegal move 'e2e5'"));
    let is_object_asked_for =
        |answer: &Value| answer["error"].as_str().is_some_and(|error| error.contains("an object"));
    assert_eq!(found.iter().filter(|answer| is_object_asked_for(answer)).count(), 2);
}

#[cfg(unix)]
#[test]
fn a_request_that_is_too_long_is_one_request() {
    let (found, all) = answers(&format!("{{\"id\":\"{}\"}}\n{{\"id\":1,\"nodes\":100}}\n", "x".repeat(3 << 20)));
    assert!(!all && found.len() == 2, "{}", found.len());
    assert!(found.iter().any(|answer| answer["id"] == 1 && answer.get("error").is_none()));
    assert!(found.iter().any(|answer| answer.get("error").is_some()));
}

#[test]
fn nobody_is_answered_who_is_gone() {
    use std::time::{Duration, Instant};
    let run = Run::new("");
    for request in ["", "{\"id\":1,\"depth\":200}\n"] {
        let mut command = run.command("--json-lines --threads 2");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // It stays open: no end of the requests.
        let mut requests = child.stdin.take().unwrap();
        requests.write_all(request.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none());
        drop(child.stdout.take());
        let closed = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(closed.elapsed() < Duration::from_secs(20), "it goes on: {request}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
