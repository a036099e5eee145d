//! The report as a page: one file that needs nothing else.

use super::isolated::isolated;
use super::schema::{ENGINE, GameReport};
use serde_json::Value;

/// The frame of the page; words in double braces are replaced.
const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
const PIECES: &str = include_str!("page/pieces.svg");
/// The scripts, in the order in which they use each other.
const SCRIPTS: [&str; 14] = [
    include_str!("page/tools.js"),
    include_str!("page/board.js"),
    include_str!("page/notation.js"),
    include_str!("page/chart.js"),
    include_str!("page/model.js"),
    include_str!("page/overview.js"),
    include_str!("page/parts.js"),
    include_str!("page/tryout.js"),
    include_str!("page/share.js"),
    include_str!("page/view.js"),
    include_str!("page/sums.js"),
    include_str!("page/print.js"),
    include_str!("page/list.js"),
    include_str!("page/main.js"),
];

/// The reports as a page: one file in HTML that needs nothing else. `are_positions` says whether they are single positions
/// rather than games.
#[must_use]
pub fn html_page(reports: &[GameReport], are_positions: bool, title: &str) -> String {
    let [before, behind] = page_frame(are_positions, title);
    before + &reports.iter().map(page_entry).collect::<Vec<_>>().join(",") + &behind
}

/// What stands on the page before and behind its [`page_entry`]s, which commas part.
#[must_use]
pub fn page_frame(are_positions: bool, title: &str) -> [String; 2] {
    let parts = [
        ("{{title}}", escaped(&isolated(title))),
        ("{{style}}", STYLE.to_owned()),
        ("{{pieces}}", PIECES.to_owned()),
        ("{{kind}}", if are_positions { "positions" } else { "games" }.to_owned()),
        ("{{engine}}", ENGINE.to_owned()),
        ("{{script}}", SCRIPTS.map(without_comments).concat()),
    ];
    let (before, behind) = PAGE.split_once("{{data}}").unwrap_or((PAGE, ""));
    [filled(before, &parts) + "[", format!("]{}", filled(behind, &parts))]
}

/// A script without the lines that are comments.
fn without_comments(script: &str) -> String {
    let is_comment = |line: &&str| ["// ", "/** "].into_iter().any(|start| line.trim_start().starts_with(start));
    script.split_inclusive('\n').filter(|line| !is_comment(line)).collect()
}

/// The text with its words in double braces replaced. What is put in is not searched again.
fn filled(mut rest: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    while let Some(start) = rest.find("{{") {
        let end = rest[start..].find("}}").map_or(rest.len(), |length| start + length + 2);
        text += &rest[..start];
        text += parts.iter().find(|(name, _)| *name == &rest[start..end]).map_or("", |(_, part)| part);
        rest = &rest[end..];
    }
    text + rest
}

/// A report for the page, in JSON, without what the page does not show or knows from elsewhere: most of the text of many games.
#[must_use]
pub fn page_entry(report: &GameReport) -> String {
    let mut data = serde_json::to_value(report).unwrap_or_default();
    data.get_mut("start").into_iter().for_each(shorten);
    data.get_mut("analysis").and_then(Value::as_array_mut).into_iter().flatten().for_each(shorten);
    // In a script nothing but `<` can end it or begin another.
    data.to_string().replace('<', "\\u003c")
}

/// Shortens a position, or a move with the position after it.
fn shorten(position: &mut Value) {
    let Some(fields) = position.as_object_mut() else { return };
    for unused in ["nodes", "expected", "accuracy", "variation"] {
        fields.remove(unused);
    }
    if let Some(judgment) = fields.get_mut("judgment").and_then(Value::as_object_mut) {
        for unused in ["comment", "causes"] {
            judgment.remove(unused);
        }
    }
    if fields.get("lost").is_some_and(|lost| lost["total"] == 0.0) {
        fields.remove("lost");
    }
    let shared = ["eval", "mate", "wdl"].map(|name| (name, fields.get(name).cloned()));
    let first = fields.get_mut("lines").and_then(|lines| lines.get_mut(0)).and_then(Value::as_object_mut);
    if let Some(line) = first
        && shared.iter().all(|(name, value)| line.get(*name) == value.as_ref())
    {
        shared.iter().for_each(|(name, _)| {
            line.remove(*name);
        });
    }
}

/// The text for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
