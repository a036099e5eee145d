//! Whole runs of the command, what they write, and what they refuse.

use super::*;

fn refusal(options: &Options) -> String {
    format!("{:#}", run(options).unwrap_err())
}

#[test]
fn weights_are_written_as_they_were() {
    let weights = Vector::BOTH.map(|vector| variables::parameters(vector, &Weights::terms(), 1));
    let text = weights_file::with_weights(SHIPPED, Vector::Wilo, &weights[0]);
    assert_eq!(weights_file::with_weights(&text, Vector::Draw, &weights[1]), SHIPPED);
    let text = "# Top\n[tempo] # why\nwilo_mg = 7 # this\nwilo_eg = [ 30 ]\n\n[material]\nwilo_mg = [\n     1,  -20,\n   300,    4, 5\n]\n";
    let mut values = weights[0].clone();
    for (index, value) in [-11.0, 2.0, 33.0, -4.6, 5.0].into_iter().enumerate() {
        values[2 * MATERIAL.at(index)] = value;
    }
    let tempo = 2 * halfpoint::eval::tuning::terms::TEMPO.at(0);
    (values[tempo], values[tempo + 1]) = (-8.0, 9.4);
    let written = weights_file::with_weights(text, Vector::Wilo, &values);
    let expected = "# Top\n[tempo] # why\nwilo_mg = -8 # this\nwilo_eg = [ 9 ]\n\n[material]\nwilo_mg = [\n   -11,    2,\n    33,   -5, 5\n]\n";
    assert!(written.starts_with(expected), "{written}");
}

#[test]
fn a_tuning_from_file_to_report() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let text = random_games(120);
    let half = text.len() / 2 + text[text.len() / 2..].find('\n').unwrap() + 1;
    fs::write(path("slow.epd"), &text[..half]).unwrap();
    fs::write(path("fast.epd"), &text[half..]).unwrap();
    let (slow, fast) = (format!("slow={}", path("slow.epd")), format!("fast={}", path("fast.epd")));
    let (out, report) = (path("new.toml"), path("report"));
    let fixed = all_but(&[MATERIAL, PST_KING, SPACE, TEMPO, WILO_SIZE, DRAW_CURVE]);
    let common =
        [&slow, &fast, "--out", &out, "--report", &report, "--prior-wilo", "5", "--smooth-wilo", "5", "--fix", &fixed];
    let mut chosen = options(&common);
    chosen.noisy = options::Noisy::Resolve;
    chosen.folds = Some(3);
    run(&chosen).unwrap();

    let weights = Weights::from_toml(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_ne!(weights, *Weights::terms());
    let record = fs::read_to_string(path("new.record.md")).unwrap();
    assert!(record.starts_with("# Record of the weights\n"), "{record}");
    for part in [
        "slow: slow.epd, fast: fast.epd",
        "| converged after",
        "| level of fast |",
        "| material only |",
        "| new weights |",
        "| cross-validation by 3 parts: ",
    ] {
        assert!(record.contains(part), "{part} in {record}");
    }
    // A second record takes the place of the first.
    run(&chosen).unwrap();
    let again = fs::read_to_string(path("new.record.md")).unwrap();
    assert_eq!(again.lines().count(), record.lines().count());
    let page = fs::read_to_string(path("report/index.html")).unwrap();
    assert!(page.matches("<svg").count() >= 8 && page.ends_with("</body></html>\n") && !page.contains("NaN"));
    let csv = fs::read_to_string(path("report/weights.csv")).unwrap();
    let free =
        Vector::BOTH.map(|vector| Variables::of_vector(vector, |feature| chosen.fixes(vector, feature), 0).len());
    assert_eq!(csv.lines().count(), 1 + free[0] + free[1]);
}

/// Weights of a term in one vector, middlegame and endgame in turn.
fn of_term(weights: &Weights, term: Term, vector: Vector) -> Vec<[i32; 2]> {
    weights.term(&term).iter().map(|&word| vector.lanes(word)).collect()
}

#[test]
fn fixed_weights_stay() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    // Queens against a bare king, which the games say are drawn, among others.
    let text = random_games(60);
    let lines: String = (1..40).map(|n| format!("8/8/8/3k4/8/8/1Q6/4K3 w - - 0 {n};1/2-1/2\n")).collect();
    fs::write(path("games.epd"), text + &lines).unwrap();
    let tune = |arguments: &[&str]| {
        let common =
            ["--out", &path("new.toml"), "--noisy", "keep", "--prior-wilo", "9", "--validation", "0", "--test", "0"];
        let chosen = options(&[&[path("games.epd").as_str()], &common[..], arguments].concat());
        run(&chosen).unwrap();
        Weights::from_toml(&fs::read_to_string(path("new.toml")).unwrap()).unwrap()
    };
    let old = Weights::terms();
    let same = |new: &Weights, term, vector| of_term(new, term, vector) == of_term(&old, term, vector);
    let of_bare_kings = [MATING_FORCE, BARE_KING_EDGE, BARE_KING_DISTANCE, BARE_KING_CORNER];
    let others = all_but(&[&of_bare_kings[..], &[MATERIAL, PST_KING]].concat());
    let weights = tune(&["--fix", &format!("{},{others}", fixed::DEFAULT)]);
    for term in of_bare_kings {
        assert!(same(&weights, term, Vector::Draw), "{term:?}");
    }
    assert!(of_term(&weights, MATING_FORCE, Vector::Draw)[0][1] < -1200);
    assert!(!same(&weights, PST_KING, Vector::Wilo) && !same(&weights, PST_KING, Vector::Draw));
    // A prior around zero pulls the others alone.
    let weights = tune(&["--prior", "zero", "--fix", &format!("mating_force,pst_king:wilo,{others}")]);
    assert!(same(&weights, MATING_FORCE, Vector::Draw) && same(&weights, PST_KING, Vector::Wilo));
    assert!(!same(&weights, PST_KING, Vector::Draw));
    let weights = tune(&["--fix", &others]);
    assert!(!same(&weights, MATING_FORCE, Vector::Draw));
    let weights = tune(&["--vectors", "draw", "--fix", &others]);
    assert!(TERMS.iter().all(|&term| same(&weights, term, Vector::Wilo)) && !same(&weights, PST_KING, Vector::Draw));
    let weights = tune(&["--vectors", "wilo", "--fix", &others]);
    assert!(TERMS.iter().all(|&term| same(&weights, term, Vector::Draw)) && !same(&weights, PST_KING, Vector::Wilo));
}

#[test]
fn lists_of_fixed_terms_are_read() {
    assert_eq!(options(&["x.vf"]).fix.to_string(), fixed::DEFAULT.replace(',', ", "));
    let fixed: Fixed = "tempo, space:wilo".parse().unwrap();
    assert_eq!(fixed.to_string(), "tempo, space:wilo");
    assert!(fixed.fixes(Vector::Draw, TEMPO.at(0)) && fixed.fixes(Vector::Wilo, SPACE.at(7)));
    assert!(!fixed.fixes(Vector::Draw, SPACE.at(0)) && !fixed.fixes(Vector::Wilo, PST_KING.at(0)));
    let none: Fixed = "none".parse().unwrap();
    assert!(TERMS.iter().all(|term| Vector::BOTH.into_iter().all(|vector| !none.fixes(vector, term.at(0)))));
    let error = |text: &str| text.parse::<Fixed>().unwrap_err().to_string();
    assert_eq!(error("tempo,knight_moves"), "unknown term 'knight_moves'");
    assert_eq!(error("tempo:mg"), "'mg' is neither wilo nor draw");
    assert_eq!(error(""), "unknown term ''");
}

#[test]
fn mistakes_are_reported() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    let out = path("new.toml");
    fs::write(path("empty.epd"), "").unwrap();
    fs::write(path("empty.vf"), "").unwrap();
    fs::write(path("corrupt.vf"), [0xff; 4000]).unwrap();
    fs::write(path("corrupt.vf.gz"), [0xff; 4000]).unwrap();
    fs::write(path("empty.pgn"), "").unwrap();
    fs::write(path("corrupt.pgn.zst"), [&[0x28, 0xb5, 0x2f, 0xfd][..], &[0xff; 40]].concat()).unwrap();
    fs::write(path("games.doc"), "x").unwrap();
    fs::write(path("bad.epd"), "nonsense\n").unwrap();
    fs::write(path("one.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - 0 9;1-0\n").unwrap();
    fs::write(path("unknown.toml"), format!("{SHIPPED}\n[knight_moves]\nwilo_mg = 1\n")).unwrap();
    let message = |arguments: &[&str]| {
        let error = refusal(&options(&[arguments, &["--out", &out]].concat()));
        error.replace(&format!("{}/", directory.path().display()), "")
    };
    assert_eq!(message(&[&path("empty.epd")]), "empty.epd: no game with a result in it");
    assert_eq!(message(&[&path("empty.vf")]), "empty.vf: not one whole game in it");
    assert!(message(&[&path("corrupt.vf")]).starts_with("corrupt.vf: corrupt at byte "));
    assert!(message(&[&path("corrupt.vf.gz")]).starts_with("corrupt.vf.gz: "));
    assert_eq!(message(&[&path("empty.pgn")]), "empty.pgn: no game with a result in it");
    assert!(message(&[&path("corrupt.pgn.zst")]).starts_with("cannot read 'corrupt.pgn.zst': "));
    assert!(message(&[&path("games.doc")]).starts_with("'games.doc' holds neither games nor positions"));
    assert!(message(&[&path("missing.epd")]).starts_with("cannot read 'missing.epd': "));
    assert_eq!(
        message(&[&path("bad.epd")]),
        "bad.epd: no game with a result in it; bad.epd: line 1: malformed FEN 'nonsense': invalid board part in fen"
    );
    assert!(message(&[&path("one.epd")]).starts_with("no positions for "));
    assert_eq!(
        message(&[&path("one.epd"), "--start", &path("unknown.toml")]),
        format!("unknown.toml, line {}: unknown term 'knight_moves'", SHIPPED.lines().count() + 2)
    );
    // A wrong file after a right one.
    fs::write(path("right.epd"), random_games(30)).unwrap();
    assert!(message(&[&path("right.epd"), &path("corrupt.vf")]).starts_with("corrupt.vf: corrupt at byte "));
    assert!(
        message(&[&path("right.epd"), "--validation", "0.7", "--test", "0.6"]).starts_with("--validation 0.7 and ")
    );
    assert!(message(&[&path("right.epd"), "--folds", "90"]).starts_with("--folds 90: too few games, "));
    assert!(!Path::new(&out).exists());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--folds", "1"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--fix", "knight_moves"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--lambda-draw", "-0.1"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--lambda", "1.5"]).is_err());
    assert!(Arguments::try_parse_from(["tune", "x.vf", "--prior-wilo", "0"]).is_err());
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).display().to_string();
    fs::write(path("games.epd"), random_games(20)).unwrap();
    fs::create_dir_all(path("report/index.html")).unwrap();
    let (games, out, report) = (format!("slow={}", path("games.epd")), path("new.toml"), path("report"));
    let error = refusal(&options(&[&games, "--out", &out, "--report", &report]));
    assert!(error.contains("index.html"), "{error}");
    fs::create_dir(path("new.record.md")).unwrap();
    let error = refusal(&options(&[&games, "--out", &out]));
    assert!(error.contains("new.record.md"), "{error}");
    assert!(!Path::new(&out).exists());
}
