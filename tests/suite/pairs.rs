//! All errors are reported at once: the faults of two fixtures of one kind, merged into one
//! document, are both reported.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use rayon::prelude::*;
use sandboxc::{
    Compilation, Diagnostic, Options, PathStep, Severity, Workspace, compile, content_hash,
};
use serde_yaml::{Mapping, Value};

use crate::support::{Compiled, diag};

/// The rules whose errors hide errors of other rules in the same document, with these, and the reason.
const EXCEPTIONS: &[(&str, &[&str], &str)] = &[
    (
        "unknown-field",
        &[
            "containers-empty",
            "env-source-missing",
            "field-empty",
            "field-missing",
            "handler-missing",
            "null-over-value",
            "request-not-limit",
            "resource-claim-invalid",
            "selector-empty",
            "selector-mismatch",
        ],
        "follows from it: what is missing or not equal is what the misspelled field sets",
    ),
    (
        "invisible-space",
        &["name-missing"],
        "follows from it: the key with the space can be any of the document",
    ),
    (
        "wrong-type",
        &["crd-storage-version-not-one", "env-source-missing", "field-empty", "null-over-value"],
        "follows from it: what is missing is in the value that cannot be read",
    ),
    (
        "label-value-invalid",
        &["selector-mismatch"],
        "follows from it: no selector selects an invalid label",
    ),
    ("definitions-too-large", ANYTHING, "above a limit of the run nothing is compiled"),
    ("expand-too-large", ANYTHING, "above a limit of the run nothing is expanded"),
    ("extends-too-deep", ANYTHING, "from a chain above the limit nothing is inherited"),
    (
        "expression-too-large",
        ANYTHING,
        "after an expression above its limit no other one is evaluated",
    ),
    (
        "expand-invalid",
        &["definitions-too-large", "expand-too-large"],
        "the size of the run is not known",
    ),
    ("extends-cycle", &["definitions-too-large"], "nothing is inherited along a cycle"),
    ("extends-not-found", &["definitions-too-large"], "nothing is inherited"),
    ("field-missing", &["definitions-too-large"], "the size of the objects is not known"),
    ("unknown-field", &["definitions-too-large"], "the size of the objects is not known"),
    ("wrong-type", &["definitions-too-large"], "the size of the objects is not known"),
    ("nodepool-name-duplicate", &["definitions-too-large"], "the size of the objects is not known"),
    ("nodepool-name-invalid", &["definitions-too-large"], "the size of the objects is not known"),
    ("nodepool-node-unknown", &["definitions-too-large"], "the size of the objects is not known"),
    (
        "expand-invalid",
        &["expression-undefined", "extends-cycle", "extends-not-found", "extends-too-deep"],
        "without `expand`, the names of the definitions are not known",
    ),
    (
        "expression-failed",
        &["extends-not-found", "extends-too-deep"],
        "the name of the definition, which may be the missing one, is not known",
    ),
    (
        "expression-syntax",
        &["extends-not-found", "extends-too-deep"],
        "the name of the definition, which may be the missing one, is not known",
    ),
    (
        "expression-undefined",
        &["extends-cycle", "extends-not-found"],
        "the name of the definition, which may be the missing one, is not known",
    ),
    ("extends-cycle", &["extends-not-found"], "two definitions of one name, of which one is found"),
    (
        "expand-invalid",
        &["field-empty", "guarded-field"],
        "the base of the definition is not known",
    ),
    ("expression-failed", &["field-empty"], "a value that is not known can set the field"),
    ("expression-syntax", &["field-empty"], "a value that is not known can set the field"),
    (
        "expression-undefined",
        &["field-empty", "guarded-field"],
        "a value that is not known can set the field",
    ),
    ("extends-cycle", &["field-empty", "guarded-field"], "the base is not known"),
    ("extends-not-found", &["field-empty", "guarded-field"], "the base is not known"),
    (
        "extends-cycle",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "field-missing",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "wrong-type",
        &["object-duplicate"],
        "the name of an object can depend on the fields that are not known",
    ),
    (
        "crd-keyword-misplaced",
        &["crd-default-invalid", "crd-type-missing"],
        "the API server checks defaults and types of a schema that it can convert",
    ),
    (
        "crd-keyword-unsupported",
        &["crd-default-invalid", "crd-selectable-field-invalid", "crd-type-missing"],
        "the API server checks defaults and types of a schema that it can convert",
    ),
    ("crd-list-type-invalid", &["crd-type-missing"], "the same schema, whose type is both"),
    (
        "crd-metadata-restricted",
        &["crd-default-invalid"],
        "the API server checks defaults of a structural schema",
    ),
    (
        "crd-not-structural",
        &["crd-default-invalid"],
        "the API server checks defaults of a structural schema",
    ),
    (
        "crd-pattern-invalid",
        &["crd-default-invalid"],
        "the API server checks defaults of a structural schema",
    ),
    ("duplicate-key", UNREAD, "the API server does not read the document"),
    ("key-not-text", UNREAD, "the API server does not read the document"),
    ("merge-key-invalid", UNREAD, "the API server does not read the document"),
    ("number-not-finite", UNREAD, "the API server does not read the document"),
    (
        "name-invalid",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "number-out-of-range",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "restart-policy-unsuitable",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "share-invalid",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "unknown-field",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    (
        "wrong-type",
        &["policy-denied"],
        "the API server asks policies about objects that are valid otherwise",
    ),
    // The merged document lacks the fault.
    ("name-invalid", &["name-missing"], "`generateName` is a name"),
    (
        "policy-denied",
        &["field-missing", "name-invalid", "name-missing"],
        "the other object has the field",
    ),
    ("object-duplicate", &["name-invalid", "name-missing"], "both documents have the same name"),
    ("field-empty", &["field-missing"], "the other object has the field"),
    ("field-missing", &["containers-empty"], "the other object has containers"),
    ("host-process-mixed", &["containers-empty", "field-empty"], "the other object has containers"),
    ("image-with-space", &["field-empty"], "the other object has an image"),
    ("reference-name-invalid", &["field-empty"], "the other object has an image"),
    ("osa-namespace-not-found", &["runner-setting-missing"], "the other Runner has the setting"),
    ("runner-setting-invalid", &["runner-setting-missing"], "the other Runner has the setting"),
    (
        "privilege-escalation-conflict",
        &["mount-propagation-unprivileged"],
        "the other container is privileged",
    ),
    ("job-label-reserved", &["job-selector-own"], "the same label of the other Job"),
    ("pod-selector-invalid", &["selector-mismatch"], "an invalid selector selects nothing"),
    ("container-restart-policy-invalid", &["restart-rule-invalid"], "rules of an invalid policy"),
    ("claim-env-container-unknown", &["claim-env-duplicate"], "variables of an unknown container"),
    ("mount-beside-device", &["volume-device-invalid"], "the same device"),
    ("nodepool-resource-key-reserved", &["nodepool-quota-exceeded"], "the quota of a reserved key"),
    (
        "nodepool-node-unknown",
        &["nodepool-name-duplicate"],
        "the duplicate node is the unknown one",
    ),
    // Faults of the settings that decide what kelos or idegym build.
    (
        "needs-kelos-controller",
        ANYTHING,
        "without the field that only the controller supports, the Task is another one",
    ),
    ("worker-pool-conflict", ANYTHING, "a Task has either a pool of workers or a Pod of its own"),
    (
        "snapshots-not-enabled",
        &["guarded-field", "label-value-invalid"],
        "without snapshots, the Server is another one",
    ),
    (
        "mcp-server-invalid",
        &["mcp-secret-keys-unknown"],
        "servers that cannot be written have no keys",
    ),
    (
        "mcp-value-not-json",
        &["mcp-secret-keys-unknown"],
        "servers that cannot be written have no keys",
    ),
    (
        "guarded-field",
        &["kelos-reference-not-found", "kelos-resource-invalid", "task-volume-missing"],
        "kelos does not build the Job of a Task with a reserved field",
    ),
    (
        "kelos-reference-not-found",
        &["task-volume-missing"],
        "the volumes of what is not found are not known",
    ),
    (
        "plugin-name-duplicate",
        &["task-volume-missing"],
        "kelos does not build the Job of a Task without its plugins",
    ),
    (
        "plugin-name-invalid",
        &["task-volume-missing"],
        "kelos does not build the Job of a Task without its plugins",
    ),
    (
        "skills-need-root",
        &["task-volume-missing"],
        "kelos does not build the Job of a Task without its plugins",
    ),
    ("task-name-duplicate", &["kelos-resource-invalid"], "the builder reads only a valid Task"),
    ("task-volume-missing", &["kelos-resource-invalid"], "the builder reads only a valid Task"),
    ("spawner-label-invalid", &["spawner-name-too-long"], "the names of Tasks depend on the fault"),
    (
        "spawner-template-invalid",
        &["spawner-name-too-long"],
        "the names of Tasks depend on the fault",
    ),
    (
        "spawner-schedule-invalid",
        &["spawner-source-invalid"],
        "the source is the one with the schedule",
    ),
];

const ANYTHING: &[&str] = &[];
const UNREAD: &[&str] = &["containers-empty", "field-empty", "name-invalid", "name-missing"];

/// The number of pairs of a kind that are compiled, about.
const PAIRS_OF_A_KIND: usize = 400;

/// A fixture whose errors are in one document.
struct Faulty<'f> {
    name: &'f str,
    /// Group, version and kind.
    kind: String,
    document: Value,
    /// The other documents.
    context: Vec<Value>,
    errors: Vec<&'f Diagnostic>,
    options: &'f Options,
}

impl<'f> Faulty<'f> {
    fn of(it: &'f Compiled) -> Option<Self> {
        let Compiled { fixture, workspace, compilation } = it;
        let text = std::str::from_utf8(&fixture.bytes).ok()?;
        let is_plain = fixture.arguments.is_empty()
            && fixture.values.is_empty()
            && !fixture.is_import
            && !text.contains("# verb: ")
            && !text.contains("# file: ")
            && !text.contains("# environment: ");
        let errors: Vec<_> =
            compilation.diagnostics.iter().filter(|it| it.severity == Severity::Error).collect();
        if !is_plain || errors.is_empty() {
            return None;
        }
        let at = |finding: &Diagnostic| {
            let spans = compilation.inputs.iter().map(sandboxc::InputObject::place);
            spans.enumerate().find(|(_, it)| it.contains(finding.primary.span)).map(|it| it.0)
        };
        let places: BTreeSet<_> = errors.iter().map(|it| at(it)).collect();
        let faulty = places.first().copied().flatten().filter(|_| places.len() == 1)?;
        let parse = |text: &str| -> Option<Value> { serde_yaml::from_str(text).ok() };
        let mut documents = Vec::new();
        for input in &compilation.inputs {
            documents.push(parse(workspace.slice(input.place()))?);
        }
        let document = documents.remove(faulty);
        let kind = format!("{:?} {:?}", document.get("apiVersion")?, document.get("kind")?);
        let (name, options) = (fixture.name.as_str(), &fixture.options);
        let mut fixture = Self { name, kind, document, context: documents, errors, options };
        // Some errors are about the YAML, which is written anew.
        let found = compiled(&text_of(&fixture.document, &fixture.context)?, options);
        fixture
            .errors
            .retain(|error| found.diagnostics.iter().any(|it| it.rule.name == error.rule.name));
        (!fixture.errors.is_empty()).then_some(fixture)
    }

    /// The fixture without its faulty fields.
    fn without_faults(&self) -> Option<Self> {
        let mut document = self.document.clone();
        for error in &self.errors {
            remove(&mut document, error.details().path.as_ref()?.steps());
        }
        let Self { name, kind, context, options, .. } = self;
        let (kind, context) = (kind.clone(), context.clone());
        Some(Self { name, kind, document, context, errors: Vec::new(), options })
    }

    fn object_name(&self) -> Option<&str> {
        self.document.get("metadata")?.get("name")?.as_str()
    }
}

#[test]
fn the_errors_of_two_fixtures_in_one_document_are_all_reported() {
    let all: Vec<_> = diag().iter().filter_map(Faulty::of).collect();
    let mut by_kind: BTreeMap<&str, Vec<&Faulty<'_>>> = BTreeMap::new();
    for it in &all {
        by_kind.entry(&it.kind).or_default().push(it);
    }
    let all_pairs = env::var_os("ALL_PAIRS").is_some();
    let mut pairs = Vec::new();
    for of_kind in by_kind.values() {
        let count = of_kind.len() * of_kind.len().saturating_sub(1) / 2;
        let share = if all_pairs { 1 } else { count.div_ceil(PAIRS_OF_A_KIND).max(1) as u64 };
        for (at, one) in of_kind.iter().enumerate() {
            for other in &of_kind[at + 1..] {
                let names = format!("{} {}", one.name, other.name);
                if content_hash(names.as_bytes()).is_multiple_of(share) {
                    pairs.push((*one, *other));
                }
            }
        }
    }
    let results: Vec<_> = pairs.par_iter().map(|(one, other)| losses(one, other)).collect();
    let compiled = results.iter().flatten().count();
    let failures: Vec<_> = results.into_iter().flatten().flatten().collect();
    assert!(compiled > 1000, "{compiled} pairs");
    assert!(
        failures.is_empty(),
        "{} errors are lost in {compiled} pairs\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn is_excepted(error: &Diagnostic, other: &Faulty<'_>) -> bool {
    EXCEPTIONS.iter().any(|(by, hidden, _)| {
        other.errors.iter().any(|it| it.rule.name == *by)
            && (hidden.is_empty() || hidden.contains(&error.rule.name))
    })
}

fn compiled(text: &str, options: &Options) -> Compilation {
    let mut workspace = Workspace::new();
    workspace.add("merged.yaml", text);
    compile(&workspace, options)
}

fn remove(value: &mut Value, path: &[PathStep]) {
    let Some((last, owner)) = path.split_last() else { return };
    let mut at = Some(value);
    for step in owner {
        at = at.and_then(|it| match step {
            PathStep::Field(name) | PathStep::Key(name) => it.get_mut(&**name),
            PathStep::Index(index) => it.get_mut(*index),
        });
    }
    match (at, last) {
        (Some(Value::Mapping(map)), PathStep::Field(name) | PathStep::Key(name)) => {
            map.remove(&**name);
        }
        (Some(Value::Sequence(items)), PathStep::Index(index)) if *index < items.len() => {
            items.remove(*index);
        }
        _ => {}
    }
}

/// Whether the second fixture hides an error of the first, although it does not without its own
/// faults.
fn is_hidden(error: &Diagnostic, one: &Faulty<'_>, other: &Faulty<'_>) -> bool {
    let Some(control) = other.without_faults() else { return true };
    let Some((text, options)) = merged(one, &control) else { return true };
    let found = compiled(&text, options);
    found.diagnostics.iter().any(|it| it.rule.name == error.rule.name)
}

/// The errors that the merged document does not have; `None` if the two cannot be merged.
fn losses(one: &Faulty<'_>, other: &Faulty<'_>) -> Option<Vec<String>> {
    let (text, options) = merged(one, other)?;
    let Compilation { diagnostics, left_out, .. } = compiled(&text, options);
    let mut found: Vec<_> = diagnostics.iter().map(|it| (it, None)).collect();
    found.extend(left_out.iter().map(|it| (&it.finding, diagnostics.get(it.in_favor_of))));
    let mut losses = Vec::new();
    let both = [(one, other), (other, one)];
    let all = both
        .iter()
        .flat_map(|(own, second)| own.errors.iter().map(move |error| (*own, *second, *error)));
    for (own, second, error) in all {
        let fixture = own.name;
        let is_it = |it: &&(&Diagnostic, Option<&Diagnostic>)| it.0.rule.name == error.rule.name;
        let mut same: Vec<_> = found.iter().filter(is_it).collect();
        same.sort_by_key(|it| it.1.is_some());
        match same.first() {
            Some((_, None)) => {}
            // Without the errors of the other fixture, they do not hide it.
            _ if !second
                .errors
                .iter()
                .any(|error| diagnostics.iter().any(|it| it.rule.name == error.rule.name)) => {}
            _ if !is_hidden(error, own, second) || is_excepted(error, second) => {}
            Some((_, Some(instead))) => losses.push(format!(
                "LEFT OUT {} {} in favor of {}: {} + {}",
                fixture, error.rule.name, instead.rule.name, one.name, other.name
            )),
            None => {
                let rules: BTreeSet<_> = diagnostics.iter().map(|it| it.rule.name).collect();
                losses.push(format!(
                    "LOST {} {}: {} + {} = {:?}",
                    fixture, error.rule.name, one.name, other.name, rules
                ));
                if env::var_os("PAIRS_SHOW").is_some() {
                    losses.push(text.clone());
                }
            }
        }
    }
    Some(losses)
}

/// The text of both fixtures, with one document for the two faulty ones. `None` if they differ in a
/// value that both need.
fn merged<'f>(one: &Faulty<'f>, other: &Faulty<'f>) -> Option<(String, &'f Options)> {
    let mut second = other.document.clone();
    let mut second_context = other.context.clone();
    // Both documents get one name, unless a fault is about it.
    if let (Some(name), Some(old)) = (one.object_name(), other.object_name())
        && name != old
    {
        let is_about_name = |it: &&&Diagnostic| {
            it.details().path.as_ref().is_some_and(|it| it.to_string().starts_with("metadata"))
                || it.rule.name == "volume-claim-of-ephemeral"
        };
        if [one, other].iter().any(|it| it.errors.iter().any(|it| is_about_name(&it))) {
            return None;
        }
        for value in std::iter::once(&mut second).chain(&mut second_context) {
            rename(value, old, name);
        }
    }
    let faults: Vec<_> = [one, other]
        .iter()
        .flat_map(|it| &it.errors)
        .filter_map(|it| it.details().path.as_ref())
        .map(|it| it.steps().to_vec())
        .collect();
    let document = merge(&one.document, &second, &mut Vec::new(), &faults)?;
    let mut context: Vec<Value> = one.context.clone();
    for value in second_context {
        let same = context.iter_mut().find(|it| identity(it) == identity(&value));
        match same {
            Some(same) if *same != value => return None,
            Some(_) => {}
            None => context.push(value),
        }
    }
    // Its settings apply to both.
    let is_project = |it: &&Value| it.get("kind").and_then(Value::as_str) == Some("Project");
    let project_of = |it: &Faulty<'_>| it.context.iter().find(is_project).cloned();
    if project_of(one) != project_of(other) {
        return None;
    }
    Some((text_of(&document, &context)?, one.options))
}

fn text_of(document: &Value, context: &[Value]) -> Option<String> {
    let documents = std::iter::once(document).chain(context);
    let texts: Option<Vec<_>> = documents.map(|it| serde_yaml::to_string(it).ok()).collect();
    Some(texts?.join("---\n"))
}

fn identity(value: &Value) -> (Option<&Value>, Option<&Value>, Option<&Value>) {
    let kind = value.get("kind");
    let is_project = kind.and_then(Value::as_str) == Some("Project");
    let metadata = |key: &str| value.get("metadata")?.get(key);
    (kind, metadata("name").filter(|_| !is_project), metadata("namespace").filter(|_| !is_project))
}

fn rename(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) if text == old => new.clone_into(text),
        Value::Sequence(items) => items.iter_mut().for_each(|it| rename(it, old, new)),
        Value::Mapping(map) => map.values_mut().for_each(|it| rename(it, old, new)),
        _ => {}
    }
}

/// Both trees in one. `None` if they have different values of one field, other than an image.
fn merge(
    one: &Value,
    other: &Value,
    path: &mut Vec<String>,
    faults: &[Vec<PathStep>],
) -> Option<Value> {
    match (one, other) {
        _ if one == other => Some(one.clone()),
        (Value::Mapping(one), Value::Mapping(other)) => {
            let mut map = Mapping::new();
            for (key, value) in one {
                path.push(key.as_str().unwrap_or_default().to_owned());
                let both = match other.get(key) {
                    Some(second) => merge(value, second, path, faults)?,
                    None => value.clone(),
                };
                path.pop();
                map.insert(key.clone(), both);
            }
            for (key, value) in other {
                if !map.contains_key(key) {
                    map.insert(key.clone(), value.clone());
                }
            }
            Some(Value::Mapping(map))
        }
        (Value::Sequence(one), Value::Sequence(other)) => {
            let mut items = one.clone();
            let mut own: Vec<_> = (0..one.len()).collect();
            for item in other {
                let name = item.get("name");
                let is_same = |at: &usize| {
                    one.get(*at) == Some(item)
                        || name.is_some() && one.get(*at).and_then(|it| it.get("name")) == name
                };
                // Each item of one list is merged with one of the other.
                match own.iter().position(is_same) {
                    Some(position) if one.get(own[position]) == Some(item) => {
                        own.remove(position);
                    }
                    // One volume has one source.
                    Some(_) if path.last().is_some_and(|it| it == "volumes") => return None,
                    Some(position) => {
                        let at = own.remove(position);
                        items[at] = merge(&one[at], item, path, faults)?;
                    }
                    None => items.push(item.clone()),
                }
            }
            Some(Value::Sequence(items))
        }
        _ => {
            let field = path.last().map(String::as_str);
            let is_faulty = |fault: &Vec<PathStep>| {
                let last = fault.iter().rev().find_map(|it| match it {
                    PathStep::Field(name) => Some(&**name),
                    _ => None,
                });
                last == field
            };
            let is_expression =
                |it: &Value| it.as_str().is_some_and(|it| it.contains("{{") || it.contains("{%"));
            let is_free = field == Some("image")
                && !faults.iter().any(is_faulty)
                && ![one, other].into_iter().any(is_expression);
            is_free.then(|| one.clone())
        }
    }
}
