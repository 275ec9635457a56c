//! Semantic versions (github.com/blang/semver, as Kubernetes uses it).

use std::cmp::Ordering;
use std::sync::Arc;

use super::Call;
use crate::cel::Stop;
use crate::cel::function::Function;
use crate::cel::value::Value;

/// A semantic version. Build metadata is ignored in comparisons.
#[derive(Debug)]
pub(crate) struct Semver {
    numbers: [u64; 3],
    prerelease: Vec<Part>,
}

/// An identifier of a prerelease.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    /// A number, which sorts before words.
    Number(u64),
    Word(String),
}

/// The value of a call about versions; `None` for other calls.
pub(super) fn call<'v>(call: &Call<'_, 'v>) -> Option<Result<Value<'v>, Stop>> {
    let (first, rest) = call.values.split_first()?;
    if let Value::String(text) = first {
        let read = match rest {
            [] | [Value::Bool(false)] => Semver::parse(text),
            [Value::Bool(true)] => Semver::parse(&normalized(text)),
            _ => return None,
        };
        return match call.function {
            Function::IsSemver => Some(Ok(Value::Bool(read.is_some()))),
            Function::Semver => Some(match read {
                Some(version) => Ok(Value::Semver(Arc::new(version))),
                None => Err(Stop::error("No Major.Minor.Patch elements found")),
            }),
            _ => None,
        };
    }
    let Value::Semver(version) = first else { return None };
    let [major, minor, patch] = version.numbers;
    let number = |number| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    Some(Ok(match (call.function, rest) {
        (Function::Major, []) => number(major),
        (Function::Minor, []) => number(minor),
        (Function::Patch, []) => number(patch),
        (Function::IsGreaterThan, [Value::Semver(other)]) => {
            Value::Bool(version.compare(other).is_gt())
        }
        (Function::IsLessThan, [Value::Semver(other)]) => {
            Value::Bool(version.compare(other).is_lt())
        }
        (Function::CompareTo, [Value::Semver(other)]) => Value::Int(version.compare(other) as i64),
        _ => return None,
    }))
}

/// Normalizes a version: no `v`, no leading zeros, three numbers.
fn normalized(text: &str) -> String {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    let trimmed = |number: &str| {
        let digits = number.trim_start_matches('0');
        let is_zero = digits.is_empty() && !number.is_empty();
        if is_zero { "0".to_owned() } else { digits.to_owned() }
    };
    let mut numbers: Vec<_> = numbers.splitn(3, '.').map(trimmed).collect();
    if numbers.len() < 3 && rest.is_empty() {
        numbers.resize(3, "0".to_owned());
    }
    numbers.join(".") + rest
}

impl Semver {
    fn parse(text: &str) -> Option<Self> {
        let (text, build) = match text.split_once('+') {
            Some((text, build)) => (text, Some(build)),
            None => (text, None),
        };
        let (numbers, prerelease) = match text.split_once('-') {
            Some((numbers, prerelease)) => (numbers, Some(prerelease)),
            None => (text, None),
        };
        let mut parts = numbers.split('.');
        let mut read = || number(parts.next()?);
        let numbers = [read()?, read()?, read()?];
        let is_build = |build: &str| build.split('.').all(is_word);
        if parts.next().is_some() || !build.is_none_or(is_build) {
            return None;
        }
        let prerelease =
            prerelease.map_or(Some(Vec::new()), |it| it.split('.').map(part).collect());
        Some(Self { numbers, prerelease: prerelease? })
    }

    /// Compares the numbers; a prerelease sorts before its release.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let is_release = |it: &Self| it.prerelease.is_empty();
        self.numbers
            .cmp(&other.numbers)
            .then_with(|| is_release(self).cmp(&is_release(other)))
            .then_with(|| self.prerelease.cmp(&other.prerelease))
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| is_number && !has_zeros)
}

fn part(text: &str) -> Option<Part> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return number(text).map(Part::Number);
    }
    is_word(text).then(|| Part::Word(text.to_owned()))
}
