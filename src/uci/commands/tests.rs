use super::super::options::SetOption;
use super::*;

fn parse(line: &str) -> Action {
    Command::parse(line).unwrap().unwrap().action
}

#[test]
fn plain_commands_are_read_with_any_spacing() {
    assert_eq!(parse("uci"), Action::Answer(Answer::Uci));
    assert_eq!(parse(" \t isready  \r"), Action::Answer(Answer::IsReady));
    assert_eq!(parse("debug on"), Action::Answer(Answer::Debug(true)));
    assert_eq!(parse("bench 5"), Action::Task(Task::Bench(5)));
    assert_eq!(parse("bench"), Action::Task(Task::Bench(13)));
    assert_eq!(parse("go  perft 4"), Action::Task(Task::Perft(4)));
    assert!(matches!(parse("go depth 4"), Action::Task(Task::Go(_))));
    assert_eq!(Command::parse(" \r").unwrap(), None);
    assert_eq!(Command::parse("go perft 4").unwrap().unwrap().name, "go perft");
}

#[test]
fn positions_are_split_into_fen_and_moves() {
    let start = PositionCommand { fen: None, moves: String::new() };
    assert_eq!(parse("position startpos"), Action::Change(Change::Position(Ok(start))));
    let Action::Change(Change::Position(Ok(command))) =
        parse("position fen 8/8/8/8/8/8/8/8   w - - 0 1 moves e2e4  e7e5")
    else {
        panic!("no position");
    };
    assert_eq!(command.fen.as_deref(), Some("8/8/8/8/8/8/8/8 w - - 0 1"));
    assert_eq!(command.moves, "e2e4  e7e5");
}

#[test]
fn option_names_and_values_may_hold_spaces() {
    let set = |option| Action::Change(Change::SetOption(option));
    assert_eq!(parse("setoption name Clear Hash"), set(SetOption::ClearHash));
    assert_eq!(parse("setoption name clear   hash value"), set(SetOption::ClearHash));
    let file = SetOption::EvalParams(Some("my  file.toml".into()));
    assert_eq!(parse("setoption name EvalParams value  my  file.toml "), set(file));
}

#[test]
fn what_is_not_understood_is_named() {
    for (line, named) in [
        ("Uci", "'Uci'"),
        ("please do", "'please'"),
        ("setoption", "'name'"),
        ("setoption Hash 5", "'Hash'"),
        ("setoption name", "name"),
        ("setoption name value 3", "name"),
        ("debug", "'on' or 'off'"),
        ("debug perhaps", "'perhaps'"),
        ("bench deep", "'deep'"),
        ("go perft", "go perft"),
        ("go perft -1", "'-1'"),
        ("go perft 400", "'400'"),
    ] {
        let message = Command::parse(line).unwrap_err().to_string();
        assert!(message.contains(named), "{line}: {message}");
    }
    for (line, named) in [
        ("position", "'startpos' or 'fen'"),
        ("position fen", "FEN"),
        ("position fen moves e2e4", "FEN"),
        ("position here", "'here'"),
        ("position startpos e2e4", "'e2e4'"),
    ] {
        let Action::Change(Change::Position(Err(error))) = parse(line) else { panic!("{line} is read") };
        assert!(error.to_string().contains(named), "{line}: {error}");
    }
    let long = format!("setoption name EvalParams value {}", "x".repeat(4097));
    assert_eq!(Command::parse(&long), Err(CommandError::LongValue(4096)));
}

#[test]
fn unknown_words_before_a_command_are_skipped() {
    assert_eq!(skip_unknown("joho  isready"), ("joho", "  isready"));
    assert_eq!(skip_unknown("so long stop now"), ("so long", " stop now"));
    for line in ["isready", "d", "d go", "no command", "no d", "", "  "] {
        assert_eq!(skip_unknown(line), ("", line));
    }
}

#[test]
fn help_says_what_each_command_does() {
    let text = descriptions().collect::<Vec<_>>().join("\n");
    for line in [
        "  bench [DEPTH]          search fixed positions; the node count is a signature of the search",
        "  position startpos|fen FEN [moves M...]\n                         set up a position",
        "     [depth N] [nodes N] [mate N] [movetime T] [infinite]\n                         search; times",
    ] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert!(COMMANDS.iter().all(|declared| declared.purpose.split_whitespace().count() <= 15));
}

/// The first page names the commands that UCI does not have.
#[test]
fn the_first_page_names_commands_beyond_uci() {
    let page = include_str!("../../../README.md");
    for UciCommand { name, arguments, .. } in COMMANDS.iter().filter(|declared| !declared.is_standard) {
        let usages = [format!("`{name}`"), format!("`{name} {arguments}`")];
        assert!(usages.iter().any(|usage| page.contains(usage)), "{name}");
    }
}
