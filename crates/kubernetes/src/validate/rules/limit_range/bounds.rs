//! Consistency of the numbers of one limit.

use super::LIMIT_CONTRADICTION;
use crate::diag::message;
use crate::tree::{Entry, Map, Node};
use crate::validate::rules::amounts::{HUGE_PAGES, amount};
use crate::validate::rules::judge::{Judge, entries, shown};

/// The largest quantity that the server compares in thousandths.
const MAX_WITH_FRACTION: i128 = (i64::MAX / 1000) as i128;

/// A quantity and its field.
#[derive(Clone, Copy)]
struct Bound<'n> {
    field: &'static str,
    entry: &'n Entry,
    /// In thousandths.
    amount: i128,
}

/// The fields with quantities.
const FIELDS: [&str; 5] = ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"];

/// The quantities of a limit: those of each field by resource.
struct Bounds<'n>([(&'static str, &'n Map); 5]);

impl<'n> Bounds<'n> {
    fn of(&self, field: &str, name: &str) -> Option<Bound<'n>> {
        // Go's decoder keeps the key of a `null` with the quantity 0.
        let (field, entries) = self.0.iter().find(|known| known.0 == field)?;
        let entry = entries.entry(name)?;
        Some(Bound { field, entry, amount: amount(&entry.value)? })
    }
}

pub(super) fn check(judge: &mut Judge<'_>, limit: &Node, kind: &str) {
    let bounds = Bounds(FIELDS.map(|field| (field, Map::of(limit.get(field)))));
    let mut names: Vec<&str> = FIELDS
        .iter()
        .flat_map(|field| entries(limit, field))
        .map(|entry| entry.key.as_str())
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        check_resource(judge, &bounds, kind, name);
    }
}

fn check_resource(judge: &mut Judge<'_>, bounds: &Bounds<'_>, kind: &str, name: &str) {
    let of = |field| bounds.of(field, name);
    let (min, max) = (of("min"), of("max"));
    let written = |field| of(field).filter(|_| kind != "Pod");
    // The server sets the defaults of containers.
    let is_filled_in = kind == "Container";
    let default = written("default").or(max.filter(|_| is_filled_in));
    let request = written("defaultRequest")
        .or(default.filter(|_| is_filled_in))
        .or(min.filter(|_| is_filled_in));
    let order = [
        (min, max),
        (min, request),
        (request, max),
        (request, default),
        (min, default),
        (default, max),
    ];
    let mut seen = Vec::new();
    for (low, high) in order {
        let (Some(low), Some(high)) = (low, high) else { continue };
        // A defaulted value only repeats one that is written elsewhere.
        if low.amount > high.amount && !seen.contains(&(low.field, high.field)) {
            seen.push((low.field, high.field));
            report(judge, low, high, "is above");
        }
    }
    let may_differ =
        !name.starts_with(HUGE_PAGES) && (!name.contains('/') || name.contains("kubernetes.io/"));
    if let (Some(request), Some(default)) = (request, default)
        && !may_differ
        && request.amount < default.amount
    {
        report(judge, request, default, "differs from");
    }
    if let Some(ratio) = of("maxLimitRequestRatio") {
        check_ratio(judge, ratio, min, max);
    }
}

fn report(judge: &mut Judge<'_>, low: Bound<'_>, high: Bound<'_>, what: &str) {
    let name = shown(&low.entry.key);
    let message = message!("`{}` of `{name}` {what} `{}`", low.field, high.field);
    let texts = (message, message!("the {}", describe_field(low.field)), "change one of the two");
    judge.conflict(
        &LIMIT_CONTRADICTION,
        (low.entry.value.span(), low.entry),
        texts,
        (&high.entry.value, message!("the {}", describe_field(high.field))),
    );
}

fn describe_field(field: &str) -> &'static str {
    match field {
        "min" => "least",
        "max" => "most",
        "default" => "default limit",
        _ => "default request",
    }
}

/// Checks the maximum ratio of limit to request, which the range itself must allow.
fn check_ratio(
    judge: &mut Judge<'_>,
    ratio: Bound<'_>,
    min: Option<Bound<'_>>,
    max: Option<Bound<'_>>,
) {
    let text = if ratio.amount < 1000 {
        "is below 1"
    } else if let (Some(min), Some(max)) = (min, max)
        && is_above_range(ratio.amount, min.amount, max.amount)
    {
        "is above `max` divided by `min`"
    } else {
        return;
    };
    let message = message!("`maxLimitRequestRatio` of `{}` {text}", shown(&ratio.entry.key));
    let text = (message, "cannot be reached", "write a number from 1 to `max` divided by `min`");
    judge.fault(&LIMIT_CONTRADICTION, (ratio.entry.value.span(), ratio.entry), text);
}

/// Whether `ratio` is above `max / min`, in thousandths, or in whole numbers where one is large.
fn is_above_range(ratio: i128, min: i128, max: i128) -> bool {
    if min <= 0 {
        return false;
    }
    let whole = |amount: i128| amount.saturating_add(999) / 1000;
    if [ratio, min, max].into_iter().all(|amount| whole(amount) < MAX_WITH_FRACTION) {
        return ratio.saturating_mul(min) > max.saturating_mul(1000);
    }
    whole(ratio).saturating_mul(whole(min)) > whole(max)
}
