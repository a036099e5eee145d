//! A searched game to its report.

use super::assess_position::{Assessment, Printing, rounded_loss, san_line};
use super::causes::{Cause, Searched, causes, in_words, piece, sacrifice};
use super::ending::Ending;
use super::lichess;
use super::measures::{Judgment, Loss, Thresholds};
use super::moments::moments;
use super::pairing::Players;
use super::people::PeopleReport;
use super::remarks::{ClockReport, choices, remarks};
use super::schema::{
    Division, ENGINE, GameReport, JudgmentReport, LineReport, MoveReport, PlayerAnalysis, PlayerReport, SCHEMA,
};
use super::searcher::Found;
use super::sides::{color_name, mover, white_wdl};
use super::source::Source;
use crate::eval::{FULL_PHASE, phase};
use crate::position::{GameHistory, Position};
use crate::printing::PrintedScore;
use shakmaty::{ByColor, CastlingMode, Color, KnownOutcome};
use std::collections::HashMap;

/// Most moves of each side that are the opening.
const OPENING_MOVES: usize = 10;
/// Largest phase of the evaluation that is an endgame: a third of all pieces.
const ENDGAME_PHASE: i32 = FULL_PHASE / 3;

/// Expected points after a sacrifice that counts: it is no last resort, nor one of many ways to win.
const SOUND: std::ops::Range<f64> = 0.3..0.98;
/// How many blunders a move of a named opening must lose to be judged.
const THEORY_FACTOR: f64 = 2.0;

/// What a report needs beside game and searches.
#[derive(Clone, Copy, Debug)]
pub struct Assessor<'a> {
    /// From where on moves are bad.
    pub thresholds: &'a Thresholds,
    /// The limits of the searches, in words.
    pub limits: &'a str,
}

impl Assessor<'_> {
    /// The report of a game. `found` has a search for the start and for the position after each move.
    #[must_use]
    pub fn report(&self, source: &Source, players: &Players, found: &[Found]) -> GameReport {
        let chess960 = source.mode == CastlingMode::Chess960;
        let assess = |game: &GameHistory, ply: usize| {
            let wdl_for = players.wdl_for_with(source.clocks_before(ply));
            let ends = ply == source.moves.len() && is_over(source, game.position());
            Printing { wdl_for: &wdl_for, equals: &players.equals, chess960 }.assess(game, &found[ply], ends)
        };
        let printing = Printing { wdl_for: &players.wdl_for, equals: &players.equals, chess960 };
        let mut game = GameHistory::new(source.start);
        let mut positions = vec![assess(&game, 0)];
        let mut phases = Vec::new();
        let mut analysis: Vec<MoveReport> = Vec::new();
        // Searches know little of openings: a move of a named one is bad only if it loses much.
        let opening = source.opening();
        let theory = opening.as_ref().map_or(0, |opening| opening.ply);
        let judgment = |lost: f64, is_theory: bool| {
            Judgment::of(lost, self.thresholds)
                .filter(|_| !is_theory || lost >= THEORY_FACTOR * self.thresholds.blunder)
        };
        for (index, &m) in source.moves.iter().enumerate() {
            let before = positions[index].clone();
            let position = *game.position();
            let color = position.turn();
            let uci = game.position().format_move(m, chess960);
            phases.push(phase(game.position()));
            let lines = printing.losses(&game, &found[index]);
            game.play(m);
            let after = assess(&game, index + 1);
            let is_best = before.best == Some(m);
            let lost = if is_best { Loss::default() } else { loss(color, &before, &after) };
            let best = before.report.lines.first().filter(|_| !is_best);
            // The searches before a move and after it may not agree on it: it is judged by the one after it, which is deeper.
            let moves = found[index].lines.iter().map(|line| line.pv.first() == Some(&m));
            let others =
                moves.zip(&lines).skip(1).map(|(is_played, line)| if is_played { lost.total } else { line.total });
            let is_known = found[index].lines.iter().any(|line| line.pv.first() == Some(&m));
            // With several lines the played move counts, too.
            let unknown = Some(lost.total).filter(|_| !is_known && lines.len() > 1);
            let others = rising(others.chain(unknown));
            let after_it = white_wdl(after.by_equals[color], Color::Black);
            let expected = [before.by_equals[color], after_it].map(|wdl| wdl.expected());
            let line = found[index + 1].best_line();
            let reply = Searched { position: game.position(), line, score: after.score };
            let is_sound = lost.total < self.thresholds.inaccuracy / 2.0 && SOUND.contains(&expected[1]);
            analysis.push(MoveReport {
                uci,
                best: best.and_then(|line| line.uci.split(' ').next()).map(str::to_owned),
                variation: best.map(|line| line.san.clone()),
                judgment: judgment(lost.total, index < theory).map(|judgment| {
                    let before_it =
                        Searched { position: &position, line: found[index].best_line(), score: before.score };
                    let people = found[index].people.as_ref();
                    judgment_report(judgment, &causes(before_it, m, reply), expected, best, people)
                }),
                lost,
                only: is_best && others.first().is_some_and(|&lost| lost >= self.thresholds.mistake),
                kept: kept(&others, self.thresholds),
                sacrifice: if is_sound { sacrifice(&position, m, reply).map(piece) } else { None },
                accuracy: None,
                people: found[index].people.clone(),
                after: after.report.clone(),
            });
            positions.push(after);
        }
        let first = source.start.turn();
        let moves = san_line(&source.start, &source.moves);
        let division = division(&source.start, &phases);
        let mut players_report = self.players(source, players, &analysis, division);
        let start = if source.is_from_start() { lichess::START } else { positions[0].white_cp() };
        add_lichess(first, start, &positions[1..], &mut analysis, &mut players_report);
        let result = source.result.known();
        let (moments_are, moments) = moments(first, &moves, result, &players_report, &positions, &analysis);
        // Before the first move the clocks are those of the time control.
        let has_clocks = (1..=source.moves.len()).any(|ply| source.clocks_before(ply).is_some());
        GameReport {
            schema: SCHEMA,
            engine: ENGINE.to_owned(),
            number: source.number,
            tags: unique(&source.tags),
            variant: match source.mode {
                CastlingMode::Chess960 => "chess960",
                CastlingMode::Standard if source.is_from_start() => "standard",
                CastlingMode::Standard => "fromPosition",
            },
            initial_fen: source.start.fen(),
            wdl_for: players.described(has_clocks),
            equals_for: players.equals_description.clone(),
            limits: self.limits.to_owned(),
            result: source.result.to_string(),
            winner: source.result.known().and_then(KnownOutcome::winner).map(color_name),
            clocks: source.clocks(),
            clock: ClockReport::of(source),
            opening,
            ending: positions.last().and_then(|last| Ending::of(source, last.expected)),
            remarks: remarks(source),
            choices: choices(source, &analysis),
            division,
            moments,
            moments_are,
            players: players_report,
            moves,
            start: positions[0].report.clone(),
            analysis,
        }
    }

    fn players(
        &self,
        source: &Source,
        players: &Players,
        analysis: &[MoveReport],
        division: Division,
    ) -> ByColor<PlayerReport> {
        let first = source.start.turn();
        let mut sums: ByColor<PlayerAnalysis> = ByColor::default();
        for (ply, played) in analysis.iter().enumerate() {
            let sum = sums.get_mut(mover(first, ply));
            let phase = division.phase(ply);
            sum.lost += played.lost;
            sum.phases[phase] += played.lost;
            sum.moves[phase] += 1;
            sum.best += usize::from(played.best.is_none());
            match played.judgment.as_ref().map(|judgment| judgment.name) {
                Some(Judgment::Inaccuracy) => sum.inaccuracy += 1,
                Some(Judgment::Mistake) => sum.mistake += 1,
                Some(Judgment::Blunder) => sum.blunder += 1,
                None => {}
            }
        }
        // Sums of rounded numbers have more digits than they mean.
        for sum in sums.iter_mut() {
            sum.lost = rounded_loss(sum.lost);
            sum.phases = sum.phases.map(rounded_loss);
        }
        let name = |tag| source.tags.known(tag).to_owned();
        ByColor {
            white: PlayerReport { name: name("White"), rating: players.ratings.white, analysis: sums.white },
            black: PlayerReport { name: name("Black"), rating: players.ratings.black, analysis: sums.black },
        }
    }
}

/// Where the phases begin, by the phases of the evaluation before each move. The opening lasts for the first ten moves of each
/// side at most, of which a game that is set up may be beyond at `start`; an endgame has a third of the pieces at most, and never
/// becomes a middlegame again.
fn division(start: &Position, phases: &[i32]) -> Division {
    // Move 1 with fewer than all pieces is no number of its own.
    let is_numbered = start.fullmoves() > 1 || start.board().occupied().count() == 32;
    let moves = if is_numbered { start.fullmoves().saturating_sub(1) as usize } else { OPENING_MOVES };
    let played = 2 * moves + usize::from(start.turn() == Color::Black);
    let end = phases.iter().position(|&phase| phase <= ENDGAME_PHASE);
    let opening = (2 * OPENING_MOVES).saturating_sub(played);
    let middle = Some(opening).filter(|&middle| middle < end.unwrap_or(phases.len()));
    Division { middle, end }
}

/// Whether the last position of the moves ends the game: by itself, or as a draw that was claimed.
pub fn is_over(source: &Source, last: &Position) -> bool {
    let is_draw = source.result.known().is_some_and(|outcome| outcome.winner().is_none());
    is_draw || last.has_no_moves() || last.is_insufficient_material()
}

/// Losses from the smallest on.
fn rising(losses: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut losses: Vec<f64> = losses.collect();
    losses.sort_by(f64::total_cmp);
    losses
}

/// How many moves lose less than an inaccuracy, and what the next best loses, by the losses of all but the best; `None` if not so
/// many lines are known.
fn kept(losses: &[f64], thresholds: &Thresholds) -> Option<String> {
    let good = losses.iter().take_while(|&&lost| lost < thresholds.inaccuracy).count();
    let next = losses.get(good)?;
    let moves = match good {
        0 => "One move kept the chances".to_owned(),
        _ => format!("{} moves kept the chances", good + 1),
    };
    Some(format!("{moves}; the next best loses {next:.2}"))
}

/// What a move of a side lost that was not the best, between equals at its rating. Who gets a mate in sight, or out of the
/// opponent's, loses nothing, though people may miss it.
fn loss(color: Color, before: &Assessment, after: &Assessment) -> Loss {
    if mate_side(color, after) > mate_side(color, before) {
        return Loss::default();
    }
    let turned = white_wdl(after.by_equals[color], Color::Black);
    rounded_loss(Loss::between(before.by_equals[color], turned))
}

/// 1 where a side mates, −1 where it is mated, else 0.
fn mate_side(color: Color, position: &Assessment) -> i32 {
    match position.score {
        PrintedScore::Mate(moves) if (moves > 0) == (position.turn == color) => 1,
        PrintedScore::Mate(_) => -1,
        PrintedScore::Cp(_) => 0,
    }
}

/// A judgement in words. `expected` are the player's points before and after the move.
fn judgment_report(
    name: Judgment,
    causes: &[Cause],
    expected: [f64; 2],
    best: Option<&LineReport>,
    people: Option<&PeopleReport>,
) -> JudgmentReport {
    let san = best.and_then(|line| line.san.split(' ').next());
    let better = san.map(|san| format!(" {san} was best.")).unwrap_or_default();
    let people = people.zip(san).map(|(people, san)| people.in_words(san));
    let what = in_words(causes, expected);
    let told = people.as_ref().map(|words| format!(" {words}.")).unwrap_or_default();
    let comment = format!("{name}: {what}.{better}{told}");
    JudgmentReport { name, causes: causes.iter().map(Cause::name).collect(), what, people, comment }
}

/// lichess' accuracy and mean loss. A mate on the board has no evaluation there.
fn add_lichess(
    first: Color,
    start: i32,
    after: &[Assessment],
    analysis: &mut [MoveReport],
    players: &mut ByColor<PlayerReport>,
) {
    let of_moves = after.iter().take_while(|position| !position.is_mated()).map(Assessment::white_cp);
    let evaluations: Vec<i32> = std::iter::once(start).chain(of_moves).collect();
    let mut chances = lichess::win_percent(start);
    for (ply, (played, &cp)) in analysis.iter_mut().zip(&evaluations[1..]).enumerate() {
        let now = lichess::win_percent(cp);
        let color = mover(first, ply);
        let (before, after) = color.fold_wb((chances, now), (100.0 - chances, 100.0 - now));
        played.accuracy = Some(tenths(lichess::move_accuracy(before, after)));
        chances = now;
    }
    let accuracy = lichess::game_accuracy(first, &evaluations);
    let loss = lichess::mean_loss(first, &evaluations);
    for color in Color::ALL {
        let sum = &mut players.get_mut(color).analysis;
        sum.accuracy = accuracy[color].map(tenths);
        sum.acpl = loss[color].map(|loss| loss.round() as i64);
    }
}

/// Rounded to a digit behind the point.
fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The tags; of several of the same name the last.
fn unique(tags: &crate::games::Tags) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut places = HashMap::new();
    for (name, value) in tags.iter() {
        let place = *places.entry(name).or_insert(pairs.len());
        match pairs.get_mut(place) {
            Some((_, known)) => value.clone_into(known),
            None => pairs.push((name.to_owned(), value.to_owned())),
        }
    }
    pairs
}
