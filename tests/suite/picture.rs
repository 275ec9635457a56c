//! `docs/terminal.svg`, the picture at the top of the README: commands with their actual output, one after the other.
//!
//! Without animation, everything is visible: with `prefers-reduced-motion`, and in programs that know no CSS.

use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{binary, root};

/// A command, and the part of its output that is shown.
struct Scene {
    command: &'static str,
    /// The beginnings of the first and the last line of each part; between parts is an ellipsis.
    parts: &'static [[&'static str; 2]],
    /// For how long its output is read before the next command.
    milliseconds: u32,
}

const SCENES: &[Scene] = &[
    Scene {
        command: "sandboxc check examples/mistakes",
        parts: &[["error[template-not-found]", "   = help"], ["checked", "more"]],
        milliseconds: 2600,
    },
    Scene {
        command: "sandboxc why examples/platform SandboxTemplate/python-gpu",
        parts: &[["        resources:", "            - ALL"]],
        milliseconds: 2200,
    },
    Scene {
        command: "sandboxc build examples/quickstart --output manifests",
        parts: &[["manifests:", "manifests:"]],
        milliseconds: 0,
    },
];

const COLUMNS: u32 = 96;
const MARGIN: u32 = 18;
const FONT: u32 = 15;
/// The width of a character: each run is fitted to it, whatever font there is.
const COLUMN: u32 = 9;
const LINE: u32 = 20;
const MILLISECONDS_PER_KEY: u32 = 25;
/// Between a command and its output.
const MILLISECONDS_PER_RUN: u32 = 300;

const STYLE: &str = "\
text { font: 15px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #e6edf3 }
.bold { font-weight: bold }
.red { fill: #ff7b72 }
.green { fill: #7ee787 }
.blue { fill: #79c0ff }
.cyan { fill: #56d4dd }
.gray { fill: #8b949e }
.window { fill: #0d1117; stroke: #30363d }
/* Covers a command, and uncovers it key by key. */
.keys { fill: #0d1117; opacity: 0 }
@keyframes appear { from { opacity: 0 } }
@keyframes type { from { opacity: 1 } to { opacity: 1; transform: scaleX(0) } }
@media (prefers-reduced-motion: no-preference) {
  .step { animation: appear 0.15s backwards }
  .keys { animation: type 1s backwards }
}
";

/// The picture.
pub(crate) fn svg() -> String {
    let folder = folder();
    let mut body = String::new();
    let (mut line, mut time) = (0, 400);
    for scene in SCENES {
        prompt(&mut body, line, time, Some(scene.command));
        time += typing(scene.command) + MILLISECONDS_PER_RUN;
        let output = run(&folder, scene.command);
        let shown = shown(&output, scene.parts);
        let _ = writeln!(body, "<g class=\"step\" style=\"animation-delay: {time}ms\">");
        for text in &shown {
            line += 1;
            write_line(&mut body, line, text);
        }
        body.push_str("</g>\n");
        line += 2;
        time += scene.milliseconds;
    }
    prompt(&mut body, line, time, None);
    let (width, height) = (COLUMNS * COLUMN + 2 * MARGIN, baseline(line) + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n\
         <title>sandboxc in a terminal</title>\n<style>\n{STYLE}</style>\n\
         <rect class=\"window\" x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\"/>\n{body}</svg>\n",
        width - 1,
        height - 1,
    )
}

/// A directory in which the examples are, and output can be written.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    for example in SCENES.iter().flat_map(|it| it.command.split(' ')).filter(|it| it.contains('/'))
    {
        let Ok(files) = fs::read_dir(root().join(example)) else { continue };
        fs::create_dir_all(folder.path().join(example)).unwrap();
        for file in files.map(Result::unwrap) {
            fs::copy(file.path(), folder.path().join(example).join(file.file_name())).unwrap();
        }
    }
    folder
}

/// Both outputs of a command, with colors.
fn run(folder: &TempDir, command: &str) -> String {
    let arguments = command.split(' ').skip(1);
    let output = Command::new(binary())
        .args(arguments)
        .args(["--color", "always"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// The lines of some parts of an output, with an ellipsis for what is left out.
fn shown<'a>(output: &'a str, parts: &[[&str; 2]]) -> Vec<&'a str> {
    let lines: Vec<_> = output.lines().collect();
    let mut shown = Vec::new();
    let mut from = 0;
    for part in parts {
        let range = range(&lines, part, from);
        if range.start > from {
            shown.push("\u{1b}[90m⋮");
        }
        shown.extend(&lines[range.clone()]);
        from = range.end;
    }
    if from < lines.len() {
        shown.push("\u{1b}[90m⋮");
    }
    shown
}

/// Where a part is, after a line.
fn range(lines: &[&str], [first, last]: &[&str; 2], from: usize) -> Range<usize> {
    let find = |from: usize, beginning: &str| {
        let found = lines.iter().skip(from).position(|it| plain(it).starts_with(beginning));
        from + found.unwrap_or_else(|| panic!("no line of the output starts with `{beginning}`"))
    };
    let start = find(from, first);
    start..find(start, last) + 1
}

fn prompt(body: &mut String, line: u32, time: u32, command: Option<&str>) {
    let _ = writeln!(body, "<g class=\"step\" style=\"animation-delay: {time}ms\">");
    write_line(body, line, &format!("\u{1b}[92m$\u{1b}[0m {}", command.unwrap_or("█")));
    if let Some(command) = command {
        let (start, count) = (MARGIN + 2 * COLUMN, width(command));
        let (width, end) = (count * COLUMN, start + count * COLUMN);
        let _ = writeln!(
            body,
            "<rect class=\"keys\" x=\"{start}\" y=\"{}\" width=\"{width}\" height=\"{LINE}\" style=\"\
             transform-origin: {end}px 0; animation-delay: {time}ms; animation-duration: {}ms; \
             animation-timing-function: steps({count})\"/>",
            baseline(line) - FONT,
            typing(command),
        );
    }
    body.push_str("</g>\n");
}

/// Writes the runs of a line, each at its column.
fn write_line(body: &mut String, line: u32, text: &str) {
    let mut column = 0;
    for (classes, run) in runs(text) {
        let word = run.trim_start();
        let start = column + width(&run) - width(word);
        column += width(&run);
        let word = word.trim_end();
        if word.is_empty() {
            continue;
        }
        assert!(start + width(word) <= COLUMNS, "too long for the picture: {}", plain(text));
        let (x, length) = (MARGIN + start * COLUMN, width(word) * COLUMN);
        let class =
            if classes.is_empty() { String::new() } else { format!(" class=\"{classes}\"") };
        let escaped = word.replace('&', "&amp;").replace('<', "&lt;").replace("  ", " \u{a0}");
        let _ = writeln!(
            body,
            "<text{class} x=\"{x}\" y=\"{}\" textLength=\"{length}\">{escaped}</text>",
            baseline(line),
        );
    }
}

/// The parts of a line with the same colors, with the classes of their style.
fn runs(text: &str) -> Vec<(String, String)> {
    let mut classes: Vec<&str> = Vec::new();
    let start = text.split('\u{1b}').next().unwrap_or_default();
    let mut runs = vec![(String::new(), start.to_owned())];
    for part in text.split('\u{1b}').skip(1) {
        let (code, run) = part.split_once('m').expect("a color");
        match code {
            "[0" => classes.clear(),
            "[1" => classes.push("bold"),
            "[90" => classes.push("gray"),
            "[91" => classes.push("red"),
            "[92" => classes.push("green"),
            "[94" => classes.push("blue"),
            "[96" => classes.push("cyan"),
            _ => panic!("the picture has no color {code}"),
        }
        runs.push((classes.join(" "), run.to_owned()));
    }
    runs
}

fn plain(text: &str) -> String {
    runs(text).into_iter().map(|(_, run)| run).collect()
}

fn width(text: &str) -> u32 {
    text.chars().count().try_into().unwrap()
}

/// The milliseconds in which a command is typed.
fn typing(command: &str) -> u32 {
    width(command) * MILLISECONDS_PER_KEY
}

fn baseline(line: u32) -> u32 {
    MARGIN + FONT + line * LINE
}

#[test]
fn parts_are_shown_with_their_colors() {
    let output = "a\n\u{1b}[1m\u{1b}[91mb\u{1b}[0m: <c>\nd\n";
    assert_eq!(
        shown(output, &[["b", "b"]])[1..],
        ["\u{1b}[1m\u{1b}[91mb\u{1b}[0m: <c>", "\u{1b}[90m⋮"]
    );
    assert_eq!(shown(output, &[["a", "d"]]).len(), 3);
    let mut body = String::new();
    write_line(&mut body, 0, output.lines().nth(1).unwrap());
    let texts: Vec<_> = body.lines().filter_map(|it| it.split_once("y=\"33\"")).collect();
    assert_eq!(texts[0].0, "<text class=\"bold red\" x=\"18\" ");
    assert_eq!(texts[1], ("<text x=\"27\" ", " textLength=\"45\">: &lt;c></text>"));
}

/// Each command is in the README, or can be: it names examples of the repository.
#[test]
fn commands_are_those_of_a_reader() {
    let named =
        SCENES.iter().flat_map(|it| it.command.split(' ')).filter(|it| it.starts_with("examples/"));
    assert_eq!(named.filter(|it| root().join(it).is_dir()).count(), SCENES.len());
    let of_scene = |it: &Scene| typing(it.command) + MILLISECONDS_PER_RUN + it.milliseconds;
    let time: u32 = SCENES.iter().map(of_scene).sum();
    assert!(time <= 10_000, "{time}");
}
