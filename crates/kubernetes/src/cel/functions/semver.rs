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
            [Value::Bool(true)] => Semver::parse(&normalize_version(text)),
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
    let int = |number| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    Some(Ok(match (call.function, rest) {
        (Function::Major, []) => int(major),
        (Function::Minor, []) => int(minor),
        (Function::Patch, []) => int(patch),
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
fn normalize_version(text: &str) -> String {
    let version = text.strip_prefix('v').unwrap_or(text);
    let (numbers, rest) = version.split_at(version.find(['-', '+']).unwrap_or(version.len()));
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
        let mut read = || parse_number(parts.next()?);
        let numbers = [read()?, read()?, read()?];
        let is_build = |build: &str| build.split('.').all(is_identifier);
        if parts.next().is_some() || !build.is_none_or(is_build) {
            return None;
        }
        let identifiers = prerelease.into_iter().flat_map(|words| words.split('.'));
        Some(Self {
            numbers,
            prerelease: identifiers.map(parse_identifier).collect::<Option<_>>()?,
        })
    }

    /// Compares the numbers; a prerelease sorts before its release.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        self.numbers
            .cmp(&other.numbers)
            .then_with(|| self.prerelease.is_empty().cmp(&other.prerelease.is_empty()))
            .then_with(|| self.prerelease.cmp(&other.prerelease))
    }
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn parse_number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let has_zeros = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| is_number && !has_zeros)
}

fn parse_identifier(text: &str) -> Option<Part> {
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return parse_number(text).map(Part::Number);
    }
    is_identifier(text).then(|| Part::Word(text.to_owned()))
}
