//! Expressions inside text scalars: found, compiled once per document, run once per instance.

use minijinja::{Environment, Error, ErrorKind, Expression, Template, Value as Jinja};
use thin_vec::ThinVec;

use super::Cx;
use super::instances::Variables;
use crate::diag::{Diagnostic, Sink, declare_rules, did_you_mean};
use crate::source::Span;
use crate::tree::{Entry, Map, Node, Value};

declare_rules! {
    EXPRESSION_SYNTAX = "expression-syntax", Error;
    EXPRESSION_UNDEFINED = "expression-undefined", Error;
    EXPRESSION_FAILED = "expression-failed", Error;
}

/// Whether any text of the tree holds an expression.
pub(super) fn has_any(node: &Node) -> bool {
    match &node.value {
        Value::String(text) => is_expression(text),
        Value::List(items) => items.iter().any(has_any),
        Value::Map(map) => map.entries.iter().any(|entry| has_any(&entry.value)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::UInt(_) | Value::Float(_) => false,
    }
}

fn is_expression(text: &str) -> bool {
    memchr::memchr_iter(b'{', text.as_bytes())
        .any(|at| matches!(text.as_bytes().get(at + 1), Some(b'{' | b'%' | b'#')))
}

/// One scalar with expressions, compiled.
enum Compiled<'p> {
    /// The scalar is one whole expression and takes its type.
    Whole(Expression<'p, 'p>),
    /// Text with expressions in it.
    Text(Template<'p, 'p>),
}

/// The compiled scalars of one document, in the order of a walk over it.
pub(super) struct Plan<'p> {
    compiled: Vec<Compiled<'p>>,
}

/// A run that failed.
pub(super) struct Fault {
    span: Span,
    error: Error,
}

impl<'p> Plan<'p> {
    /// Compiles all expressions of a tree. `None` where something was reported.
    pub(super) fn new(
        cx: &Cx<'_>,
        environment: &'p Environment<'p>,
        root: &'p Node,
        known: &Node,
        sink: &mut Sink,
    ) -> Option<Self> {
        let mut scalars = Vec::new();
        collect(root, &mut scalars);
        let before = sink.len();
        let mut compiled = Vec::with_capacity(scalars.len());
        for (text, span) in scalars {
            match compile(environment, text) {
                Ok(one) => {
                    report_undefined(environment, &one, span, known, sink);
                    compiled.push(one);
                }
                Err(error) => sink.report(syntax_fault(cx, text, span, &error)),
            }
        }
        (sink.len() == before).then_some(Self { compiled })
    }

    /// The tree with the values of its expressions in one context.
    pub(super) fn apply(&self, root: &Node, context: &Jinja) -> Result<Node, Fault> {
        apply(root, context, &mut self.compiled.iter())
    }
}

/// The node with the values of its expressions, which are the next of `rest`.
fn apply<'c, 'p: 'c>(
    node: &Node,
    context: &Jinja,
    rest: &mut impl Iterator<Item = &'c Compiled<'p>>,
) -> Result<Node, Fault> {
    let value = match &node.value {
        Value::String(text) if is_expression(text) => match rest.next() {
            Some(compiled) => {
                let fault = |error| Fault { span: node.span(), error };
                return compiled.run(context, node).map_err(fault);
            }
            None => node.value.clone(),
        },
        Value::List(items) => {
            let items = items.iter().map(|item| apply(item, context, rest));
            Value::List(items.collect::<Result<_, _>>()?)
        }
        Value::Map(map) => {
            let mut entries = ThinVec::with_capacity(map.entries.len());
            for Entry { key, key_origin, value } in &map.entries {
                let value = apply(value, context, rest)?;
                entries.push(Entry { key: key.clone(), key_origin: *key_origin, value });
            }
            Value::Map(Map { entries })
        }
        other => other.clone(),
    };
    Ok(node.with_value(value))
}

impl Compiled<'_> {
    fn run(&self, context: &Jinja, node: &Node) -> Result<Node, Error> {
        match self {
            Self::Whole(expression) => {
                let json = serde_json::to_value(expression.eval(context)?)
                    .map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?;
                Ok(Node::from_json(json, node.origin()))
            }
            Self::Text(template) => Ok(Node::string(template.render(context)?, node.origin())),
        }
    }

    fn names(&self) -> std::collections::BTreeSet<String> {
        let names = match self {
            Self::Whole(expression) => expression.undeclared_variables(true),
            Self::Text(template) => template.undeclared_variables(true),
        };
        names.into_iter().collect()
    }
}

impl Fault {
    /// Reports it, for one instance.
    pub(super) fn report(self, cx: &Cx<'_>, variables: &Variables, sink: &mut Sink) {
        let words = words(&self.error);
        let mut diagnostic = match (self.error.kind(), failing(&self.error)) {
            (ErrorKind::UndefinedError, Some(name)) => Diagnostic::new(
                &EXPRESSION_UNDEFINED,
                self.span,
                format!("`{name}` is not defined"),
            ),
            (ErrorKind::UndefinedError, None) => Diagnostic::new(
                &EXPRESSION_UNDEFINED,
                self.span,
                format!("the expression fails: {words}"),
            ),
            (ErrorKind::OutOfFuel, _) => {
                Diagnostic::new(&EXPRESSION_FAILED, self.span, "the expression takes too long")
                    .help("write shorter loops; `expand` makes many definitions of one")
            }
            _ => Diagnostic::new(
                &EXPRESSION_FAILED,
                self.span,
                format!("the expression fails: {words}"),
            ),
        };
        if let Some(instance) = variables.describe() {
            diagnostic = diagnostic.note(instance);
        }
        let _ = cx;
        sink.report(diagnostic);
    }
}

fn collect<'p>(node: &'p Node, scalars: &mut Vec<(&'p str, Span)>) {
    match &node.value {
        Value::String(text) if is_expression(text) => scalars.push((text, node.span())),
        Value::List(items) => items.iter().for_each(|item| collect(item, scalars)),
        Value::Map(map) => map.entries.iter().for_each(|entry| collect(&entry.value, scalars)),
        _ => {}
    }
}

fn compile<'p>(environment: &'p Environment<'p>, text: &'p str) -> Result<Compiled<'p>, Error> {
    // An end marker inside would be a second expression; minijinja's lexer of bare expressions
    // must not see one.
    let inner = text
        .strip_prefix("{{")
        .and_then(|rest| rest.strip_suffix("}}"))
        .filter(|inner| !inner.contains("}}") && !inner.contains("%}"));
    if let Some(inner) = inner
        && let Ok(expression) = environment.compile_expression(inner)
    {
        return Ok(Compiled::Whole(expression));
    }
    environment.template_from_str(text).map(Compiled::Text)
}

fn report_undefined(
    environment: &Environment<'_>,
    compiled: &Compiled<'_>,
    span: Span,
    known: &Node,
    sink: &mut Sink,
) {
    for name in compiled.names() {
        let steps: Vec<_> = name.split('.').collect();
        let is_global = steps
            .first()
            .is_some_and(|first| environment.globals().any(|(name, _)| name == *first));
        if is_global {
            continue;
        }
        let mut place = known;
        for (depth, step) in steps.iter().enumerate() {
            // Only maps have keys that can be checked before the run.
            let Some(map) = place.as_map() else { break };
            if let Some(next) = map.get(step) {
                place = next;
                continue;
            }
            let full = steps.get(..=depth).unwrap_or(&steps).join(".");
            let candidates: Vec<_> = map.entries.iter().map(|entry| entry.key.as_str()).collect();
            let mut diagnostic =
                Diagnostic::new(&EXPRESSION_UNDEFINED, span, format!("there is no `{full}`"))
                    .at(format!("`{step}` is not defined"))
                    .help_if(did_you_mean(step, candidates.iter().copied()));
            diagnostic = if candidates.is_empty() {
                diagnostic.note("the Project defines no values here")
            } else {
                diagnostic.note(format!("defined here: `{}`", candidates.join("`, `")))
            };
            sink.report(diagnostic);
            break;
        }
    }
}

/// The fault at its place inside the scalar, where the scalar stands in the source as it reads.
fn syntax_fault(cx: &Cx<'_>, text: &str, span: Span, error: &Error) -> Diagnostic {
    let source = cx.workspace.slice(span);
    let inside = error.range().and_then(|range| {
        let at = source.find(text)?;
        Some(span.part(at + range.start..at + range.end))
    });
    Diagnostic::new(
        &EXPRESSION_SYNTAX,
        inside.unwrap_or(span),
        format!("the expression cannot be read: {}", words(error)),
    )
    .help("to keep the braces as text, write `{% raw %}...{% endraw %}` around them")
}

/// The part of the expression that failed.
fn failing(error: &Error) -> Option<&str> {
    let part = error.template_source()?.get(error.range()?)?.trim();
    (!part.is_empty()).then_some(part)
}

fn words(error: &Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned)
}
