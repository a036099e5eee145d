//! Time controls in the tag of PGN and in the words of people.

use std::iter::Peekable;
use std::str::Chars;

/// A time control: the first period of a PGN tag `TimeControl` such as `300+3`, `5400+30`, `40/7200:3600` or `600`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeControl {
    /// Moves of the period; `None` for all.
    pub moves: Option<f64>,
    /// Seconds at the start.
    pub base: f64,
    /// Seconds that each move adds.
    pub increment: f64,
}

/// Largest number of a time control that is taken for one: ten years in seconds.
const MAX_SECONDS: f64 = 3.2e8;
/// Most moves of a period.
const MAX_MOVES: f64 = 200.0;
/// Longest tag that is read.
const MAX_CHARACTERS: usize = 200;
const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;
/// Words that say nothing of the time.
const UNTIMED: [&str; 5] = ["none", "unlimited", "untimed", "unknown", "n/a"];

impl TimeControl {
    /// Reads a tag; `None` if it does not tell a time that is understood. Beside the notation of PGN, in seconds, these are read:
    ///
    /// | spelling | |
    /// |---|---|
    /// | `*180` | sand clock |
    /// | `5:00`, `1:30:00+30`, `5:00+0:03`, `40/1:40:00` | a clock, with seconds or a clock for each move |
    /// | `5\|5`, `10\|0` | minutes and seconds for each move |
    /// | `G/5`, `G/90;d5`, `SD/30`, `40/90,SD/30` | minutes, with seconds for each move |
    /// | `3 min + 2 sec`, `15 min. + 10 s. per move`, `90'+30''`, `1h30m + 30s` | |
    /// | `40 moves in 2 hours`, `90 min/40 + 30 min + 30 sec/move` | the first period |
    /// | `3 days/move`, `10 moves in 30 days` | |
    #[must_use]
    pub fn of_tag(text: &str) -> Option<TimeControl> {
        if text.chars().count() > MAX_CHARACTERS {
            return None;
        }
        let text = text.trim().to_lowercase();
        let found = of_clock(&text)
            .or_else(|| of_standard(&text))
            .or_else(|| of_bar(&text))
            .or_else(|| of_game(&text))
            .or_else(|| of_words(&text));
        // Nobody plays without time, nor a period without moves.
        let is_period = |moves: f64| (1.0..=MAX_MOVES).contains(&moves);
        found.filter(|found| found.base + found.increment > 0.0 && found.moves.is_none_or(is_period))
    }

    /// Reads the tag of a game by what a clock showed after a first move, seconds: where it has more than the tag gives it, as
    /// after `90+30` or `15/10` a clock of an hour and a half or a quarter of an hour, the tag counts minutes.
    #[must_use]
    pub fn of_game(text: &str, shown: Option<f64>) -> Option<TimeControl> {
        let control = TimeControl::of_tag(text)?;
        let TimeControl { moves, base, increment } = control;
        let is_plain = |letter: char| letter.is_ascii_digit() || letter.is_whitespace() || ".+/:".contains(letter);
        let is_more = |shown: &f64| text.chars().all(is_plain) && *shown > base + increment;
        let Some(shown) = shown.filter(is_more) else { return Some(control) };
        let minutes = |minutes: f64, moves, increment| TimeControl { moves, base: MINUTE * minutes, increment };
        // `15/10` is 15 minutes and 10 seconds for each move, `40/90` 40 moves in 90 minutes.
        let with_seconds = moves.filter(|_| base <= MINUTE).map(|count| minutes(count, None, base));
        let readings = [Some(minutes(base, moves, increment)), with_seconds];
        let off = |reading: &TimeControl| (reading.base - shown).abs();
        let is_near = |reading: &TimeControl| off(reading) <= 0.5 * reading.base + reading.increment;
        let near = readings.into_iter().flatten().filter(is_near);
        Some(near.min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(control))
    }

    /// Seconds for 60 moves at the speed of the period.
    #[must_use]
    pub fn seconds_for_game(self) -> f64 {
        self.base * self.moves.map_or(1.0, |moves| 60.0 / moves) + 60.0 * self.increment
    }

    /// Whether a tag says a time that [`of_tag`](TimeControl::of_tag) reads, or says that there is none, or names a class.
    #[must_use]
    pub fn is_understood(text: &str) -> bool {
        let text = text.trim();
        if matches!(text, "" | "?" | "-") {
            return true;
        }
        let lower = text.to_lowercase();
        UNTIMED.contains(&lower.as_str())
            || super::TimeClass::named_in(&lower).is_some()
            || TimeControl::of_tag(text).is_some()
    }
}

fn number(text: &str) -> Option<f64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
    let number = text.replace(',', ".").parse().ok().filter(|_| is_number);
    number.filter(|number| (0.0..=MAX_SECONDS).contains(number))
}

/// A clock such as `5:00` or `1:30:00`, with what each move adds, `5:00+0:03`, `5:00+3`, and for so many moves, `40/1:40:00`.
fn of_clock(text: &str) -> Option<TimeControl> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(number(moves.trim())?), time),
        None => (None, text),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    let increment = clock(increment.trim()).or_else(|| number(increment.trim()))?;
    let base = base.trim();
    // With moves it may as well be two periods.
    let is_clear = moves.is_none() || base.matches(':').count() == 2;
    Some(TimeControl { moves, base: clock(base)?, increment }).filter(|_| is_clear)
}

/// Seconds of minutes and seconds, or of hours, minutes and seconds; all but the first with two digits.
fn clock(text: &str) -> Option<f64> {
    let (first, rest) = text.split_once(':')?;
    let parts: Vec<&str> = rest.split(':').collect();
    let is_part = |part: &&str| part.len() == 2 && **part < *"60";
    if first.is_empty() || first.len() > 2 || parts.len() > 2 || !parts.iter().all(is_part) {
        return None;
    }
    let whole = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<f64>().ok())?;
    parts.into_iter().try_fold(whole(first)?, |sum, part| Some(60.0 * sum + whole(part)?))
}

/// The first period in the notation of PGN. All have to be right; `5:60` and `40/1:40` are none.
fn of_standard(text: &str) -> Option<TimeControl> {
    if let Some(time) = text.strip_prefix('*') {
        return Some(TimeControl { moves: None, base: number(time.trim())?, increment: 0.0 });
    }
    let periods: Vec<TimeControl> = text.split(':').map(period).collect::<Option<_>>()?;
    let first = *periods.first()?;
    let is_right = |period: &TimeControl| match first.moves {
        Some(_) => first.base >= MINUTE || period.moves.is_some(),
        None => period.base + MINUTE * period.increment >= MINUTE,
    };
    // `40/100:00` is a clock.
    (periods.len() == 1 || periods.iter().all(is_right) && !text.ends_with(":00")).then_some(first)
}

/// A period in the notation of PGN.
fn period(text: &str) -> Option<TimeControl> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(number(moves.trim())?), time),
        None => (None, text),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    Some(TimeControl { moves, base: number(base.trim())?, increment: number(increment.trim())? })
}

/// `5|5`: minutes, and seconds for each move.
fn of_bar(text: &str) -> Option<TimeControl> {
    let (minutes, seconds) = text.split_once('|')?;
    Some(TimeControl { moves: None, base: MINUTE * number(minutes.trim())?, increment: number(seconds.trim())? })
}

/// `G/5`, `G/90;d5`, `40/90,SD/30`: minutes, as in the United States.
fn of_game(text: &str) -> Option<TimeControl> {
    let mut parts = text.split([';', ',', ' ']).filter(|part| !matches!(*part, "" | "+"));
    let first = parts.next()?;
    let is_glued = |part: &str| {
        let behind = part.strip_prefix("sd").or_else(|| part.strip_prefix('g'));
        behind.is_some_and(|behind| behind.starts_with(|c: char| c.is_ascii_digit()))
    };
    // `G90` is `G/90`.
    let digits = first.find(|c: char| c.is_ascii_digit())?;
    let (moves, minutes) = if is_glued(first) { first.split_at(digits) } else { first.split_once('/')? };
    let moves = match moves {
        "g" | "game" | "sd" => None,
        moves => Some(number(moves)?),
    };
    let minutes = minutes.strip_prefix('g').unwrap_or(minutes);
    let (minutes, glued) =
        minutes.split_once(['+', 'd', 'i']).map_or((minutes, None), |(minutes, seconds)| (minutes, Some(seconds)));
    let (mut increment, mut has_other_period) = (0.0, false);
    for part in glued.into_iter().chain(parts) {
        if part.starts_with("sd/") || part.starts_with("g/") || is_glued(part) {
            has_other_period = true;
            continue;
        }
        let seconds =
            part.trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || matches!(letter, '+' | '-' | '/'));
        increment = number(seconds)?;
    }
    // Without the other period a number of moves is in the notation of PGN.
    (moves.is_none() || has_other_period).then_some(())?;
    Some(TimeControl { moves, base: MINUTE * number(minutes)?, increment })
}

/// Words behind a time that is not for each move.
const FOR_THE_GAME: [&str; 7] = ["per game", "per player", "per side", "each player", "each side", "for each", "/game"];

/// A part of a time control in words.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Number(f64),
    /// A unit, in seconds.
    Unit(f64),
    Moves,
    /// `+`.
    Plus,
    /// `per move`, `increment`: what stands before or behind it is added for each move.
    Each,
    /// `/`, `in`, `for`.
    Link,
    /// Another period begins.
    Then,
}

/// Parts of a text; none if a word is not known.
fn parts(text: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(&letter) = rest.peek() {
        if letter.is_ascii_digit() {
            let digits = take(&mut rest, |c| c.is_ascii_digit() || matches!(c, '.' | ','));
            parts.push(Part::Number(number(digits.trim_end_matches(['.', ',']))?));
            continue;
        }
        if letter.is_alphabetic() {
            parts.extend(of_word(&take(&mut rest, char::is_alphabetic))?);
            continue;
        }
        rest.next();
        match letter {
            '+' | '&' => parts.push(Part::Plus),
            '/' => parts.push(Part::Link),
            ';' | ',' | ':' => parts.push(Part::Then),
            '\'' | '′' | '’' | '`' => {
                let is_double = rest.next_if(|next| matches!(next, '\'' | '′' | '’' | '`')).is_some();
                parts.push(Part::Unit(if is_double { 1.0 } else { MINUTE }));
            }
            '"' | '″' | '”' => parts.push(Part::Unit(1.0)),
            '.' | '(' | ')' | '-' | '–' => {}
            letter if letter.is_whitespace() => {}
            _ => return None,
        }
    }
    Some(parts)
}

fn take(rest: &mut Peekable<Chars<'_>>, is_part: impl Fn(char) -> bool) -> String {
    let mut text = String::new();
    while let Some(letter) = rest.next_if(|&letter| is_part(letter)) {
        text.push(letter);
    }
    text
}

/// What a word is; none if it is not known.
fn of_word(word: &str) -> Option<Option<Part>> {
    Some(match word {
        "h" | "hr" | "hrs" | "hour" | "hours" => Some(Part::Unit(HOUR)),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(Part::Unit(MINUTE)),
        "s" | "sec" | "secs" | "second" | "seconds" => Some(Part::Unit(1.0)),
        "d" | "day" | "days" => Some(Part::Unit(DAY)),
        "move" | "moves" => Some(Part::Moves),
        "plus" | "and" | "with" => Some(Part::Plus),
        "per" | "each" | "every" | "increment" | "increments" | "inc" | "bonus" | "delay" | "fischer" | "bronstein" => {
            Some(Part::Each)
        }
        "in" | "for" => Some(Part::Link),
        "then" | "followed" => Some(Part::Then),
        "one" => Some(Part::Number(1.0)),
        "a" | "an" | "the" | "all" | "next" | "addition" | "ko" | "first" | "game" | "whole" | "entire" | "player"
        | "side" | "from" | "starting" | "sudden" | "death" | "g" | "rest" | "by" | "of" | "additional" | "added"
        | "extra" | "time" => None,
        _ => return None,
    })
}

/// A time control in words.
fn of_words(text: &str) -> Option<TimeControl> {
    let text = FOR_THE_GAME.iter().fold(text.to_owned(), |text, words| text.replace(words, " "));
    let parts = parts(&text)?;
    let mut control = TimeControl { moves: None, base: 0.0, increment: 0.0 };
    let (mut is_behind_plus, mut has_base, mut at) = (false, false, 0);
    // The unit of the last part of the base: smaller ones may follow it, `1h30m`.
    let mut unit_before = f64::INFINITY;
    while at < parts.len() {
        match parts[at..] {
            [Part::Number(count), Part::Moves, ..] => {
                control.moves.get_or_insert(count);
                at += 2;
            }
            // `90 min/40`.
            [Part::Link, Part::Number(count), ref rest @ ..]
                if has_base && !matches!(rest.first(), Some(Part::Unit(_))) =>
            {
                control.moves.get_or_insert(count);
                at += 2;
            }
            // `from move 1`.
            [Part::Moves, Part::Number(_), ref rest @ ..] if !matches!(rest.first(), Some(Part::Unit(_))) => at += 2,
            // Another period: `, 20/1h`.
            [Part::Number(_), Part::Link, Part::Number(_), ref rest @ ..] if has_base => {
                at += 3 + usize::from(matches!(rest.first(), Some(Part::Unit(_))));
            }
            // `40/90'`.
            [Part::Number(count), Part::Link, Part::Number(_), ..] if !has_base && control.moves.is_none() => {
                control.moves = Some(count);
                at += 2;
            }
            [Part::Number(count), ref rest @ ..] => {
                let unit = match rest.first() {
                    Some(&Part::Unit(unit)) => Some(unit),
                    // `5 min + 3`.
                    _ if is_behind_plus && has_base => None,
                    // `1h30`.
                    _ if has_base && unit_before == HOUR => Some(MINUTE),
                    _ => return None,
                };
                let is_behind_each = at > 0 && parts[at - 1] == Part::Each;
                at += 1 + usize::from(matches!(rest.first(), Some(Part::Unit(_))));
                let seconds = count * unit.unwrap_or(1.0);
                let is_each = is_behind_each || matches!(parts[at..], [Part::Each, ..] | [Part::Link, Part::Moves, ..]);
                if is_each && (has_base || unit != Some(DAY)) {
                    control.increment = seconds;
                } else if is_each {
                    (control.moves, control.base, has_base) = (Some(1.0), seconds, true);
                } else if !has_base && unit == Some(DAY) && control.moves.is_none() {
                    return None;
                } else if !has_base || !is_behind_plus && unit.is_some_and(|unit| unit < unit_before && unit > 1.0) {
                    control.base += seconds;
                    has_base = true;
                } else if is_behind_plus && unit.unwrap_or(1.0) == 1.0 {
                    control.increment = seconds;
                } else if !is_behind_plus {
                    return None;
                }
                unit_before = unit.unwrap_or(1.0);
            }
            [Part::Then, ..] if has_base => {
                // Only an increment of another period may be meant for all.
                is_behind_plus = true;
                at += 1;
            }
            [Part::Plus, ..] => {
                is_behind_plus = true;
                at += 1;
            }
            [Part::Each | Part::Link | Part::Moves | Part::Then, ..] => at += 1,
            [] | [Part::Unit(_), ..] => return None,
        }
    }
    ((has_base || control.increment > 0.0) && control.base <= MAX_SECONDS).then_some(control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_people_are_read() {
        let all = |base, increment| Some((None, base, increment));
        let part = |moves, base, increment| Some((Some(moves), base, increment));
        for (text, expected) in [
            ("300+3", all(300.0, 3.0)),
            ("0.5+0.005", all(0.5, 0.005)),
            ("40/7200:3600", part(40.0, 7200.0, 0.0)),
            ("1/86400", part(1.0, 86_400.0, 0.0)),
            ("*180", all(180.0, 0.0)),
            ("40/7200+30:20/3600+30:900+30", part(40.0, 7200.0, 30.0)),
            ("5400+30:1800+30", all(5400.0, 30.0)),
            ("5:00", all(300.0, 0.0)),
            ("5:00+0:03", all(300.0, 3.0)),
            ("2:00 + 1", all(120.0, 1.0)),
            ("1:30:00", all(5400.0, 0.0)),
            ("1:30:00+30", all(5400.0, 30.0)),
            ("0:03:00+2", all(180.0, 2.0)),
            ("40/2h, 20/1h", part(40.0, 7200.0, 0.0)),
            ("40/2h + 30 sec/move, 20/1h", part(40.0, 7200.0, 30.0)),
            ("40/1:40:00", part(40.0, 6000.0, 0.0)),
            ("40/1:40:00+30", part(40.0, 6000.0, 30.0)),
            ("40/100:00", None),
            ("40/300:30", part(40.0, 300.0, 0.0)),
            ("40/9000:16/5400:0", part(40.0, 9000.0, 0.0)),
            ("40/600:10+5", part(40.0, 600.0, 0.0)),
            ("40/10+0.1:40/10+0.1", part(40.0, 10.0, 0.1)),
            ("300:15", None),
            ("7200/40", None),
            ("G/10d", None),
            ("5400:1800+30", all(5400.0, 0.0)),
            ("40/90, SD30;+30", part(40.0, 5400.0, 30.0)),
            ("G/75 + 30", all(4500.0, 30.0)),
            ("G90+30", all(5400.0, 30.0)),
            ("1h30+30s", all(5400.0, 30.0)),
            ("40/1h30", part(40.0, 5400.0, 0.0)),
            ("10 seconds per move", all(0.0, 10.0)),
            ("60 min KO", all(3600.0, 0.0)),
            (
                "90 minutes for the first 40 moves followed by 30 minutes for the rest of the game with an addition of 30 seconds per \
                 move starting from move one",
                part(40.0, 5400.0, 30.0),
            ),
            (
                "100 minutes for the first 40 moves, 50 minutes for the next 20 moves and then 15 minutes for the rest with 30 \
                 seconds per move",
                part(40.0, 6000.0, 30.0),
            ),
            ("40/1:40", None),
            ("20/0:30", None),
            ("40/1:40:00:30:00", None),
            ("90 min + 30 s/move from move 1", all(5400.0, 30.0)),
            ("90 minutes + 30 seconds per move starting from move 1", all(5400.0, 30.0)),
            ("90 min/40 moves + 30 min + 30 sec/move from move 1", part(40.0, 5400.0, 30.0)),
            ("40 moves in 90 min then 30 min + 30 s from move 1", part(40.0, 5400.0, 30.0)),
            ("0+1", all(0.0, 1.0)),
            ("0", None),
            ("0+0", None),
            ("*0", None),
            ("0:00", None),
            ("0/300", None),
            ("300:abc", None),
            ("180+2:rubbish", None),
            ("5:60:00", None),
            ("5:00+x", None),
            ("5|5", all(300.0, 5.0)),
            ("10 | 0", all(600.0, 0.0)),
            ("G/5", all(300.0, 0.0)),
            ("g/90;d5", all(5400.0, 5.0)),
            ("G/60 inc30", all(3600.0, 30.0)),
            ("G/3+2", all(180.0, 2.0)),
            ("SD/30", all(1800.0, 0.0)),
            ("40/90,SD/30", part(40.0, 5400.0, 0.0)),
            ("40/90, SD/30, d5", part(40.0, 5400.0, 5.0)),
            ("3 min + 2 sec", all(180.0, 2.0)),
            ("3 minutes plus 2 seconds", all(180.0, 2.0)),
            ("15 min. + 10 s. per move", all(900.0, 10.0)),
            ("90'+30''", all(5400.0, 30.0)),
            ("90 min + 30\"", all(5400.0, 30.0)),
            ("1h30m + 30s", all(5400.0, 30.0)),
            ("10 min", all(600.0, 0.0)),
            ("5 min + 3", all(300.0, 3.0)),
            ("25 minutes per game + 10 seconds increment", all(1500.0, 10.0)),
            ("25 minutes for the whole game with an increment of 10 seconds", all(1500.0, 10.0)),
            ("1 hour", all(3600.0, 0.0)),
            ("2,5 min", all(150.0, 0.0)),
            ("40 moves in 2 hours", part(40.0, 7200.0, 0.0)),
            ("2 hours for 40 moves, then 30 minutes", part(40.0, 7200.0, 0.0)),
            ("40/90' + 30' + 30''/move", part(40.0, 5400.0, 30.0)),
            ("90 min/40 moves + 30 min + 30 sec/move", part(40.0, 5400.0, 30.0)),
            ("90 min/40 + 30 min + 30 sec per move", part(40.0, 5400.0, 30.0)),
            ("3 days/move", part(1.0, 259_200.0, 0.0)),
            ("1 day per move", part(1.0, 86_400.0, 0.0)),
            ("10 moves in 30 days", part(10.0, 2_592_000.0, 0.0)),
            ("", None),
            ("-", None),
            ("?", None),
            ("abc", None),
            ("5 min 3 sec", None),
            ("5", all(5.0, 0.0)),
            ("5+", None),
            ("inf", None),
            ("1e3", None),
            ("min", None),
            ("3|", None),
            ("G/", None),
            ("40/90 SD", None),
        ] {
            let found = TimeControl::of_tag(text).map(|control| (control.moves, control.base, control.increment));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn tags_in_minutes_are_told_by_the_clock() {
        for (text, shown, expected) in [
            ("90+30", Some(5400.0), (None, 5400.0, 30.0)),
            ("90+30", Some(5425.0), (None, 5400.0, 30.0)),
            ("90+30", Some(118.0), (None, 90.0, 30.0)),
            ("90+30", None, (None, 90.0, 30.0)),
            ("3+2", Some(181.0), (None, 180.0, 2.0)),
            ("1+0", Some(59.0), (None, 60.0, 0.0)),
            ("3+0.03", Some(2.9), (None, 3.0, 0.03)),
            ("15/10", Some(905.0), (None, 900.0, 10.0)),
            ("40/90", Some(5395.0), (Some(40.0), 5400.0, 0.0)),
            ("40/25", Some(1495.0), (Some(40.0), 1500.0, 0.0)),
            ("40/120:60", Some(7195.0), (Some(40.0), 7200.0, 0.0)),
            ("40/90+30:30+30", Some(5425.0), (Some(40.0), 5400.0, 30.0)),
            ("5:00", Some(301.0), (None, 300.0, 0.0)),
            ("40/7200", Some(7190.0), (Some(40.0), 7200.0, 0.0)),
            ("40/7200", Some(7201.0), (Some(40.0), 7200.0, 0.0)),
            ("40/5400", Some(5425.0), (Some(40.0), 5400.0, 0.0)),
            ("90 + 30", Some(5400.0), (None, 5400.0, 30.0)),
            ("10", Some(598.0), (None, 600.0, 0.0)),
            ("300+3", Some(303.0), (None, 300.0, 3.0)),
            // Neither seconds nor minutes.
            ("300+3", Some(3600.0), (None, 300.0, 3.0)),
            ("5 min + 3", Some(299.0), (None, 300.0, 3.0)),
        ] {
            let found =
                TimeControl::of_game(text, shown).map(|control| (control.moves, control.base, control.increment));
            assert_eq!(found, Some(expected), "{text} {shown:?}");
        }
    }

    #[test]
    fn what_is_not_understood_is_told_from_what_is_not_said() {
        for text in ["", "-", "?", "Blitz", "none", "300+3", "Rapid (10 min)", "Correspondence"] {
            assert!(TimeControl::is_understood(text), "{text}");
        }
        for text in ["abc", "5 min 3 sec", "fast", "40/90 SD", &"9".repeat(500)] {
            assert!(!TimeControl::is_understood(text), "{text}");
        }
    }
}
