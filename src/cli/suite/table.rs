//! What a suite prints.

use super::goal::{Goal, Solved, SuitePosition};
use halfpoint::analysis::{ENGINE, SearchOptions};
use halfpoint::output::{line, one_line};
use serde::Serialize;
use std::time::Duration;

/// Version of the JSON.
const SCHEMA: u32 = 1;
/// Longest name, characters.
const NAME: usize = 40;

/// Sums over some positions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Totals {
    positions: usize,
    solved: usize,
    points: u64,
    most_points: u64,
    /// Mates that were found at any length, and positions where one was asked for.
    mates: usize,
    mate_positions: usize,
    nodes: u64,
    /// Seconds.
    time: f64,
}

impl Totals {
    fn of<'a>(results: impl Iterator<Item = (&'a SuitePosition, &'a Solved)>) -> Totals {
        let mut totals = Totals::default();
        for (position, solved) in results {
            totals.positions += 1;
            totals.solved += usize::from(solved.grade.is_found);
            totals.points += u64::from(solved.grade.points.0);
            totals.most_points += u64::from(solved.grade.points.1);
            totals.mates += usize::from(solved.grade.mate.is_some());
            totals.mate_positions += usize::from(matches!(position.goal, Goal::Mate(_)));
            totals.nodes += solved.nodes;
            totals.time += solved.time.as_secs_f64();
        }
        totals
    }
}

/// The line of the last position of `solved`, with the score so far.
pub fn print_position(position: &SuitePosition, solved: &[Solved], all: usize) {
    let Some(last) = solved.last() else { return };
    let found = solved.iter().filter(|solved| solved.grade.is_found).count();
    let points: u64 = solved.iter().map(|solved| u64::from(solved.grade.points.0)).sum();
    let shown = last.grade.mate.map_or_else(|| last.best.clone(), |moves| format!("mate {moves}"));
    let verdict = if last.grade.is_found { "found" } else { "-" };
    let solution = last.solution.map_or_else(String::new, |(nodes, time)| format!("{nodes} nodes, {}", seconds(time)));
    let points = if last.grade.points.1 > 0 { format!("{points} points, ") } else { String::new() };
    line(format_args!(
        "{:5}/{all}  {verdict:5}  {shown:8}  {solution:26}  {points}{found} found  {}",
        solved.len(),
        one_line(&position.id)
    ));
}

/// The tables.
pub fn print(positions: &[SuitePosition], solved: &[Solved]) {
    let mut groups: Vec<&str> = Vec::new();
    positions.iter().map(SuitePosition::group).for_each(|group| {
        if !groups.contains(&group) {
            groups.push(group);
        }
    });
    let all = Totals::of(positions.iter().zip(solved));
    line(format_args!("{:40}  {:>9}  {:>9}  {:>11}", "group", "positions", "solved", "points"));
    if groups.len() > 1 {
        for group in groups {
            let of_group = positions.iter().zip(solved).filter(|(position, _)| position.group() == group);
            print_totals(&group.chars().take(NAME).collect::<String>(), &Totals::of(of_group));
        }
    }
    print_totals("all", &all);
    if all.mate_positions > 0 {
        line(format_args!("mates found: {} of {}, at any length", all.mates, all.mate_positions));
    }
    let (mut nodes, mut times): (Vec<u64>, Vec<Duration>) = solved.iter().filter_map(|solved| solved.solution).unzip();
    nodes.sort_unstable();
    times.sort_unstable();
    if let Some((nodes, time)) = nodes.get(nodes.len() / 2).zip(times.get(times.len() / 2)) {
        line(format_args!("to the solution: {nodes} nodes, {}, medians of those solved", seconds(*time)));
    }
    line(format_args!("in all: {} nodes, {:.1} s of searching", all.nodes, all.time));
}

fn print_totals(name: &str, totals: &Totals) {
    let points =
        if totals.most_points > 0 { format!("{}/{}", totals.points, totals.most_points) } else { String::new() };
    line(format_args!("{name:40}  {:9}  {:9}  {points:>11}", totals.positions, totals.solved));
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// A position in JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PositionResult<'a> {
    id: &'a str,
    fen: String,
    group: &'a str,
    best: &'a str,
    found: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    nodes: u64,
    time: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution_nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution_time: Option<f64>,
}

/// A suite in JSON.
#[derive(Serialize)]
struct SuiteResult<'a> {
    schema: u32,
    engine: &'a str,
    limits: String,
    total: Totals,
    positions: Vec<PositionResult<'a>>,
}

/// All results in JSON.
#[must_use]
pub fn json(positions: &[SuitePosition], solved: &[Solved], options: &SearchOptions) -> String {
    fn result<'a>((position, solved): (&'a SuitePosition, &'a Solved)) -> PositionResult<'a> {
        PositionResult {
            id: &position.id,
            fen: position.position.fen(),
            group: position.group(),
            best: &solved.best,
            found: solved.grade.is_found,
            points: Some(solved.grade.points).filter(|&(_, most)| most > 0).map(|(points, most)| [points, most]),
            mate: solved.grade.mate,
            nodes: solved.nodes,
            time: solved.time.as_secs_f64(),
            solution_nodes: solved.solution.map(|(nodes, _)| nodes),
            solution_time: solved.solution.map(|(_, time)| time.as_secs_f64()),
        }
    }
    let result = SuiteResult {
        schema: SCHEMA,
        engine: ENGINE,
        limits: options.describe(),
        total: Totals::of(positions.iter().zip(solved)),
        positions: positions.iter().zip(solved).map(result).collect(),
    };
    serde_json::to_string_pretty(&result).map_or_else(|_| String::new(), |text| text + "\n")
}
