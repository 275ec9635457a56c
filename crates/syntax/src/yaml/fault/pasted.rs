//! Text around or between the lines of a document that was copied along with it: code fences of
//! Markdown, shell commands, diffs, line numbers, and the markers of a merge conflict.

use super::Broken;
use super::line::Line;
use crate::diag::{Diagnostic, declare_rules};
use crate::source::{FileSpan, Slice as _, lines, offset};

declare_rules! {
    MERGE_CONFLICT = "merge-conflict", Error;
    PASTED_TEXT = "pasted-text", Error;
}

/// The maximum number of lines that a suggestion rewrites.
const MAX_REWRITTEN: usize = 40;

/// The part of a file that is searched for its first and its last line, in bytes: each document
/// searches it.
const EDGE: usize = 2_048;

/// Words at the end of a document that a shell reads as its end.
const DELIMITERS: &[&str] = &["EOF", "EOT", "END", "YAML"];

/// Programs in front of which a prompt may be missing.
const COMMANDS: &[&str] =
    &["cat", "curl", "echo", "helm", "kubectl", "kustomize", "oc", "sudo", "tee"];

/// The finding for text in the document at `slice` of `file` that belongs to the place that it was
/// copied from. Only for documents that are invalid or no objects: everything that is
/// found here can be a part of a value elsewhere. In a map, a command is part of a value.
pub(in crate::yaml) fn pasted(slice: FileSpan, file: &str, is_map: bool) -> Option<Diagnostic> {
    let text = Text { slice, body: file.get(slice.range())?, file };
    text.conflict()
        .or_else(|| text.fences())
        .or_else(|| text.diff())
        .or_else(|| text.line_numbers())
        .or_else(|| if is_map { None } else { text.command() })
}

/// A line `...` instead of omitted lines.
pub(super) fn omission(broken: &Broken<'_>, line: Line<'_>) -> Diagnostic {
    let start = line.content_start();
    let place = broken.span(start, start + line.content().len());
    let whole = broken.span(line.start, line.start + line.text.len() + 1);
    Diagnostic::new(&PASTED_TEXT, place, "omitted lines: `...` in YAML").at("not YAML").suggest(
        whole,
        "",
        "remove the line, or write the omitted ones",
    )
}

/// Escapes of HTML, and their characters.
const ESCAPES: &[(&str, &str)] = &[
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#39;", "'"),
    ("&#x27;", "'"),
    ("&apos;", "'"),
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&amp;", "&"),
];

/// An anchor at `span` of `source` that is an escape of HTML: `&quot;a&quot;`.
pub(in crate::yaml) fn html_escape(span: FileSpan, source: &str) -> Option<Diagnostic> {
    let rest = source.get(span.start as usize..)?;
    ESCAPES.iter().find(|escape| rest.starts_with(escape.0))?;
    let end = rest.find([' ', ',', ']', '}', '\n', '\r']).unwrap_or(rest.len());
    let text = rest.get(..end)?;
    let place = FileSpan { end: span.start + u32::try_from(end).ok()?, ..span };
    let finding = Diagnostic::new(&PASTED_TEXT, place, "HTML escape in YAML").at("not unescaped");
    let plain = ESCAPES.iter().fold(text.to_owned(), |it, (from, to)| it.replace(from, to));
    Some(finding.note("YAML reads `&name` as an anchor without a value").suggest(
        place,
        plain,
        "write the characters",
    ))
}

/// Whether a line starts with a prompt that ends with `mark`, which is not inside a value.
fn is_prompt_before(line: &str, mark: &str) -> bool {
    let is_value = |it: &str| it.contains(['"', '\'']) || it.contains(": ") || it.starts_with("- ");
    line.split_once(mark).is_some_and(|(before, _)| !is_value(before))
}

#[derive(Clone, Copy)]
struct Text<'t> {
    slice: FileSpan,
    body: &'t str,
    file: &'t str,
}

impl<'t> Text<'t> {
    /// The lines with their offsets, without line breaks.
    fn lines(self) -> impl Iterator<Item = (usize, &'t str)> {
        let mut at = 0;
        self.body.split_inclusive('\n').map(move |line| {
            let start = at;
            at += line.len();
            (start, line.trim_end_matches(['\n', '\r']))
        })
    }

    /// The lines that are not empty.
    fn filled(self) -> impl Iterator<Item = (usize, &'t str)> {
        self.lines().filter(|(_, line)| !line.trim().is_empty())
    }

    fn span(self, start: usize, end: usize) -> FileSpan {
        let at = |it| self.slice.start + offset(it);
        FileSpan { start: at(start), end: at(end), ..self.slice }
    }

    fn of_line(self, (start, line): (usize, &str)) -> FileSpan {
        let indent = line.len() - line.trim_start().len();
        self.span(start + indent, start + line.trim_end().len().max(indent))
    }

    /// The line with its line break.
    fn whole_line(self, (start, line): (usize, &str)) -> FileSpan {
        let end = start + line.len();
        let rest = self.body.slice(end..);
        let line_break = ["\r\n", "\n", "\r"].into_iter().find(|it| rest.starts_with(it));
        self.span(start, end + line_break.map_or(0, str::len))
    }

    /// The first line of the file that is neither empty nor a comment, if it is before this document.
    fn first_of_file(self) -> Option<(Self, (usize, &'t str))> {
        let edge = self.file.get(..self.file.floor_char_boundary(EDGE))?;
        let mut at = 0;
        loop {
            let content = edge.get(at..)?.trim_start();
            let start = edge.len() - content.len();
            let line = content.lines().next()?;
            let line_start = lines::start(edge, start);
            if line_start < start || !line.starts_with('#') {
                let first = (line_start, edge.get(line_start..start + line.len())?);
                let is_before = line_start < self.slice.start as usize;
                return is_before.then_some((self.whole_file(), first));
            }
            at = start + line.len();
        }
    }

    /// The last line of the file that is not empty, if it is after this document.
    fn last_of_file(self) -> Option<(Self, (usize, &'t str))> {
        let from = self.file.ceil_char_boundary(self.file.len().saturating_sub(EDGE));
        let end = self.file.get(from..)?.trim_end();
        let start = lines::start(end, end.len());
        let is_after = from + start >= self.slice.end as usize;
        is_after.then_some((self.whole_file(), (from + start, end.get(start..)?)))
    }

    fn whole_file(self) -> Self {
        let end = offset(self.file.len());
        Self { slice: FileSpan { start: 0, end, ..self.slice }, body: self.file, ..self }
    }

    /// `<<<<<<< HEAD`.
    fn conflict(self) -> Option<Diagnostic> {
        let marks = |mark: char| {
            move |line: &(usize, &str)| {
                let rest = line.1.trim_start_matches(mark);
                line.1.len() - rest.len() == 7 && (rest.is_empty() || rest.starts_with(' '))
            }
        };
        let first = self.lines().find(marks('<'))?;
        let after = || self.lines().filter(move |line| line.0 > first.0);
        let middle = after().find(marks('='))?;
        let last = after().find(marks('>'))?;
        Some(
            Diagnostic::new(&MERGE_CONFLICT, self.of_line(first), "unresolved merge conflict")
                .at("start of the first version")
                .label(self.of_line(middle), "start of the second version")
                .label(self.of_line(last), "end of the conflict")
                .help("keep one of the two versions, and remove the lines that mark the conflict"),
        )
    }

    /// ```` ```yaml ````.
    fn fences(self) -> Option<Diagnostic> {
        let is_fence = |(_, line): &(usize, &str)| {
            ["```", "~~~"].into_iter().any(|fence| {
                let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
                line.trim().strip_prefix(fence).is_some_and(|word| word.chars().all(is_word))
            })
        };
        let fences: Vec<_> = self.filled().filter(is_fence).take(MAX_REWRITTEN).collect();
        // Inside a value, they are indented like it.
        let first = *fences.first().filter(|(_, line)| !line.starts_with(' '))?;
        let finding =
            Diagnostic::new(&PASTED_TEXT, self.of_line(first), "Markdown code fence in YAML")
                .at("not YAML");
        let finding = fences.iter().fold(finding, |finding, line| {
            finding.suggest(self.whole_line(*line), "", "remove the line")
        });
        // The other fence is in another document.
        let is_fence = |it: &(Self, (usize, &str))| is_fence(&it.1);
        Some(match (self.first_of_file().filter(is_fence), self.last_of_file().filter(is_fence)) {
            (Some((file, opening)), _) => finding.same_mistake_as(file.of_line(opening)),
            (None, Some((file, closing))) if fences.len() == 1 => {
                finding.suggest(file.whole_line(closing), "", "remove the line")
            }
            _ => finding,
        })
    }

    /// `+  image: b`.
    fn diff(self) -> Option<Diagnostic> {
        let is_header = |line: &str| {
            ["diff --git ", "index ", "--- ", "+++ ", "@@ "].iter().any(|it| line.starts_with(it))
        };
        let is_added = |line: &str| {
            let rest = line.strip_prefix('+').unwrap_or("");
            let is_start = |c: char| matches!(c, ' ' | '-' | '"' | '#') || c.is_ascii_alphabetic();
            line == "+" || rest.starts_with(is_start)
        };
        let is_line = |line: &str| is_header(line) || line.starts_with(['+', '-', ' ', '\\']);
        let first = self.filled().next()?;
        let is_start = first.1.starts_with("diff --git ") && self.filled().count() < 20;
        let is_diff = self.filled().all(|(_, line)| is_line(line))
            && self.filled().any(|(_, line)| is_added(line));
        if !is_diff && !is_start {
            return None;
        }
        let finding = Diagnostic::new(&PASTED_TEXT, self.of_line(first), "diff instead of YAML")
            .at("line of a diff");
        let is_new = self.filled().all(|(_, line)| is_added(line));
        match self.rewritten(|line| line.get(1..)).filter(|_| is_new) {
            Some(text) => Some(finding.suggest(
                self.span(0, self.body.len()),
                text,
                "remove the `+` from each line",
            )),
            None => Some(finding.help(
                "apply the diff with `git apply` or `patch`, and check the file that it changes",
            )),
        }
    }

    /// `12 | kind: Pod`.
    fn line_numbers(self) -> Option<Diagnostic> {
        let numbered = |line: &'t str| {
            let line = line.trim_start();
            let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
            let number: u32 = line.get(..digits)?.parse().ok()?;
            let rest = line.get(digits..)?.trim_start_matches([' ', '\t', ':', '|', '│']);
            Some((number, rest))
        };
        let mut lines = self.filled().map(|(_, line)| numbered(line));
        let (first, _) = lines.next()??;
        let mut count = 1;
        for line in lines {
            let (number, _) = line?;
            if number != first.checked_add(count)? {
                return None;
            }
            count += 1;
        }
        let is_object = |(_, line): (usize, &'t str)| {
            let text = numbered(line).map_or("", |numbered| numbered.1);
            text.starts_with("apiVersion:") || text.starts_with("kind:")
        };
        if count < 2 || !self.filled().any(is_object) {
            return None;
        }
        // The text after the number and its separator; the spaces before the text are common.
        let after = |line: &'t str| {
            let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
            let bare = rest.trim_start_matches(' ').trim_start_matches([':', '|', '│']);
            let is_separated = bare.len() < rest.trim_start_matches(' ').len();
            Some(if is_separated { bare } else { rest.strip_prefix('\t').unwrap_or(rest) })
        };
        let blanks = |it: &str| it.len() - it.trim_start_matches(' ').len();
        let filled = || self.filled().filter_map(|(_, line)| after(line));
        let common = filled().filter(|line| !line.trim().is_empty()).map(blanks).min()?;
        let line = self.filled().next()?;
        let finding = Diagnostic::new(&PASTED_TEXT, self.of_line(line), "line numbers in YAML")
            .at("begins with a line number");
        let rewritten =
            self.rewritten(|line| after(line).map(|rest| rest.slice(common..).trim_end()));
        Some(match rewritten {
            Some(text) => {
                finding.suggest(self.span(0, self.body.len()), text, "remove the line numbers")
            }
            None => finding.help("remove the line numbers"),
        })
    }

    /// The body with a part of each line that is not empty, unless it is long.
    fn rewritten(self, part: impl Fn(&'t str) -> Option<&'t str>) -> Option<String> {
        if self.lines().count() > MAX_REWRITTEN {
            return None;
        }
        let mut text = String::with_capacity(self.body.len());
        for (start, line) in self.lines() {
            let line_break = self.whole_line((start, line));
            let end = (line_break.end - self.slice.start) as usize;
            text.push_str(if line.trim().is_empty() { "" } else { part(line)? });
            text.push_str(self.body.get(start + line.len()..end)?);
        }
        Some(text)
    }

    /// `$ kubectl get pods -o yaml`, `cat <<EOF | kubectl apply -f -`, `EOF`.
    fn command(self) -> Option<Diagnostic> {
        let is_content = |it: &(usize, &str)| !it.1.starts_with('#') && it.1 != "---";
        let first = self.filled().find(is_content)?;
        let last = self.filled().last().filter(|line| DELIMITERS.contains(&line.1.trim_end()));
        let is_prompt = first.1.starts_with("$ ")
            || ["~$ ", "]$ ", "~# ", "]# "].into_iter().any(|it| is_prompt_before(first.1, it));
        let word = first.1.split(' ').next().unwrap_or("");
        let is_command = COMMANDS.contains(&word) && first.1.len() > word.len();
        let first = Some(first).filter(|line| (is_prompt || is_command) && !line.1.ends_with(':'));
        let line = first.or(last)?;
        let message = match first {
            Some(_) => "shell command in YAML",
            None => "end of a shell's here-document in YAML",
        };
        let finding = Diagnostic::new(&PASTED_TEXT, self.of_line(line), message).at("not YAML");
        let lines = [first, last].into_iter().flatten();
        let finding = lines.fold(finding, |finding, line| {
            finding.suggest(self.whole_line(line), "", "remove the line")
        });
        // The end of the command is in another document.
        let is_open = |it: &(Self, (usize, &str))| it.1.1.contains("<<");
        let is_end = |it: &(Self, (usize, &str))| DELIMITERS.contains(&it.1.1.trim_end());
        let opening = self.first_of_file().filter(is_open).filter(|_| first.is_none());
        let closing = self.last_of_file().filter(is_end).filter(|_| last.is_none());
        Some(match (opening, closing) {
            (Some((file, opening)), _) => finding.same_mistake_as(file.of_line(opening)),
            (None, Some((file, closing))) => {
                finding.suggest(file.whole_line(closing), "", "remove the line")
            }
            _ => finding,
        })
    }
}
