//! Engines as separate processes, spoken to by UCI.

use super::verdict::Verdict;
use anyhow::{Context, Result, bail};
use halfpoint::position::Position;
use halfpoint::printing::{Clocks, Ratings, TimeClass};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::str::FromStr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long an engine may take to introduce itself and to get ready.
const HANDSHAKE: Duration = Duration::from_secs(30);
/// How long it may take to end.
const FAREWELL: Duration = Duration::from_secs(2);
/// Bytes of a line that are looked at.
const MAX_LINE: u64 = 1 << 16;
/// Lines that wait to be looked at; then the engine has to wait.
const MAX_WAITING: usize = 256;
/// Most bytes of the lines between a question and its answer.
const MAX_BYTES: usize = 16 << 20;
/// The options of this program for whose games W/D/L are.
const PLAYERS: [&str; 3] = ["WDL_WhiteElo", "WDL_BlackElo", "WDL_TimeControl"];
/// The option of this program for clocks.
const CLOCKS: &str = "WDL_Clocks";
/// Size of the hash table unless another is asked for.
const HASH_MIB: &str = "16";

/// How to start an engine: a command with arguments, and the options to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    command: Vec<String>,
    options: Vec<(String, String)>,
}

impl FromStr for Specification {
    type Err = String;

    /// Reads `COMMAND;Option=Value;...`, the command as a shell would, but for the backslashes of Windows' paths.
    fn from_str(text: &str) -> Result<Specification, String> {
        let mut parts = text.split(';');
        let command = parts.next().and_then(words).filter(|words| !words.is_empty());
        let options = parts.map(|part| {
            let (name, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is not 'Option=Value'"))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        });
        Ok(Specification {
            command: command.ok_or_else(|| format!("no command in '{text}'"))?,
            options: options.collect::<Result<_, String>>()?,
        })
    }
}

/// The words of a command. A backslash escapes blanks and quotes alone: in `C:\engines\x.exe` it stands for itself.
fn words(command: &str) -> Option<Vec<String>> {
    let mut escaped = String::new();
    let (mut characters, mut in_single, mut in_double) = (command.chars().peekable(), false, false);
    while let Some(c) = characters.next() {
        escaped.push(c);
        match c {
            '\'' if !in_double => in_single = !in_single,
            '"' if !in_single => in_double = !in_double,
            '\\' if !in_single => {
                match characters.next_if(|&next| next == '"' || !in_double && matches!(next, '\'' | ' ' | '\t')) {
                    Some(next) => escaped.push(next),
                    None => escaped.push(c),
                }
            }
            _ => {}
        }
    }
    shlex::split(&escaped)
}

impl Specification {
    /// The engine that stands beside this program.
    pub fn own() -> Result<Specification> {
        let lab = std::env::current_exe().context("cannot find myself")?;
        let path = lab.with_file_name(format!("halfpoint{}", std::env::consts::EXE_SUFFIX));
        if !path.is_file() {
            bail!("no engine '{}': build it, or name one with --engine", path.display());
        }
        Ok(Specification { command: vec![path.to_string_lossy().into_owned()], options: Vec::new() })
    }

    /// The same with another option.
    pub fn with(mut self, name: &str, value: &str) -> Specification {
        self.options.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The options as they were given.
    pub fn options(&self) -> String {
        let pairs: Vec<_> = self.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join(" ")
    }
}

/// Whether a note is about an option, as this program's are where it refuses a value.
fn is_about(note: &str, option: &str) -> bool {
    let note = note.strip_prefix("setoption: ").unwrap_or(note);
    let rest = note.strip_prefix("option ").or_else(|| note.strip_prefix("options "));
    let names = rest.and_then(|rest| rest.split_once(':')).map_or("", |(names, _)| names);
    names.split(", ").any(|name| name.eq_ignore_ascii_case(option))
}

/// The next line, without what is too long of it; `None` at the end.
fn read_line(output: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        output.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()))
}

/// A running engine.
pub struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    pub name: String,
    /// Whether it has an option for printing W/D/L.
    pub shows_wdl: bool,
    /// What it said when its options were set.
    pub notes: Vec<String>,
    /// Whether it prints W/D/L for players by their ratings.
    pub knows_players: bool,
    /// Whether its W/D/L can go by the clocks, too.
    knows_clocks: bool,
    /// Whether it plays Chess960 now; `None` if it cannot.
    chess960: Option<bool>,
}

impl Engine {
    /// Starts an engine and sets its options.
    pub fn start(specification: &Specification) -> Result<Engine, String> {
        let (program, arguments) = specification.command.split_first().ok_or("no command")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|reason| format!("cannot start '{program}': {reason}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot speak to '{program}'"));
        };
        let (sender, lines) = sync_channel(MAX_WAITING);
        let forward = move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(line)) = read_line(&mut output) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        };
        let reader = thread::Builder::new().spawn(forward);
        if let Err(reason) = reader {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("cannot start a thread: {reason}"));
        }
        let mut engine = Engine {
            child,
            input,
            lines,
            name: program.clone(),
            shows_wdl: false,
            notes: Vec::new(),
            knows_players: false,
            knows_clocks: false,
            chess960: None,
        };
        engine.introduce(specification).map_err(|reason| format!("'{program}': {reason}"))?;
        Ok(engine)
    }

    fn introduce(&mut self, specification: &Specification) -> Result<(), String> {
        self.send("uci")?;
        let mut known = Vec::new();
        for line in self.until("uciok", HANDSHAKE)? {
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.to_owned();
            } else if let Some(rest) = line.strip_prefix("option name ") {
                known.push(rest.split(" type ").next().unwrap_or(rest).to_ascii_lowercase());
            }
        }
        let has = |name: &str| known.contains(&name.to_ascii_lowercase());
        self.shows_wdl = has("UCI_ShowWDL");
        self.knows_players = PLAYERS.iter().all(|name| has(name));
        self.knows_clocks = has(CLOCKS);
        self.chess960 = has("UCI_Chess960").then_some(false);
        for (name, value) in [("UCI_ShowWDL", "true"), ("Hash", HASH_MIB)] {
            if has(name) {
                self.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        if let Some((name, _)) = specification.options.iter().find(|(name, _)| !has(name)) {
            return Err(format!("no option '{name}'"));
        }
        let mut pending: Vec<_> = specification.options.iter().collect();
        let mut refusals = Vec::new();
        // What is refused may need an option that comes after it.
        for _ in 0..2 {
            for (name, value) in &pending {
                self.send(&format!("setoption name {name} value {value}"))?;
            }
            let said = self.settle()?;
            let notes = said.iter().filter_map(|line| line.strip_prefix("info string ")).map(str::to_owned);
            let (refused, others): (Vec<_>, Vec<_>) =
                notes.partition(|note| pending.iter().any(|(name, _)| is_about(note, name)));
            self.notes.extend(others);
            pending.retain(|(name, _)| refused.iter().any(|note| is_about(note, name)));
            refusals = refused;
        }
        refusals.into_iter().next().map_or(Ok(()), Err)
    }

    /// Tells this program whose games W/D/L are for; it has no levels of exhibitions and correspondence games.
    pub fn set_players(&mut self, ratings: Ratings, class: Option<TimeClass>) -> Result<(), String> {
        let is_known = |class: &TimeClass| !matches!(class, TimeClass::Exhibition | TimeClass::Correspondence);
        let class = class.filter(is_known).unwrap_or(TimeClass::Classical);
        let elo = |rating: Option<u32>| rating.unwrap_or_default().to_string();
        let values = [elo(ratings.white), elo(ratings.black), class.name().to_owned()];
        for (name, value) in PLAYERS.iter().zip(values) {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        if self.knows_clocks {
            self.send(&format!("setoption name {CLOCKS} value true"))?;
        }
        Ok(())
    }

    /// What the engine prints last about a position, searched with this number of nodes and with nothing remembered. Clocks
    /// go to an engine whose W/D/L they change; where they are all but empty the search may end before.
    pub fn judge(
        &mut self,
        fen: &str,
        nodes: u64,
        clocks: Option<Clocks>,
        patience: Duration,
    ) -> Result<Verdict, String> {
        let chess960 = Position::from_fen(fen, false).is_err();
        if self.chess960 != Some(chess960) && (chess960 || self.chess960.is_some()) {
            let known = self.chess960.as_mut().ok_or("no option 'UCI_Chess960' for the castling rights")?;
            *known = chess960;
            self.send(&format!("setoption name UCI_Chess960 value {chess960}"))?;
        }
        self.send("ucinewgame")?;
        self.settle()?;
        self.send(&format!("position fen {fen}"))?;
        let times = clocks.filter(|_| self.knows_clocks).map_or_else(String::new, |Clocks { left, increment }| {
            let [white, black] = [left.white, left.black].map(|time| time.as_millis());
            let [white_added, black_added] = [increment.white, increment.black].map(|time| time.as_millis());
            format!(" wtime {white} btime {black} winc {white_added} binc {black_added}")
        });
        self.send(&format!("go nodes {nodes}{times}"))?;
        let lines = self.until("bestmove", patience)?;
        // This program says why it refuses a position.
        let refusal = "info string no position to search: ";
        if let Some(refusal) = lines.iter().find_map(|line| line.strip_prefix(refusal)) {
            return Err(refusal.to_owned());
        }
        let verdict = Verdict::last(&lines);
        if !verdict.is_whole() {
            return Err(format!("wdl {:?} does not sum to 1000", verdict.wdl.unwrap_or_default()));
        }
        Ok(verdict)
    }

    /// Waits until the engine is ready; returns what it printed before.
    fn settle(&mut self) -> Result<Vec<String>, String> {
        self.send("isready")?;
        self.until("readyok", HANDSHAKE)
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| "the engine ended".to_owned())
    }

    /// The lines before the one that begins with `word`.
    fn until(&mut self, word: &str, patience: Duration) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + patience;
        let (mut lines, mut bytes) = (Vec::new(), 0);
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.split_ascii_whitespace().next() == Some(word) => return Ok(lines),
                Ok(line) if bytes + line.len() > MAX_BYTES => {
                    return Err(format!("more than {} MiB before '{word}'", MAX_BYTES >> 20));
                }
                Ok(line) => {
                    bytes += line.len() + 1;
                    lines.push(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(format!("the engine ended before '{word}'")),
                Err(RecvTimeoutError::Timeout) => return Err(format!("no '{word}' within {} s", patience.as_secs())),
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.send("quit");
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(5)),
                _ => return,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_hold_command_and_options() {
        let read: Specification = "'my engine' --quiet;Hash=32; WDL_Profile = club".parse().unwrap();
        assert_eq!(read.command, ["my engine", "--quiet"]);
        assert_eq!(read.options(), "Hash=32 WDL_Profile=club");
        for wrong in ["", ";Hash=1", "engine;Hash", "'open"] {
            assert!(wrong.parse::<Specification>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn backslashes_of_paths_stay() {
        for (text, expected) in [
            (r"C:\engines\x.exe;Hash=1", &[r"C:\engines\x.exe"][..]),
            (r"\\server\share\x.exe --quiet", &[r"\\server\share\x.exe", "--quiet"]),
            (r#""C:\Program Files\x.exe" -a"#, &[r"C:\Program Files\x.exe", "-a"]),
            (r"'C:\Program Files\new\x.exe' -a", &[r"C:\Program Files\new\x.exe", "-a"]),
            (r"my\ engine --name it\'s", &["my engine", "--name", "it's"]),
            (r#"x "a \"b\"" C:\"#, &["x", r#"a "b""#, r"C:\"]),
        ] {
            assert_eq!(text.parse::<Specification>().unwrap().command, expected, "{text}");
        }
    }

    #[test]
    fn refusals_name_their_options() {
        for (note, option, expected) in [
            ("option WDL_Profile: 'x' is not one of nominal", "wdl_profile", true),
            ("setoption: option Move Overhead: 'x' is no number", "Move Overhead", true),
            ("options WDL_WhiteElo, WDL_TimeControl: none", "WDL_TimeControl", true),
            ("option WDL_ProfileFile: no file", "WDL_Profile", false),
            ("WDL_Profile: nominal", "WDL_Profile", false),
            ("option Hash", "Hash", false),
        ] {
            assert_eq!(is_about(note, option), expected, "{note}");
        }
    }

    #[test]
    fn what_is_no_engine_is_reported() {
        let start = |command: &str| Engine::start(&command.parse().unwrap()).err().unwrap();
        assert!(start("/no/such/engine").contains("cannot start"));
        assert!(start("true").contains("the engine ended"));
    }
}
