//! Whether moves after which the opponent is likely to err score better in lost positions than their value says.
//!
//! The value of a move is that of the opponent's best reply. Against this opponent it is worth more: the mean over the replies
//! that people of the rating play. The difference, what the opponent is likely to lose, is its *bait*.

use super::Options;
use super::games::{Choice, Game, Place, Platform, choose};
use super::valuation::{self, Values, key};
use crate::stats::{Clustered, least_squares};
use anyhow::{Result, bail};
use halfpoint::human::{CANDIDATES, Decision, HumanModel, LOST, PracticalMove, Recent};
use halfpoint::output::{error_line, line};
use halfpoint::params;
use halfpoint::position::{GameHistory, Move, Position};
use halfpoint::printing::Profiles;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use shakmaty::{Color, Role};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

/// Plies of the opening, which are left out.
const OPENING: usize = 10;
/// Material that the player is behind by, centipawns.
const BEHIND: RangeInclusive<i32> = 150..=1000;
/// Fewest lost positions that are worth a test.
const MIN_SWINDLES: usize = 100;
/// Values of pieces, centipawns.
const PIECES_CP: [(Role, i32); 5] =
    [(Role::Pawn, 100), (Role::Knight, 300), (Role::Bishop, 300), (Role::Rook, 500), (Role::Queen, 900)];
/// Most positions of a game.
const POSITIONS_PER_GAME: usize = 2;

/// A move that was played in a lost position.
#[derive(Clone, Copy, Debug)]
struct Swindle {
    game: usize,
    /// Expected points by the opponent's best reply.
    value: f64,
    /// What the opponent is likely to lose.
    lost: f64,
    /// That less its mean after all candidates.
    bait: f64,
    /// Place among the candidates by value, and by expected points against this opponent.
    ranks: [usize; 2],
    /// What the opponent's reply lost; `None` if there was none.
    reply_loss: Option<f64>,
    /// Points of the player at the end.
    points: f64,
}

/// Tests the model of the options on games that its fit, which took `fitted`, has left out.
pub fn run(options: &Options, games: &[Game], fitted: &Choice, count: usize) -> Result<()> {
    let model: HumanModel = params::read_file(&options.output)?;
    let (threads, most) = (options.threads.get(), options.search_at_most.unwrap_or(usize::MAX));
    let rest = Choice { games_of_cell: fitted.games_of_cell.end..usize::MAX, ..fitted.clone() };
    let places = behind(games, &rest, count);
    error_line(format_args!("{} positions chosen", places.len()));
    let value =
        |positions: &mut dyn Iterator<Item = GameHistory>| valuation::value(&options.values, positions, threads, most);
    let values = value(&mut places.iter().map(|place| games[place.game].history(place.ply)))?;
    let profiles = Profiles::shipped();
    let lost: Vec<(Place, Vec<Move>)> = places
        .par_iter()
        .filter_map(|&place| Some((place, candidates(&games[place.game], place, &values, &profiles)?)))
        .collect();
    let after = |(place, moves): &(Place, Vec<Move>)| {
        let before = games[place.game].history(place.ply);
        moves.iter().map(|&m| played(&before, m)).collect::<Vec<_>>()
    };
    let values = value(&mut lost.iter().flat_map(after))?;
    let swindles: Vec<Swindle> = lost
        .par_iter()
        .filter_map(|(place, moves)| Swindle::new(&games[place.game], *place, moves, &values, &model, &profiles))
        .collect();
    if swindles.len() < MIN_SWINDLES {
        bail!("{} lost positions are too few, at least {MIN_SWINDLES} are needed", swindles.len());
    }
    line(text(&swindles).trim_end());
    Ok(())
}

/// Positions of lichess in which the player is behind in material, of games in random order.
fn behind(games: &[Game], rest: &Choice, count: usize) -> Vec<Place> {
    let mut random = StdRng::seed_from_u64(rest.seed);
    let mut order: Vec<usize> = choose(games, &Choice { positions_per_game: 1, ..rest.clone() })
        .into_iter()
        .map(|place| place.game)
        .filter(|&game| games[game].platform == Platform::Lichess)
        .collect();
    order.shuffle(&mut random);
    let mut places = Vec::new();
    for game in order {
        let mut position = games[game].start;
        let mut plies = Vec::new();
        for (ply, &m) in games[game].moves.iter().enumerate() {
            let balance = material(&position, !position.turn()) - material(&position, position.turn());
            if ply > OPENING && BEHIND.contains(&balance) {
                plies.push(ply);
            }
            position = position.play(m);
        }
        plies.shuffle(&mut random);
        places.extend(plies.into_iter().take(POSITIONS_PER_GAME).map(|ply| Place { game, ply }));
        if places.len() >= count {
            break;
        }
    }
    places.sort_unstable_by_key(|place| (place.game, place.ply));
    places
}

/// Material of a side, centipawns.
fn material(position: &Position, color: Color) -> i32 {
    let of = |(role, value): (Role, i32)| value * position.pieces(color, role).count() as i32;
    PIECES_CP.into_iter().map(of).sum()
}

/// What the opponent's reply lost; `None` if there was none.
fn reply_loss(game: &Game, place: Place, values: &Values, profiles: &Profiles) -> Option<f64> {
    let ply = place.ply + 1;
    let (reply, after) = (*game.moves.get(ply)?, game.history(ply));
    let recent = Recent::of(&game.start, &game.moves[..ply]);
    let decision = Decision::new(&after, recent, values.get(&key(&after))?, &game.player(ply), profiles);
    decision.choices.iter().find(|choice| choice.m == reply).map(|choice| choice.loss)
}

fn played(game: &GameHistory, m: Move) -> GameHistory {
    let mut game = game.clone();
    game.play(m);
    game
}

/// The best moves of a lost position, if the move that was played is one of them.
fn candidates(game: &Game, place: Place, values: &Values, profiles: &Profiles) -> Option<Vec<Move>> {
    let history = game.history(place.ply);
    let recent = Recent::of(&game.start, &game.moves[..place.ply]);
    let decision = Decision::new(&history, recent, values.get(&key(&history))?, &game.player(place.ply), profiles);
    let is_lost = LOST.contains(&decision.choices.first()?.wdl.expected());
    let moves: Vec<Move> = decision.choices.iter().take(CANDIDATES).map(|choice| choice.m).collect();
    (is_lost && moves.len() > 1 && moves.contains(&game.moves[place.ply])).then_some(moves)
}

impl Swindle {
    fn new(
        game: &Game,
        place: Place,
        moves: &[Move],
        values: &Values,
        model: &HumanModel,
        profiles: &Profiles,
    ) -> Option<Swindle> {
        let before = game.history(place.ply);
        let recent = Recent::of(&game.start, &game.moves[..place.ply]);
        let opponent = game.player(place.ply + 1);
        let mut seen = Vec::new();
        for &m in moves {
            let Some(replies) = values.get(&key(&played(&before, m))).filter(|replies| !replies.is_empty()) else {
                continue;
            };
            seen.push(PracticalMove::new((&before, recent, m), replies, &opponent, model, profiles));
        }
        let own = *seen.iter().find(|of| of.m == game.moves[place.ply])?;
        let mean = seen.iter().map(|of| of.reply_loss).sum::<f64>() / seen.len() as f64;
        let by_value = seen.iter().filter(|of| of.value > own.value).count();
        let by_chances = seen.iter().filter(|of| of.points() > own.points()).count();
        Some(Swindle {
            game: place.game,
            value: own.value,
            lost: own.reply_loss,
            bait: own.reply_loss - mean,
            ranks: [by_value, by_chances],
            reply_loss: reply_loss(game, place, values, profiles),
            points: game.points(place.ply),
        })
    }

    /// Points less the value of the move.
    fn gain(&self) -> f64 {
        self.points - self.value
    }
}

/// The figures as Markdown.
fn text(swindles: &[Swindle]) -> String {
    let all = || swindles.iter();
    let games = all().map(|swindle| swindle.game).collect::<BTreeSet<_>>().len();
    let mut text = format!(
        "{} lost positions of {games} games. Means, with standard errors over games.\n\n\
         | the move is placed | moves | value | points less value | foreseen loss of the reply | its loss |\n\
         |---|---|---|---|---|---|\n",
        swindles.len()
    );
    for (name, order) in [
        ("better against this opponent than by value", Ordering::Less),
        ("alike", Ordering::Equal),
        ("worse", Ordering::Greater),
    ] {
        let of = || all().filter(|swindle| swindle.ranks[1].cmp(&swindle.ranks[0]) == order);
        let mean = |value: &dyn Fn(&Swindle) -> f64| in_figures(&Clustered::of(of().map(|of| (of.game, value(of)))));
        let replies = Clustered::of(of().filter_map(|of| Some((of.game, of.reply_loss?))));
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} |",
            of().count(),
            mean(&|swindle| swindle.value),
            mean(&Swindle::gain),
            mean(&|swindle| swindle.lost),
            in_figures(&replies)
        );
    }
    // Within a position the mean of the bait is zero, so its slope does not tell hard positions from easy ones.
    let slope = |target: &dyn Fn(&Swindle) -> Option<f64>| {
        let known: Vec<(&Swindle, f64)> = all().filter_map(|swindle| Some((swindle, target(swindle)?))).collect();
        let rows: Vec<Vec<f64>> = known.iter().map(|(swindle, _)| vec![1.0, swindle.value, swindle.bait]).collect();
        let targets: Vec<f64> = known.iter().map(|(_, target)| *target).collect();
        let weights = least_squares(&rows, &targets);
        // How far each position moves the slope of the bait: by the part of it that the rest does not explain.
        let rest: Vec<Vec<f64>> = rows.iter().map(|row| row[..2].to_vec()).collect();
        let explained = least_squares(&rest, &rows.iter().map(|row| row[2]).collect::<Vec<_>>());
        let own: Vec<f64> = rows.iter().map(|row| row[2] - explained[0] * row[0] - explained[1] * row[1]).collect();
        let square: f64 = own.iter().map(|own| own * own).sum();
        let moved = Clustered::of(known.iter().zip(&rows).zip(&own).map(|(((swindle, target), row), own)| {
            let fitted: f64 = row.iter().zip(&weights).map(|(x, weight)| x * weight).sum();
            (swindle.game, (target - fitted) * own / square)
        }));
        format!("{:+.2} ± {:.2}", weights[2], moved.standard_error() * moved.count as f64)
    };
    let _ = writeln!(
        text,
        "\nPoint for point of foreseen loss beyond the mean of the candidates: {} of the result, {} of the reply's loss.",
        slope(&|swindle| Some(swindle.points)),
        slope(&|swindle| swindle.reply_loss)
    );
    text
}

fn in_figures(mean: &Clustered) -> String {
    format!("{:+.4} ± {:.4}", mean.mean(), mean.standard_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfpoint::printing::TimeClass;

    fn game(number: usize, moves: &str) -> Game {
        let start = Position::default();
        let mut position = start;
        let mut read = |text: &str| {
            let m = position.parse_move(text).unwrap();
            position = position.play(m);
            m
        };
        let moves: Vec<Move> = moves.split(' ').map(&mut read).collect();
        Game {
            source: "a".to_owned(),
            number,
            platform: Platform::Lichess,
            class: TimeClass::Blitz,
            control: None,
            names: ["x".to_owned(), "y".to_owned()],
            ratings: [1500, 1500],
            white_points: 1.0,
            start,
            clocks: vec![None; moves.len()],
            moves,
        }
    }

    #[test]
    fn positions_are_those_in_which_the_player_is_behind() {
        // Black's queen falls at once, and nothing more.
        let lost = "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2 e5e2 d1e2 b8c6 g1f3 g8f6 e1g1 a7a6 a2a3 h7h6 h2h3 g7g6";
        let level = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d3 d7d6 e1g1 e8g8 a2a4 a7a6";
        let games: Vec<Game> = [lost, level, lost].iter().enumerate().map(|(at, text)| game(at + 1, text)).collect();
        let rest = Choice { games_of_cell: 0..usize::MAX, positions_per_game: usize::MAX, seed: 1 };
        let places = behind(&games, &rest, usize::MAX);
        assert_eq!(places.iter().map(|place| place.game).collect::<Vec<_>>(), [0, 0, 2, 2]);
        assert!(places.iter().all(|place| place.ply > OPENING && place.ply % 2 == 1), "{places:?}");
        assert_eq!(behind(&games, &rest, 1).len(), POSITIONS_PER_GAME);
    }

    #[test]
    fn the_slope_is_that_of_the_bait() {
        let swindle = |index: usize| {
            let bait = [-0.05, 0.0, 0.05][index % 3];
            let value = 0.1 + (index % 7) as f64 / 100.0;
            Swindle {
                game: index / 2,
                value,
                lost: 0.06 + bait,
                bait,
                ranks: [1, [2, 1, 0][index % 3]],
                reply_loss: (!index.is_multiple_of(5)).then_some(0.06 + bait / 2.0),
                points: value + 0.06 + bait,
            }
        };
        let text = text(&(0..300).map(swindle).collect::<Vec<_>>());
        assert!(text.contains("+1.00 ± 0.00 of the result, +0.50 ± 0.00 of the reply's loss"), "{text}");
        assert!(text.contains("| better against this opponent than by value | 100 |"), "{text}");
        assert!(text.contains("| +0.1100 ± 0.0000 | +0.1100 ± 0.0000 | +0.0850 ± 0.0000 |"), "{text}");
    }
}
