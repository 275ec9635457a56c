//! The difference as one JSON object, documented in `docs/diff.md`.

use serde::Serialize;

use super::words::{counts, headline};
use crate::diff::model::{
    Diff, Difference, Fate, FieldChange, ObjectAt, ObjectChange, Place, Shown,
};
use crate::markup::pretty_json;
use crate::tree::Node;

/// The version of the format. The same version only gains fields.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Report<'d> {
    format: u32,
    objects: Vec<Object<'d>>,
    #[serde(rename = "notCompared", skip_serializing_if = "Vec::is_empty")]
    not_compared: Vec<NotCompared<'d>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    namespaces: &'d [[String; 2]],
    summary: Summary,
}

#[derive(Serialize)]
struct NotCompared<'d> {
    kind: &'d str,
    #[serde(flatten)]
    identity: Identity<'d>,
}

#[derive(Serialize)]
struct Summary {
    changed: usize,
    renamed: usize,
    added: usize,
    removed: usize,
    unchanged: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'d> {
    change: &'static str,
    api_version: &'d str,
    kind: &'d str,
    namespace: &'d str,
    name: &'d str,
    old: Option<Identity<'d>>,
    new: Option<Identity<'d>>,
    outcome: Option<Outcome<'d>>,
    findings: Vec<Finding<'d>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost: Vec<String>,
    field_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<Field<'d>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Identity<'d> {
    api_version: &'d str,
    namespace: &'d str,
    name: &'d str,
    file: &'d str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Outcome<'d> {
    effect: &'static str,
    text: &'d str,
    details: &'d [String],
    commands: &'d [String],
}

#[derive(Serialize)]
struct Finding<'d> {
    rule: &'static str,
    severity: &'static str,
    path: Option<String>,
    message: &'d str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Field<'d> {
    path: String,
    difference: &'static str,
    is_hidden: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_same_quantity: bool,
    old: Vec<Side<'d>>,
    new: Vec<Side<'d>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Side<'d> {
    value: &'d Node,
    is_default: bool,
    file: Option<&'d str>,
    line: Option<u32>,
    column: Option<u32>,
    layer: Option<&'static str>,
    expression: Option<&'d str>,
}

/// Renders a difference as JSON. With `is_summary`, without the fields.
#[must_use]
pub fn render_diff_json(diff: &Diff, is_summary: bool) -> String {
    let of = |fate: Fate| counts(diff).iter().find(|it| it.0 == fate).map_or(0, |it| it.1);
    let report = Report {
        format: FORMAT,
        objects: diff.objects.iter().filter_map(|it| object(it, is_summary)).collect(),
        not_compared: diff.not_compared.iter().map(not_compared).collect(),
        namespaces: &diff.namespaces,
        summary: Summary {
            changed: of(Fate::Changed),
            renamed: of(Fate::Renamed),
            added: of(Fate::Added),
            removed: of(Fate::Removed),
            unchanged: diff.unchanged,
        },
    };
    pretty_json(&report)
}

fn object(change: &ObjectChange, is_summary: bool) -> Option<Object<'_>> {
    let ObjectAt { api_version, kind, namespace, name, .. } = change.object()?;
    let outcome = change.outcome.as_ref();
    let findings = change.findings.iter().map(|it| Finding {
        rule: it.rule.name,
        severity: it.severity.as_str(),
        path: it.details().path.as_ref().map(ToString::to_string),
        message: headline(it),
    });
    Some(Object {
        change: change.fate.name(),
        api_version,
        kind,
        namespace,
        name,
        old: change.old.as_ref().map(identity),
        new: change.new.as_ref().map(identity),
        outcome: outcome.map(|it| Outcome {
            effect: it.effect.name(),
            text: &it.text,
            details: &it.details,
            commands: &it.commands,
        }),
        findings: findings.collect(),
        lost: change.lost.iter().map(|field| field.path.to_string()).collect(),
        field_count: change.fields.len(),
        fields: (!is_summary).then(|| change.fields.iter().map(field).collect()),
    })
}

fn identity(at: &ObjectAt) -> Identity<'_> {
    let ObjectAt { api_version, namespace, name, place, .. } = at;
    let Place { file, line, column, .. } = place;
    Identity { api_version, namespace, name, file, line: *line, column: *column }
}

fn not_compared(at: &ObjectAt) -> NotCompared<'_> {
    NotCompared { kind: &at.kind, identity: identity(at) }
}

fn field(change: &FieldChange) -> Field<'_> {
    Field {
        path: change.path.to_string(),
        difference: match change.difference {
            Difference::Value | Difference::Quantity => "value",
            Difference::Items => "items",
            Difference::Order => "order",
        },
        is_hidden: change.is_hidden,
        is_same_quantity: change.difference == Difference::Quantity,
        old: change.old.iter().map(value).collect(),
        new: change.new.iter().map(value).collect(),
    }
}

fn value(shown: &Shown) -> Side<'_> {
    let place = shown.place.as_ref();
    Side {
        value: &shown.node,
        is_default: shown.is_default,
        file: place.map(|it| it.file.as_str()),
        line: place.map(|it| it.line),
        column: place.map(|it| it.column),
        layer: place.and_then(|it| it.layer).map(crate::tree::Layer::describe),
        expression: place.and_then(|it| it.source.as_deref()),
    }
}
