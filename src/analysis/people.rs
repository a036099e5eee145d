//! How hard each choice of a game was for people of the player's rating, and what they play there.

use super::assess_position::{rounded, san_line};
use super::source::Source;
use crate::human::{Decision, Effort, HumanModel, Player, Valuer};
use crate::position::Move;
use crate::printing::Profiles;
use crate::search::Signals;
use serde::{Deserialize, Serialize};

/// Share of people that would find a move within reach.
const WITHIN_REACH: f64 = 0.2;

/// What people of a rating do in a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

/// What people like the player would have done at a move of the game, by its index, whose best move is known. It searches, and
/// needs [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
#[must_use]
pub fn people_at(
    source: &Source,
    player: &Player,
    index: usize,
    best: Option<Move>,
    valuer: &mut Valuer,
) -> PeopleReport {
    let game = source.history(index);
    let position = game.position();
    let values = valuer.values(&game, Effort::default(), &Signals::new());
    let decision = Decision::new(&game, source.recent(index), &values, player, &Profiles::shipped());
    let model = HumanModel::shipped();
    let probabilities = model.probabilities(&decision, player);
    let place = |m: Move| decision.choices.iter().position(|choice| choice.m == m);
    let own = source.moves.get(index).copied().and_then(place);
    let best = best.and_then(place);
    let difficulty = model.difficulty(&decision, &probabilities);
    // Choices are in the order of their values.
    let reached = probabilities.iter().position(|&p| p >= WITHIN_REACH);
    let is_better = |index: usize| own.is_some_and(|own| decision.choices[index].loss < decision.choices[own].loss);
    let reached = reached.filter(|&index| Some(index) != best && is_better(index));
    PeopleReport {
        elo: player.elo as u32,
        mistake: rounded(difficulty.mistake),
        blunder: rounded(difficulty.blunder),
        expected_loss: rounded(difficulty.expected_loss),
        played: own.map_or(0.0, |own| rounded(probabilities[own])),
        best: best.map(|index| rounded(probabilities[index])),
        within_reach: reached.map(|index| san_line(position, &[decision.choices[index].m])),
    }
}

impl PeopleReport {
    /// Who finds the best move, who errs, and what is within reach; for a move that was not the best.
    #[must_use]
    pub fn in_words(&self, best: &str) -> String {
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
    use super::super::{Analyser, Analysis, AnalysisOptions, Selection, annotated_pgn, read};
    use std::ops::ControlFlow;

    #[test]
    fn rated_players_get_their_difficulty_and_bad_moves_its_words() {
        let pgn =
            "[WhiteElo \"1500\"]\n[BlackElo \"?\"]\n[TimeControl \"300+3\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Qxh7 Rxh7 *";
        let report = |people: bool| {
            let mut options = AnalysisOptions { people, ..AnalysisOptions::default() };
            options.search.nodes = Some(2000);
            let input = read("games", pgn.as_bytes(), &Selection::default(), false).unwrap();
            let mut analysis = Analysis::new(input.sources, &options, []).unwrap();
            Analyser::new(options).unwrap().run(&mut analysis, &mut |_| ControlFlow::Continue(())).unwrap();
            let report = analysis.report(0).unwrap();
            let pgn = annotated_pgn(analysis.sources().next().unwrap(), &report);
            (report, pgn)
        };
        let (all, pgn) = report(true);
        // The other has the same rating.
        let has_people = |played: &super::super::MoveReport| played.people.is_some();
        assert_eq!(all.analysis.iter().map(has_people).collect::<Vec<_>>(), [true; 6]);
        let blunder = &all.analysis[4];
        let people = blunder.people.as_ref().unwrap();
        assert!(people.played < 0.1 && people.blunder < 0.5, "{people:?}");
        let words = &blunder.judgment.as_ref().unwrap().comment;
        assert!(words.contains("% of 1500s find "), "{words}");
        assert!(pgn.contains("% of 1500s find ") && pgn.matches("[%difficulty ").count() == 6, "{pgn}");
        // Without that, the positions of bad moves alone.
        let (bad, _) = report(false);
        assert!(has_people(&bad.analysis[4]) && !has_people(&bad.analysis[0]));
    }
}
