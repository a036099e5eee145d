//! How hard each choice of a game was for people of the player's rating, and what they play there.

use super::assess_position::{rounded, san_line};
use super::schema::{GameReport, MoveReport};
use super::sides::mover;
use super::source::Source;
use crate::human::{Decision, Difficulty, Effort, HumanModel, Player, Recent, Valuer};
use crate::position::{GameHistory, Position};
use crate::printing::{Profiles, TimeClass, TimeControl};
use crate::search::Signals;
use serde::Serialize;

/// Share of people that would find a move within reach.
const WITHIN_REACH: f64 = 0.2;
/// Hundredths of a second.
const HUNDREDTHS: f64 = 100.0;

/// What people of a rating do in a position.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PeopleReport {
    /// Their rating.
    pub elo: u32,
    /// Chance that their move loses 0.1 expected points or more.
    pub mistake: f64,
    /// Chance that it loses 0.2 or more.
    pub blunder: f64,
    /// Expected points that it loses.
    pub expected_loss: f64,
    /// Chance that they play the move of the game.
    pub played: f64,
    /// Chance that they play the best move; missing where the search has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
    /// The best of the moves that at least a fifth of them play, in standard algebraic notation, where it is better than the
    /// move of the game and not the best of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_reach: Option<String>,
}

/// Adds to each move of a game how hard it was for people of the player's rating, and to the words of bad moves. Players
/// without a rating are left out. It searches, and needs [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
pub fn add_people(report: &mut GameReport, source: &Source, time_class: Option<TimeClass>, valuer: &mut Valuer) {
    let profiles = Profiles::shipped();
    let tag = |name| source.tags.known(name);
    let control = TimeControl::of_tag(tag("TimeControl"));
    let class = time_class.or_else(|| TimeClass::from_tags(tag("TimeControl"), tag("EventType"), tag("Event")));
    let class = class.unwrap_or(TimeClass::Classical);
    let ratings = [&report.players.white, &report.players.black].map(|player| player.rating);
    let mut game = GameHistory::new(source.start);
    let mut recent = Recent::default();
    for (ply, (&m, played)) in source.moves.iter().zip(&mut report.analysis).enumerate() {
        let [white, black] = ratings;
        if let Some(elo) = mover(source.start.turn(), ply).fold_wb(white, black) {
            let player = Player::of_class(f64::from(elo), class);
            let player = match (control, time_class) {
                (Some(control), None) => player.with(control),
                _ => player,
            };
            let clock = ply.checked_sub(2).and_then(|before| report.clocks.get(before).copied().flatten());
            let player = Player { seconds_left: clock.map(|left| left as f64 / HUNDREDTHS), ..player };
            let values = valuer.values(&game, Effort::default(), &Signals::new());
            let decision = Decision::new(&game, recent, &values, &player, &profiles);
            let probabilities = HumanModel::shipped().probabilities(&decision, &player);
            add(played, game.position(), elo, &decision, &probabilities);
        }
        recent = recent.after(m, game.position().captured(m).is_some());
        game.play(m);
    }
}

/// Adds what people do to the report of a move.
fn add(played: &mut MoveReport, position: &Position, elo: u32, decision: &Decision, probabilities: &[f64]) {
    let place = |uci: &str| position.parse_move(uci).ok().and_then(|m| decision.choices.iter().position(|c| c.m == m));
    let Some(own) = place(&played.uci) else { return };
    let best = place(played.best.as_deref().unwrap_or(&played.uci));
    let difficulty = Difficulty::of(decision, probabilities);
    // Choices are in the order of their values.
    let reached = probabilities.iter().position(|&p| p >= WITHIN_REACH);
    let reached =
        reached.filter(|&index| Some(index) != best && decision.choices[index].loss < decision.choices[own].loss);
    let san = |index: usize| san_line(position, &[decision.choices[index].m]);
    let people = PeopleReport {
        elo,
        mistake: rounded(difficulty.mistake),
        blunder: rounded(difficulty.blunder),
        expected_loss: rounded(difficulty.expected_loss),
        played: rounded(probabilities[own]),
        best: best.map(|index| rounded(probabilities[index])),
        within_reach: reached.map(san),
    };
    if let (Some(judgment), Some(index)) = (&mut played.judgment, best.filter(|&index| index != own)) {
        let words = people.in_words(&san(index));
        judgment.comment = format!("{} {words}.", judgment.comment);
        judgment.what = format!("{}; {words}", judgment.what);
    }
    played.people = Some(people);
}

impl PeopleReport {
    /// Who finds the best move, who errs, and what is within reach.
    fn in_words(&self, best: &str) -> String {
        let percent = |share: f64| (100.0 * share).round();
        let level = (self.elo + 50) / 100 * 100;
        let finds = percent(self.best.unwrap_or_default());
        let mut words = format!("{finds} % of {level}s find {best}, {} % lose 0.2 or more", percent(self.blunder));
        if let Some(m) = &self.within_reach {
            words += &format!("; within reach was {m}");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Analyser, Analysis, AnalysisOptions, Selection, read};
    use super::*;
    use crate::eval::Weights;
    use std::ops::ControlFlow;

    #[test]
    fn rated_players_get_their_difficulty_and_bad_moves_its_words() {
        let pgn =
            "[WhiteElo \"1500\"]\n[BlackElo \"?\"]\n[TimeControl \"300+3\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxh7 Rxh7 *";
        let mut options = AnalysisOptions::default();
        options.search.nodes = Some(2000);
        let input = read("games", pgn.as_bytes(), &Selection::default(), false).unwrap();
        let source = input.sources[0].clone();
        let mut analysis = Analysis::new(input.sources, &options, []).unwrap();
        Analyser::new(options).unwrap().run(&mut analysis, &mut |_| ControlFlow::Continue(())).unwrap();
        let mut report = analysis.report(0).unwrap();
        add_people(&mut report, &source, None, &mut Valuer::new(Weights::shipped()).unwrap());
        let has_people: Vec<_> = report.analysis.iter().map(|played| played.people.is_some()).collect();
        assert_eq!(has_people, [true, false, true, false, true, false]);
        let blunder = &report.analysis[4];
        let people = blunder.people.as_ref().unwrap();
        assert!(people.played < 0.1 && people.blunder < 0.5, "{people:?}");
        let words = &blunder.judgment.as_ref().unwrap().comment;
        assert!(words.contains("% of 1500s find "), "{words}");
    }
}
