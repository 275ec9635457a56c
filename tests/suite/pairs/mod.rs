//! All errors are reported at once: the faults of two fixtures of one kind, merged into one
//! document, are both reported.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ops::Range;

use rayon::prelude::*;
use sandboxc::{
    Compilation, Diagnostic, Options, PathStep, Severity, Workspace, compile, content_hash,
};
use serde_yaml::Value;

use self::exceptions::EXCEPTIONS;
use self::merge::{merged, text_of};
use crate::support::{Compiled, Fixture, diag, has_all};

mod exceptions;
mod merge;

/// The API group of definitions.
const DEFINITION: &str = "sandboxc.dev";
/// The number of pairs of a kind that are compiled, about.
const PAIRS_OF_A_KIND: usize = 400;
/// The number of pairs of a kind that show whether an exception is needed.
const PAIRS_OF_AN_EXCEPTION: usize = 20;

/// A fixture whose errors are in one document.
struct Faulty<'f> {
    name: &'f str,
    /// Group, version and kind.
    kind: String,
    document: Value,
    /// The other documents.
    context: Vec<Value>,
    errors: Vec<Fault<'f>>,
    options: &'f Options,
}

/// An error, and its path in the document.
#[derive(Clone)]
struct Fault<'f> {
    error: &'f Diagnostic,
    path: Option<Vec<PathStep>>,
}

impl Fault<'_> {
    fn rule(&self) -> &'static str {
        self.error.rule.name
    }
}

/// The path of the value or key at a range of a YAML document, or around it.
fn path_to(text: &str, range: Range<usize>) -> Option<Vec<PathStep>> {
    const MARK: &str = "zzMARKzz";
    fn find(value: &Value, key: &str, path: &mut Vec<PathStep>) -> bool {
        let enter = |step: PathStep, below: &Value, path: &mut Vec<PathStep>| {
            path.push(step);
            let is_found = find(below, key, path);
            if !is_found {
                path.pop();
            }
            is_found
        };
        match value {
            Value::String(text) => text.contains(MARK),
            Value::Sequence(items) => {
                items.iter().enumerate().any(|(at, it)| enter(PathStep::Index(at), it, path))
            }
            Value::Mapping(map) => map.iter().any(|(name, it)| match name.as_str() {
                Some(name) if name.contains(MARK) => {
                    path.push(PathStep::Field(name.replace(MARK, key).into()));
                    true
                }
                Some(name) => enter(PathStep::Field(name.into()), it, path),
                None => false,
            }),
            _ => false,
        }
    }
    let key = text.get(range.clone())?;
    let marked = format!("{}{MARK}{}", text.get(..range.start)?, text.get(range.end..)?);
    let mut path = Vec::new();
    let document: Value = serde_yaml::from_str(&marked).ok()?;
    find(&document, key, &mut path).then_some(path)
}

impl<'f> Faulty<'f> {
    /// A document of a fixture for each that has errors.
    fn all(compiled: &'f Compiled) -> Vec<Self> {
        let Compiled { fixture, workspace, compilation } = compiled;
        let Ok(text) = std::str::from_utf8(&fixture.bytes) else { return Vec::new() };
        let is_plain = fixture.arguments.is_empty()
            && fixture.values.is_empty()
            && !fixture.is_import
            && !text.contains("# verb: ")
            && !text.contains("# file: ")
            && !text.contains("# environment: ");
        if !is_plain {
            return Vec::new();
        }
        let parse = |text: &str| -> Option<Value> { serde_yaml::from_str(text).ok() };
        let inputs = compilation.inputs.iter();
        let documents = inputs.map(|it| {
            let text = workspace.slice(it.place());
            let document = parse(text)?;
            let is_inside = |error: &&Diagnostic| {
                error.severity == Severity::Error && it.place().contains(error.primary.span)
            };
            let start = workspace.locate(it.place()).range().start;
            let errors = compilation.diagnostics.iter().filter(is_inside).map(|error| {
                let span = workspace.locate(error.primary.span).range();
                let path = path_to(text, span.start - start..span.end - start);
                Fault {
                    error,
                    path: path.or_else(|| Some(error.details().path.as_ref()?.steps().to_vec())),
                }
            });
            let errors: Vec<_> = errors.collect();
            Some((document, errors))
        });
        let Some(documents) = documents.collect::<Option<Vec<_>>>() else { return Vec::new() };
        let faulty = (0..documents.len()).filter(|at| !documents[*at].1.is_empty());
        faulty.filter_map(|at| Self::of(fixture, &documents, at)).collect()
    }

    fn of(
        fixture: &'f Fixture,
        documents: &[(Value, Vec<Fault<'f>>)],
        faulty: usize,
    ) -> Option<Self> {
        let (document, errors) = documents[faulty].clone();
        let kind_of =
            |it: &Value| Some(format!("{:?} {:?}", it.get("apiVersion")?, it.get("kind")?));
        let kind = kind_of(&document)?;
        // Further cases of the fixture are similar documents with other faults.
        if !kind.contains(DEFINITION) && documents.iter().filter(|it| !it.1.is_empty()).count() > 1
        {
            return None;
        }
        let others = documents.iter().enumerate().filter(|(at, (document, errors))| {
            *at != faulty && (errors.is_empty() || kind_of(document).as_ref() != Some(&kind))
        });
        let context: Vec<_> = others.map(|(_, (document, _))| document.clone()).collect();
        let (name, options) = (fixture.name.as_str(), &fixture.options);
        let mut it = Self { name, kind, document, context, errors, options };
        // Some errors are about the YAML, which is written anew.
        let found = compiled(&text_of(&it.document, &it.context)?, options);
        it.errors.retain(|own| found.diagnostics.iter().any(|it| it.rule.name == own.rule()));
        (!it.errors.is_empty()).then_some(it)
    }

    /// The fixture without its faulty fields.
    fn without_faults(&self) -> Option<Self> {
        let mut document = self.document.clone();
        for error in &self.errors {
            remove(&mut document, error.path.as_ref()?);
        }
        let Self { name, kind, context, options, .. } = self;
        let (kind, context) = (kind.clone(), context.clone());
        Some(Self { name, kind, document, context, errors: Vec::new(), options })
    }

    fn is_definition(&self) -> bool {
        self.kind.contains(DEFINITION)
    }

    fn rules(&self) -> BTreeSet<&'static str> {
        self.errors.iter().map(Fault::rule).collect()
    }

    fn has_error(&self, rule: &str) -> bool {
        self.errors.iter().any(|it| it.rule() == rule)
    }

    fn object_name(&self) -> Option<&str> {
        self.document.get("metadata")?.get("name")?.as_str()
    }
}

/// An error that a merged document lacks because of the other fixture.
struct Loss {
    rule: &'static str,
    /// The rules of the errors of the other fixture.
    by: BTreeSet<&'static str>,
    message: String,
}

/// What a page recommends has no faults of its rule.
fn is_paired(compiled: &Compiled) -> bool {
    let fixture = &compiled.fixture;
    !fixture.is_page() || fixture.name.ends_with("/err_page.yaml")
}

#[test]
fn the_errors_of_two_fixtures_in_one_document_are_all_reported() {
    let all: Vec<_> = diag().iter().filter(|it| is_paired(it)).flat_map(Faulty::all).collect();
    let mut by_kind: BTreeMap<&str, Vec<&Faulty<'_>>> = BTreeMap::new();
    for fixture in &all {
        by_kind.entry(&fixture.kind).or_default().push(fixture);
    }
    // `ALL_PAIRS=Hook` compiles all pairs of the kinds whose name contains this.
    let thorough = env::var("ALL_PAIRS").ok();
    let mut pairs = Vec::new();
    for (kind, of_kind) in &by_kind {
        let is_thorough = thorough.as_ref().is_some_and(|it| kind.contains(&**it));
        if thorough.is_none() || is_thorough {
            pairs.extend(pairs_of_a_kind(of_kind, is_thorough));
        }
    }
    let results: Vec<_> = pairs.par_iter().map(|(one, other)| losses(one, other)).collect();
    let compiled = results.iter().flatten().count();
    let losses: Vec<_> = results.into_iter().flatten().flatten().collect();
    assert!(compiled > 1000 || thorough.is_some() || !has_all(), "{compiled} pairs");
    let mut needed = BTreeSet::new();
    let mut failures = Vec::new();
    for loss in losses {
        match exception_of(&loss) {
            Some(exception) => {
                needed.insert(exception);
            }
            None => failures.push(loss.message),
        }
    }
    let count = failures.len();
    for (by, hidden, reason) in EXCEPTIONS.iter().filter(|_| thorough.is_none() && has_all()) {
        if hidden.is_empty() && !needed.contains(&(*by, "")) {
            failures.push(format!("UNUSED {by} ({reason})"));
        }
        let unused = hidden.iter().filter(|it| !needed.contains(&(*by, **it)));
        failures.extend(unused.map(|it| format!("UNUSED {by} {it} ({reason})")));
    }
    let failures = failures.join("\n");
    assert!(failures.is_empty(), "{count} errors are lost in {compiled} pairs\n{failures}");
}

/// A sample of the pairs of fixtures, and some for each exception.
fn pairs_of_a_kind<'f>(
    of_kind: &[&'f Faulty<'f>],
    is_thorough: bool,
) -> Vec<(&'f Faulty<'f>, &'f Faulty<'f>)> {
    let count = of_kind.len() * of_kind.len().saturating_sub(1) / 2;
    let share = if is_thorough { 1 } else { count.div_ceil(PAIRS_OF_A_KIND).max(1) as u64 };
    let mut left = BTreeMap::new();
    let mut pairs = Vec::new();
    for (at, one) in of_kind.iter().enumerate() {
        for other in &of_kind[at + 1..] {
            let exceptions = EXCEPTIONS.iter().flat_map(|(by, hidden, _)| {
                let hidden = if hidden.is_empty() { &[""][..] } else { hidden };
                hidden.iter().map(move |it| (*by, *it))
            });
            let mut is_of_exception = false;
            for (by, hidden) in exceptions {
                let is_it = |one: &Faulty<'_>, other: &Faulty<'_>| {
                    one.has_error(by) && (hidden.is_empty() || other.has_error(hidden))
                };
                if is_it(one, other) || is_it(other, one) {
                    let left = left.entry((by, hidden)).or_insert(PAIRS_OF_AN_EXCEPTION);
                    if *left > 0 && merged(one, other).is_some() {
                        is_of_exception = true;
                        *left -= 1;
                    }
                }
            }
            let names = format!("{} {}", one.name, other.name);
            if is_of_exception || content_hash(names.as_bytes()).is_multiple_of(share) {
                pairs.push((*one, *other));
            }
        }
    }
    pairs
}

/// The exception that allows a loss: the rule that hides, and the hidden one, which is empty for any.
fn exception_of(loss: &Loss) -> Option<(&'static str, &'static str)> {
    let (by, hidden, _) = EXCEPTIONS.iter().find(|(by, hidden, _)| {
        loss.by.contains(by) && (hidden.is_empty() || hidden.contains(&loss.rule))
    })?;
    Some((*by, if hidden.is_empty() { "" } else { loss.rule }))
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
fn is_hidden(rule: &str, one: &Faulty<'_>, other: &Faulty<'_>) -> bool {
    let Some(control) = other.without_faults() else { return true };
    let Some((text, options)) = merged(one, &control) else { return true };
    let found = compiled(&text, options);
    found.diagnostics.iter().any(|it| it.rule.name == rule)
}

/// The errors that the merged document does not have; `None` if the two cannot be merged.
fn losses(one: &Faulty<'_>, other: &Faulty<'_>) -> Option<Vec<Loss>> {
    let (text, options) = merged(one, other)?;
    let Compilation { diagnostics, left_out, .. } = compiled(&text, options);
    let mut found: Vec<_> = diagnostics.iter().map(|it| (it, None)).collect();
    found.extend(left_out.iter().map(|it| (&it.finding, diagnostics.get(it.in_favor_of))));
    let mut losses = Vec::new();
    let both = [(one, other), (other, one)];
    let all =
        both.iter().flat_map(|(own, second)| own.rules().into_iter().map(|it| (*own, *second, it)));
    for (own, second, rule) in all {
        let fixture = own.name;
        let is_it = |it: &&(&Diagnostic, Option<&Diagnostic>)| it.0.rule.name == rule;
        let mut same: Vec<_> = found.iter().filter(is_it).collect();
        same.sort_by_key(|it| it.1.is_some());
        let lost = match same.first() {
            Some((_, None)) => continue,
            Some((_, Some(instead))) => {
                format!("LEFT OUT {fixture} {rule} in favor of {}", instead.rule.name)
            }
            None => format!("LOST {fixture} {rule}"),
        };
        let by = second.rules();
        // Without the errors of the other fixture, they do not hide it.
        if !diagnostics.iter().any(|it| by.contains(it.rule.name)) || !is_hidden(rule, own, second)
        {
            continue;
        }
        let rules: BTreeSet<_> = diagnostics.iter().map(|it| it.rule.name).collect();
        let message = format!("{lost}: {} + {} = {rules:?}", one.name, other.name);
        losses.push(Loss { rule, by, message });
    }
    Some(losses)
}
