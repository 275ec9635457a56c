//! The cost of expressions: the size of the values that they read and create.

use std::cell::Cell;
use std::error::Error as StdError;
use std::fmt;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};

use crate::limits;

/// The number of bytes that cost as much as an instruction, which takes about 20 ns.
const BYTES_PER_STEP: usize = 16;
/// The size of a value without its contents.
const ITEM: usize = BYTES_PER_STEP;
/// The maximum nesting depth of lists and maps.
const DEEPEST: usize = 64;

thread_local! {
    /// The cost of the current expression so far, and its limit.
    static SPENT: Cell<u64> = const { Cell::new(0) };
    static ALLOWED: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Marks an error as an exceeded limit.
#[derive(Debug)]
enum OverLimit {
    OfExpression,
    OfRun,
}

impl fmt::Display for OverLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a limit of expressions")
    }
}

impl StdError for OverLimit {}

/// The error for an exceeded limit.
pub(super) fn over_limit(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into()).with_source(OverLimit::OfExpression)
}

pub(super) fn is_over_limit(error: &Error) -> bool {
    error.kind() == ErrorKind::OutOfFuel
        || StdError::source(error).is_some_and(<dyn StdError>::is::<OverLimit>)
}

/// Whether the error is that of [`too_much_work`].
pub(super) fn is_over_limit_of_run(error: &Error) -> bool {
    let limit = StdError::source(error).and_then(|it| it.downcast_ref());
    matches!(limit, Some(OverLimit::OfRun))
}

/// The cost of each document of a run, by its number. A document with a high cost only depends on
/// those before it, so that the choice of the rejected document does not depend on the order of the
/// threads.
#[derive(Debug)]
pub(crate) struct Budget {
    spent: Box<[AtomicU64]>,
    /// The limit of the run.
    most: u64,
    /// The sum over completed documents.
    settled: AtomicU64,
}

impl Budget {
    pub(super) fn new(documents: usize) -> Self {
        let spent = (0..documents).map(|_| AtomicU64::new(0)).collect();
        Self { spent, most: limits::expression_work(documents), settled: AtomicU64::new(0) }
    }

    /// The limit of the run.
    pub(super) const fn all(&self) -> u64 {
        self.most
    }

    /// The remaining budget of the document.
    pub(super) fn left(&self, document: usize) -> u64 {
        let before = self.spent.get(..=document).unwrap_or(&self.spent);
        let spent: u64 = before.iter().map(|it| it.load(Ordering::Relaxed)).sum();
        self.most.saturating_sub(spent)
    }

    /// Marks a document as completed, after all before it; returns whether their total exceeds the
    /// limit of a run.
    pub(super) fn settle(&self, document: usize) -> bool {
        let cost = self.spent.get(document).map_or(0, |it| it.load(Ordering::Relaxed));
        let before = self.settled.fetch_add(cost, Ordering::Relaxed);
        before.saturating_add(cost) > self.most
    }

    /// Adds to the cost of the document.
    pub(super) fn spend(&self, document: usize, steps: u64) {
        if let Some(spent) = self.spent.get(document) {
            spent.fetch_add(steps, Ordering::Relaxed);
        }
    }
}

/// Evaluates an expression with a limit of steps; also returns the steps that are not instructions.
pub(super) fn metered<T>(allowed: u64, run: impl FnOnce() -> T) -> (T, u64) {
    SPENT.set(0);
    ALLOWED.set(allowed);
    let result = run();
    ALLOWED.set(u64::MAX);
    (result, SPENT.get())
}

/// Adds a number of steps to the cost of the current expression.
pub(super) fn spend(steps: usize) -> Result<(), Error> {
    let spent = SPENT.get().saturating_add(u64::try_from(steps).unwrap_or(u64::MAX));
    SPENT.set(spent);
    if spent > ALLOWED.get() {
        return Err(too_much_work());
    }
    Ok(())
}

/// The message for expressions that cost too much in total.
pub(super) static TOO_MUCH_WORK: LazyLock<String> = LazyLock::new(|| {
    let (most, each) = (limits::EXPRESSION_WORK.most, limits::EXPRESSION_WORK_EACH);
    format!("expressions of this run exceed {most} steps, and {each} for each definition")
});

pub(super) fn too_much_work() -> Error {
    Error::new(ErrorKind::InvalidOperation, TOO_MUCH_WORK.as_str()).with_source(OverLimit::OfRun)
}

/// Measures a whole value, which must be within its limit and finite. Returns its size in steps,
/// which are added to the cost.
pub(super) fn measure(value: &Value) -> Result<usize, Error> {
    let most = limits::EXPRESSION_VALUE.count();
    let mut room = most;
    let result = fits(value, &mut room, 0);
    let steps = (most - room).div_ceil(BYTES_PER_STEP);
    spend(steps)?;
    result.map(|()| steps)
}

fn fits(value: &Value, room: &mut usize, depth: usize) -> Result<(), Error> {
    let size = match value.kind() {
        ValueKind::String => value.as_str().map_or(0, str::len) + ITEM,
        ValueKind::Bytes => value.as_bytes().map_or(0, <[u8]>::len) + ITEM,
        _ => ITEM,
    };
    let Some(rest) = room.checked_sub(size) else {
        *room = 0;
        let most = limits::EXPRESSION_VALUE.most;
        return Err(over_limit(format!("value in an expression exceeds {most} bytes")));
    };
    *room = rest;
    match value.kind() {
        ValueKind::Number => finite(value),
        // A failed item of a filter's result. minijinja panics if two of them are compared.
        ValueKind::Invalid => Err(Error::new(ErrorKind::InvalidOperation, value.to_string())),
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => {
            if depth == DEEPEST {
                return Err(over_limit(format!(
                    "value in an expression is nested deeper than {DEEPEST} levels"
                )));
            }
            for item in value.try_iter()? {
                if value.kind() == ValueKind::Map {
                    fits(&value.get_item(&item)?, room, depth + 1)?;
                }
                fits(&item, room, depth + 1)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Rejects infinities and NaN, which do not exist in the JSON and YAML of Kubernetes.
fn finite(value: &Value) -> Result<(), Error> {
    let is_finite = value.is_integer() || f64::try_from(value.clone()).is_ok_and(f64::is_finite);
    if is_finite {
        return Ok(());
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("result `{value}` is not a finite number")))
}
