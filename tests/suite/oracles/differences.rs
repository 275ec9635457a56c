//! The lines of a `differences` file: a target, a colon, a reason.

use std::fmt;
use std::fs;
use std::path::Path;

/// An intended difference.
pub(crate) struct Line {
    pub(crate) target: Target,
    reason: String,
}

/// The subject of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// The system creates objects, but sandboxc rejects the input.
    Refused,
    /// The system rejects the input, but sandboxc creates objects.
    Accepted,
    /// A field of an object, by its path. An empty path means the whole object.
    Field { kind: String, name: String, path: Vec<String> },
}

/// The lines of a file, or none if it does not exist.
pub(crate) fn read_lines(path: &Path) -> Vec<Line> {
    let Ok(text) = fs::read_to_string(path) else { return Vec::new() };
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let read = |line| {
        Line::read(line)
            .unwrap_or_else(|| panic!("{}: not `TARGET: reason`: {line}", path.display()))
    };
    lines.map(read).collect()
}

impl Line {
    fn read(line: &str) -> Option<Self> {
        let (target, reason) = line.split_once(": ")?;
        let reason = reason.trim().to_owned();
        let target = Target::read(target.trim())?;
        (!reason.is_empty()).then_some(Self { target, reason })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.target, self.reason)
    }
}

impl Target {
    fn read(text: &str) -> Option<Self> {
        match text {
            "refused" => return Some(Self::Refused),
            "accepted" => return Some(Self::Accepted),
            _ => {}
        }
        let (object, path) = text.split_once(' ').unwrap_or((text, ""));
        let (kind, name) = object.split_once('/')?;
        let path = steps(path)?;
        Some(Self::Field { kind: kind.to_owned(), name: name.to_owned(), path })
    }

    /// Whether a line with this target allows the difference at `other`.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Field { kind, name, path },
                Self::Field { kind: other_kind, name: other_name, path: other_path },
            ) => {
                let steps = path.iter().zip(other_path);
                kind == other_kind
                    && (name == "*" || name == other_name)
                    && path.len() == other_path.len()
                    && steps.into_iter().all(|(own, other)| own == other || is_any(own, other))
            }
            _ => self == other,
        }
    }
}

fn is_any(own: &str, other: &str) -> bool {
    own == "[*]" && other.starts_with('[')
}

/// `a.b[c]["d.e"]` as `a`, `b`, `[c]`, `d.e`.
fn steps(path: &str) -> Option<Vec<String>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        rest = rest.strip_prefix('.').unwrap_or(rest);
        if let Some(quoted) = rest.strip_prefix("[\"") {
            let (key, after) = quoted.split_once("\"]")?;
            steps.push(key.to_owned());
            rest = after;
        } else if rest.starts_with('[') {
            let end = rest.find(']')? + 1;
            steps.push(rest[..end].to_owned());
            rest = &rest[end..];
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    (!steps.iter().any(String::is_empty)).then_some(steps)
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, name, path) = match self {
            Self::Refused => return f.write_str("refused"),
            Self::Accepted => return f.write_str("accepted"),
            Self::Field { kind, name, path } => (kind, name, path),
        };
        write!(f, "{kind}/{name}")?;
        for (position, step) in path.iter().enumerate() {
            match (position, step) {
                (0, step) => write!(f, " {step}")?,
                (_, step) if step.starts_with('[') => f.write_str(step)?,
                (_, step) if step.contains(['.', '/', '[']) => write!(f, "[\"{step}\"]")?,
                (_, step) => write!(f, ".{step}")?,
            }
        }
        Ok(())
    }
}

#[test]
fn versions_are_displayed_as_they_are_parsed() {
    for text in [
        "refused",
        "Job/a",
        "Job/* spec.template.spec.containers[agent].args[0]",
        "Job/a metadata.labels[\"kelos.dev/name\"]",
    ] {
        assert_eq!(Target::read(text).unwrap().to_string(), text);
    }
    for text in ["Job", "Job/a spec..args", "Job/a spec[0"] {
        assert!(Target::read(text).is_none(), "{text}");
    }
    assert!(Line::read("Job/a: ").is_none());
}

#[test]
fn an_exception_covers_only_its_own_difference() {
    let covers = |line, other| Target::read(line).unwrap().covers(&Target::read(other).unwrap());
    assert!(covers("Job/* spec.suspend", "Job/a spec.suspend"));
    assert!(covers("Job/a spec.list[*].image", "Job/a spec.list[x].image"));
    assert!(!covers("Job/b spec.suspend", "Job/a spec.suspend"));
    assert!(!covers("Job/a", "Job/a spec.suspend"));
    assert!(!covers("Job/a spec", "Job/a spec.suspend"));
    assert!(!covers("Job/a spec.list[*]", "Job/a spec.list.x"));
    assert!(!covers("refused", "accepted"));
}
