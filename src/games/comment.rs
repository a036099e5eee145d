//! What comments say: evaluations, clocks, times.

use std::time::Duration;

/// An evaluation in a comment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommentEval {
    /// Pawns. In single precision, as Stockfish's WDL model cuts hundreds of it to whole centipawns.
    Pawns(f32),
    /// A mate.
    Mate {
        /// The side whose view it is mates.
        wins: bool,
        /// The distance as it is written.
        distance: u32,
    },
}

/// What the comments behind a move say.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Remarks {
    /// What the player thought of the position before the move, in its own view, as match runners write it:
    /// `+0.57/17 0.5s`, `-1.20 17/28 583`, `+M5/12`.
    pub evaluation: Option<CommentEval>,
    /// The position after the move in White's view: `[%eval 0.35]`, `[%eval #-3]`, with a depth behind a comma or without. A
    /// whole number with a depth, `[%eval 35,12]`, is centipawns, as ChessBase writes them.
    pub evaluation_after: Option<CommentEval>,
    /// Win, draw and loss of White after the move, per mille: `[%wdl 283 698 19]`, or with commas.
    pub wdl_after: Option<[u16; 3]>,
    /// What the player's clock shows after the move: `[%clk 0:09:58]`.
    pub clock: Option<Duration>,
    /// Whether the move came out of a book: `{book}`, `{(Book)}`, as match runners write it.
    pub is_book: bool,
    /// Time spent on the move: `[%emt 0:00:02]`, or the seconds of a match runner.
    pub elapsed: Option<Duration>,
}

impl Remarks {
    /// Adds what another comment says. Where both say something, the first counts.
    pub(super) fn add(&mut self, comment: &str) {
        let text = comment.trim();
        let begin = text.split([',', ';']).next().unwrap_or_default();
        self.is_book |= begin.trim_matches([' ', '(', ')']).eq_ignore_ascii_case("book");
        if self.evaluation.is_none()
            && let Some((evaluation, rest)) = own_evaluation(text)
        {
            self.evaluation = Some(evaluation);
            self.elapsed = self.elapsed.or_else(|| seconds(rest));
        }
        if !text.as_bytes().contains(&b'[') {
            return;
        }
        let mut rest = text;
        while let Some((_, command)) = rest.split_once("[%") {
            let Some((command, after)) = command.split_once(']') else { return };
            rest = after;
            let Some((name, value)) = command.split_once(char::is_whitespace) else { continue };
            let value = value.trim();
            match name {
                "eval" => self.evaluation_after = self.evaluation_after.or_else(|| evaluation_command(value)),
                "wdl" => self.wdl_after = self.wdl_after.or_else(|| wdl_command(value)),
                "clk" => self.clock = self.clock.or_else(|| time(value)),
                "emt" => self.elapsed = time(value).or(self.elapsed),
                _ => {}
            }
        }
    }
}

/// Whether a comment is a match runner's, with the player's evaluation.
pub fn is_of_match_runner(comment: &str) -> bool {
    own_evaluation(comment.trim()).is_some()
}

/// The evaluation at the start of a match runner's comment, and what follows it. Runners write a score with a sign, a point or a
/// mate, and a depth behind a slash; or one with a sign or a mate, and another number. Comments of people may begin with
/// `1/2-1/2`, `20/20` or `2.5 points`.
fn own_evaluation(text: &str) -> Option<(CommentEval, &str)> {
    if !text.starts_with(['+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'M', '#']) {
        return None;
    }
    let end = text.find(['/', ' ', '\t', '\r', '\n'])?;
    let (score, rest) = text.split_at(end);
    let evaluation = pawns_or_mate(score)?;
    let begins_with_digit = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_signed = score.contains(['+', '-', 'M', '#']);
    let is_runner = match rest.strip_prefix('/') {
        Some(depth) => (is_signed || score.contains('.')) && begins_with_digit(depth),
        None => is_signed && begins_with_digit(rest.trim_start()),
    };
    is_runner.then_some((evaluation, rest))
}

/// Reads `+0.35`, `-12`, `+M5`, `-#3`.
fn pawns_or_mate(text: &str) -> Option<CommentEval> {
    let (is_negative, size) = match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(distance) = size.strip_prefix(['M', '#']) {
        let (is_negative, distance) = match distance.strip_prefix('-') {
            Some(distance) => (true, distance),
            None => (is_negative, distance),
        };
        return Some(CommentEval::Mate { wins: !is_negative, distance: whole(distance)? });
    }
    let is_number = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let pawns: f32 = size.parse().ok().filter(|_| is_number)?;
    Some(CommentEval::Pawns(if is_negative { -pawns } else { pawns }))
}

/// A whole number of digits alone.
fn whole(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Reads `0.35`, `#-3`, either with the depth behind a comma, and `35,12` in centipawns.
fn evaluation_command(text: &str) -> Option<CommentEval> {
    let (score, depth) = text.split_once(',').map_or((text, None), |(score, depth)| (score, Some(depth)));
    match pawns_or_mate(score.trim())? {
        CommentEval::Pawns(number) if depth.is_some() && !score.contains('.') => {
            Some(CommentEval::Pawns(number / 100.0))
        }
        evaluation => Some(evaluation),
    }
}

/// Reads three numbers that add up to 1000.
fn wdl_command(text: &str) -> Option<[u16; 3]> {
    let numbers: Vec<u16> = text
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse().ok().filter(|&part| part <= 1000))
        .collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|wdl: &[u16; 3]| wdl.iter().sum::<u16>() == 1000)
}

/// Hours, minutes and seconds, `1:02:03.5`; fewer parts are minutes and seconds, or seconds. The mark of decimals may be a
/// comma. A clock that is overdrawn, `-0:00:05`, has no time left.
fn time(text: &str) -> Option<Duration> {
    const MAX_PARTS: usize = 3;
    let (mut seconds, mut is_negative) = (0.0, false);
    if text.split(':').count() > MAX_PARTS {
        return None;
    }
    for part in text.split(':') {
        let part = part.trim();
        let digits = part.trim_start_matches(['-', '−']);
        is_negative |= digits.len() < part.len();
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','));
        let value: f64 = digits.replace(',', ".").parse().ok().filter(|_| is_number)?;
        seconds = 60.0 * seconds + value;
    }
    if is_negative { Some(Duration::ZERO) } else { Duration::try_from_secs_f64(seconds).ok() }
}

/// The time in a match runner's comment: `/12 0.52s, Black mates`.
fn seconds(text: &str) -> Option<Duration> {
    text.split_whitespace().filter_map(|word| word.trim_end_matches(',').strip_suffix('s')).find_map(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remarks(comment: &str) -> Remarks {
        let mut remarks = Remarks::default();
        remarks.add(comment);
        remarks
    }

    #[test]
    fn comments_of_match_runners_hold_evaluations() {
        for (comment, pawns) in [
            ("+0.57/17 0.5s", 0.57),
            (" +0.35/12 0.52s ", 0.35),
            ("\n-0.35/12\n0.52s\n", -0.35),
            ("-1.20 17/28 583 363004", -1.2),
            ("0.00/1", 0.0),
            ("+12/1", 12.0),
        ] {
            assert_eq!(remarks(comment).evaluation, Some(CommentEval::Pawns(pawns)), "{comment}");
        }
        for (comment, wins, distance) in
            [("+M5/12 0.1s", true, 5), ("-M12/3", false, 12), (" M1/20 0.1s ", true, 1), ("-#3/9", false, 3)]
        {
            assert_eq!(remarks(comment).evaluation, Some(CommentEval::Mate { wins, distance }), "{comment}");
        }
        for comment in [
            "",
            "book",
            "+0.57",
            "a good move",
            "/",
            " ",
            "é/1",
            "--1/2",
            "1.2.3/4",
            "5 moves later",
            "5 4 is worse",
            "1/2-1/2 was offered here",
            "20/20 hindsight",
            "2.5 0.5 was the score",
            "inf/3",
            "+0.3/x",
            "M/1",
            "M5",
        ] {
            assert_eq!(remarks(comment).evaluation, None, "{comment}");
        }
        for (comment, is_book) in [
            ("book", true),
            ("Book", true),
            ("(Book)", true),
            (" book, 0.0s", true),
            ("bookish", false),
            ("a book", false),
            ("book knowledge ends here", false),
        ] {
            assert_eq!(remarks(comment).is_book, is_book, "{comment}");
        }
        assert_eq!(remarks("+0.35/12 0.52s, White mates").elapsed, Some(Duration::from_millis(520)));
    }

    #[test]
    fn commands_hold_evaluations_and_clocks() {
        let found = remarks("[%eval -0.35] [%clk 1:02:03] [%emt 0:00:02.5]");
        assert_eq!(found.evaluation_after, Some(CommentEval::Pawns(-0.35)));
        assert_eq!(found.clock, Some(Duration::from_secs(3723)));
        assert_eq!(found.elapsed, Some(Duration::from_millis(2500)));
        assert_eq!(found.evaluation, None);
        let mate = |wins, distance| Some(CommentEval::Mate { wins, distance });
        assert_eq!(remarks("so: [%eval #-3,20]").evaluation_after, mate(false, 3));
        assert_eq!(remarks("[%eval #3][%clk 59.9]").evaluation_after, mate(true, 3));
        for (comment, pawns) in [("[%eval -106,29]", -1.06), ("[%eval -1.06,29]", -1.06), ("[%eval 2]", 2.0)] {
            assert_eq!(remarks(comment).evaluation_after, Some(CommentEval::Pawns(pawns)), "{comment}");
        }
        assert_eq!(remarks("[%eval -1.06,29] [%wdl 1,444,555]").wdl_after, Some([1, 444, 555]));
        assert_eq!(remarks("[%wdl 283 698 19]").wdl_after, Some([283, 698, 19]));
        for comment in ["[%wdl 1,444,556]", "[%wdl 1000]", "[%wdl 65535,1000,1]", "[%wdl a,b,c]", "[%wdl 1,2,3,994]"] {
            assert_eq!(remarks(comment).wdl_after, None, "{comment}");
        }
        for (clock, milliseconds) in [
            ("0:02:59,8", 179_800),
            ("1:00:00.25", 3_600_250),
            ("59,9", 59_900),
            ("-0:00:05", 0),
            ("0:-1:30", 0),
            ("−0:00:00,5", 0),
        ] {
            let clock = format!("[%clk {clock}]");
            assert_eq!(remarks(&clock).clock, Some(Duration::from_millis(milliseconds)), "{clock}");
        }
        for clock in [
            "[%clk 1e5]",
            "[%clk inf]",
            "[%clk 0:,:1]",
            "[%clk -]",
            "[%clk 1,2,3]",
            "[%clk 1:0:02:58]",
            "[%clk 0:02:59,0:02:50]",
        ] {
            assert_eq!(remarks(clock).clock, None, "{clock}");
        }
        assert_eq!(remarks("+0.35/12 0,52s").elapsed, Some(Duration::from_millis(520)));
        assert_eq!(remarks("[%eval 0.3").evaluation_after, None);
        assert_eq!(remarks("[%clk x:1] [%eval ]"), Remarks::default());
    }
}
