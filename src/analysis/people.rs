//! How hard each choice of a game was for people of the player's rating, and what they play there.

use super::assess_position::{rounded, san_line};
use super::source::Source;
use crate::human::{CANDIDATES, Decision, Effort, HumanModel, LOST, Player, PracticalMove, Valuer};
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
    /// In a lost position: the move that is worth more against this opponent than the best one, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub practical: Option<String>,
}

/// Gain of a move against an opponent from which on it is told, expected points.
const TOLD_GAIN: f64 = 0.01;

/// What people like the player would have done at a move of the game, by its index, whose best move is known, and what chances
/// moves have against people like the opponent; of no use once `signals` stop it. It searches, and needs
/// [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
#[must_use]
pub fn people_at(
    source: &Source,
    [player, opponent]: [&Player; 2],
    index: usize,
    best: Option<Move>,
    valuer: &mut Valuer,
    signals: &Signals,
) -> PeopleReport {
    let game = source.history(index);
    let position = game.position();
    let values = valuer.values(&game, Effort::default(), signals);
    let profiles = Profiles::shipped();
    let recent = source.recent(index);
    let decision = Decision::new(&game, recent, &values, player, &profiles);
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
    let is_lost = decision.choices.first().is_some_and(|choice| LOST.contains(&choice.wdl.expected()));
    let practical = is_lost.then(|| {
        let moves = decision.choices.iter().take(CANDIDATES).map(|choice| choice.m);
        let worth = |m: Move| {
            let mut after = game.clone();
            after.play(m);
            let replies = valuer.values(&after, Effort::default(), signals);
            PracticalMove::new((&game, recent, m), &replies, opponent, model, &profiles)
        };
        chances(&moves.map(worth).collect::<Vec<_>>(), opponent, |m| san_line(position, &[m]))
    });
    PeopleReport {
        elo: player.elo as u32,
        mistake: rounded(difficulty.mistake),
        blunder: rounded(difficulty.blunder),
        expected_loss: rounded(difficulty.expected_loss),
        played: own.map_or(0.0, |own| rounded(probabilities[own])),
        best: best.map(|index| rounded(probabilities[index])),
        within_reach: reached.map(|index| san_line(position, &[decision.choices[index].m])),
        practical: practical.flatten(),
    }
}

/// The move that is worth the most against this opponent, where it is worth more than the best one.
fn chances(moves: &[PracticalMove], opponent: &Player, san: impl Fn(Move) -> String) -> Option<String> {
    let best = moves.iter().max_by(|a, b| a.value.total_cmp(&b.value))?;
    let most = moves.iter().max_by(|a, b| a.points().total_cmp(&b.points()))?;
    (most.points() - best.points() >= TOLD_GAIN).then(|| {
        let level = rounded_level(opponent.elo as u32);
        let [first, second] = [most, best].map(|of| san(of.m));
        format!("against {level}s {first} is worth {:.2} points, {second} {:.2}", most.points(), best.points())
    })
}

/// A rating in hundreds.
fn rounded_level(elo: u32) -> u32 {
    elo.saturating_add(50) / 100 * 100
}

impl PeopleReport {
    /// Who finds the best move, who errs, and what is within reach; for a move that was not the best.
    #[must_use]
    pub fn in_words(&self, best: &str) -> String {
        let percent = |share: f64| (100.0 * share).round();
        let level = rounded_level(self.elo);
        let finds = percent(self.best.unwrap_or_default());
        let mut words = format!("{finds} % of {level}s find {best}, {} % lose 0.2 or more", percent(self.blunder));
        if let Some(m) = &self.within_reach {
            words += &format!("; within reach was {m}");
        }
        if let Some(practical) = &self.practical {
            words += &format!("; {practical}");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Analyser, Analysis, AnalysisOptions, Selection, annotated_pgn, read};
    use super::{Player, PracticalMove, chances};
    use crate::position::Position;
    use crate::printing::TimeClass;
    use std::ops::ControlFlow;

    #[test]
    fn a_move_is_told_that_is_worth_more_against_the_opponent() {
        let moves = Position::default().legal_moves();
        let of = |index: usize, value: f64, reply_loss: f64| PracticalMove { m: moves[index], value, reply_loss };
        let opponent = Player::of_class(1460.0, TimeClass::Blitz);
        let told =
            |of: &[PracticalMove]| chances(of, &opponent, |m| if m == moves[0] { "Qh5" } else { "Bd2" }.to_owned());
        let words = told(&[of(1, 0.10, 0.02), of(0, 0.09, 0.06)]);
        assert_eq!(words.as_deref(), Some("against 1500s Qh5 is worth 0.15 points, Bd2 0.12"));
        // The best is worth the most, or nearly so; or there is none.
        assert_eq!(told(&[of(1, 0.10, 0.02), of(0, 0.02, 0.06)]), None);
        assert_eq!(told(&[of(1, 0.10, 0.02), of(0, 0.09, 0.035)]), None);
        assert_eq!(told(&[]), None);
    }

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
