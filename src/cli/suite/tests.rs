use super::goal::Goal;
use super::*;

fn position(text: &str) -> Result<SuitePosition, String> {
    let line = LineTexts::new(text.as_bytes()).next().unwrap().unwrap();
    SuitePosition::from_line(&line.parse(CastlingRights::Either).unwrap()).map(|(position, _)| position)
}

fn solved(text: &str, options: &SearchOptions) -> Solved {
    solve(&mut Searcher::new(options).unwrap(), &position(text).unwrap(), options)
}

fn options(depth: usize) -> SearchOptions {
    let mut options = SearchOptions::default();
    (options.nodes, options.depth, options.hash_mib) = (None, Some(depth), 1);
    options
}

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

#[test]
fn goals_are_read_and_graded() {
    let graded = |operations: &str| solved(&format!("{BACK_RANK} {operations}"), &options(4)).grade;
    let found = Grade { is_found: true, ..Grade::default() };
    assert_eq!(graded("bm Kf1 Rd8+;"), found);
    assert_eq!(graded("bm d1d8;"), found);
    assert_eq!(graded("bm Kf1;"), Grade::default());
    assert_eq!(graded("am Rd8#;"), Grade::default());
    assert_eq!(graded("am Kf1;"), found);
    for mate in ["dm 1;", "dm 3;", "bm #1;"] {
        assert_eq!(graded(mate), Grade { mate: Some(1), ..found }, "{mate}");
    }
    assert_eq!(graded("dm -1;"), Grade::default());
    assert_eq!(graded("bm Rd8; c0 \"Rd8+=10, Kf1=3, Kh9=2\";"), Grade { points: (10, 10), ..found });
    assert_eq!(graded("bm Kf1; c0 \"Kf1=10, Rd8=3\";"), Grade { points: (3, 10), ..Grade::default() });
}

#[test]
fn moves_are_read_as_in_games() {
    for (line, expected) in [
        ("5nr1/2Pp2pk/3Pp1p1/4P1P1/6P1/5K2/8/7n w - - bm c8N;", "c8=N"),
        ("5nr1/2Pp2pk/3Pp1p1/4P1P1/6P1/5K2/8/7n w - - bm c7c8n!;", "c8=N"),
        ("r3k2r/p4ppp/8/8/8/8/P4PPP/R3K2R w KQkq - bm 0-0;", "O-O"),
        ("r3k2r/p4ppp/8/8/8/8/P4PPP/R3K2R w KQkq - bm 12.0-0;", "O-O"),
        ("r3k2r/p4ppp/8/8/8/8/P4PPP/R3K2R w KQkq - am 12. Rd1;", "Rd1"),
        ("r3k2r/p4ppp/8/8/8/8/P4PPP/R3K2R b KQkq - bm 12...Rd8;", "Rd8"),
        ("r3k2r/p4ppp/8/8/8/8/P4PPP/R3K2R w KQkq - am 000;", "O-O-O"),
        ("r3k2r/p4ppp/8/8/8/8/P4PPP/R3K2R w KQkq - c0 \"Ra1-d1=7\";", "Rd1"),
    ] {
        let suite = position(line).unwrap();
        let m = match &suite.goal {
            Goal::Moves(moves) => moves[0].0,
            Goal::Avoid(moves) => moves[0],
            Goal::Mate(_) => panic!("{line}"),
        };
        assert_eq!(suite.san(m), expected, "{line}");
    }
}

#[test]
fn faults_are_named() {
    for (operations, fault) in [
        ("bm Kf3;", "'Kf3' is no legal move"),
        ("bm ; id \"a\";", "bm without a move"),
        ("am 4.;", "am without a move"),
        ("dm x;", "'x' is no distance"),
        ("id \"a\";", "neither bm, am"),
    ] {
        let error = position(&format!("{BACK_RANK} {operations}")).unwrap_err();
        assert!(error.starts_with(fault), "{error}");
    }
    let line = LineTexts::new(format!("{BACK_RANK} c0 \"Rd8=10, Kh9=2\";").as_bytes()).next().unwrap().unwrap();
    let (_, faults) = SuitePosition::from_line(&line.parse(CastlingRights::Chess).unwrap()).unwrap();
    assert_eq!(faults, ["'Kh9' is no move"]);
}

#[test]
fn groups_are_ids_without_numbers() {
    for (id, group) in [("WAC.001", "WAC"), ("STS(v2.2) Open Files 12", "STS(v2.2) Open Files"), ("7", "all")] {
        assert_eq!(position(&format!("{BACK_RANK} bm Rd8; id \"{id}\";")).unwrap().group(), group);
    }
}

#[test]
fn the_solution_is_when_the_move_stayed() {
    let solution = |lines: &[(bool, u64)]| {
        let nodes = |(found, nodes): &(bool, u64)| (*found, (*nodes, Duration::from_millis(*nodes)));
        let after = |before, (found, now)| solution_after(before, found, now);
        lines.iter().map(nodes).fold(None, after).map(|(nodes, time)| (nodes, time.as_millis()))
    };
    assert_eq!(solution(&[(false, 5), (true, 10), (true, 20), (true, 30)]), Some((10, 10)));
    assert_eq!(solution(&[(true, 10), (false, 20), (true, 30), (true, 40)]), Some((30, 30)));
    assert_eq!(solution(&[(true, 10), (false, 20)]), None);
    // In a search.
    let solved = solved(&format!("{BACK_RANK} bm Rd8;"), &options(6));
    let (nodes, _) = solved.solution.unwrap();
    assert!(nodes < solved.nodes, "{nodes} of {}", solved.nodes);
}
