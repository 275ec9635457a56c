//! Expressions in string scalars: found, compiled once per document, evaluated once per instance.

use std::ops::Range;

use minijinja::{Error, ErrorKind, Expression, Value as Jinja};
use thin_vec::ThinVec;

use super::code::{Code, Guarded, NUMBER_GUARD, VALUE_GUARD};
use super::environment::{ENVIRONMENT, filters};
use super::instances::{Known, Variables};
use super::meter::{is_out_of_fuel, measure, out_of_fuel, with_fuel};
use super::parts::{Part, Refused, TOO_MANY_STEPS, is_expression, parts};
use super::{ExpressionContext, statements};
use crate::diag::{
    About, Diagnostic, Message, Sink, TOO_MUCH_WORK, Words, declare_rules, did_you_mean, listed,
    message,
};
use crate::limits::Fuel;
use crate::sorted::SortedSet;
use crate::source::{Slice as _, Span, Workspace};
use crate::tree::{Entry, Node, Origin, Value};

declare_rules! {
    EXPRESSION_SYNTAX = "expression-syntax", Error;
    EXPRESSION_UNDEFINED = "expression-undefined", Error, follows = [Project, Misplaced];
    EXPRESSION_FAILED = "expression-failed", Error;
    EXPRESSION_STATEMENT = "expression-statement", Error;
    EXPRESSION_TOO_LARGE = "expression-too-large", Error;
}

/// Whether any string of the tree has an expression.
pub(super) fn has_any(node: &Node) -> bool {
    match &node.value {
        Value::String(text) => is_expression(text),
        Value::List(items) => items.iter().any(has_any),
        Value::Map(map) => map.entries().iter().any(|entry| has_any(&entry.value)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::UInt(_) | Value::Float(_) => false,
    }
}

/// The strings with expressions of one document, in the order of a walk over it, each in its parts.
/// Those with a fault have none.
pub(super) struct Guards<'p>(Vec<(&'p str, Span, Option<Vec<GuardedPart<'p>>>)>);

/// A part of a string, with the guards of an expression.
enum GuardedPart<'p> {
    Text(&'p str),
    Expression(Code<'p>, Guarded<'p>),
}

impl<'p> Guards<'p> {
    /// Reports the strings with faults.
    pub(super) fn new(
        cx: &ExpressionContext<'_>,
        root: &'p Node,
        fuel: &Fuel<'_>,
        sink: &mut Sink,
    ) -> Self {
        let mut scalars = Vec::new();
        collect(root, &mut scalars);
        let guard = |part| match part {
            Part::Text(text) => GuardedPart::Text(text),
            Part::Expression(code) => {
                let guarded = code.guarded();
                GuardedPart::Expression(code, guarded)
            }
        };
        let mut guarded = Vec::with_capacity(scalars.len());
        for (text, span) in scalars {
            let parts = match parts(text, fuel) {
                Ok(parts) => Some(parts.into_iter().map(guard).collect()),
                Err(refused) => {
                    sink.report(refused_fault(cx, text, span, &refused));
                    None
                }
            };
            guarded.push((text, span, parts));
            if fuel.is_out() {
                break;
            }
        }
        Self(guarded)
    }
}

/// The steps of a byte of an expression, whose instructions are executed once.
const OF_BYTE: usize = 2;

/// One string with expressions, compiled.
struct Compiled<'p>(Vec<CompiledPart<'p>>);

enum CompiledPart<'p> {
    Text(&'p str),
    Value(CompiledValue<'p>),
}

/// An expression, with its source.
struct CompiledValue<'p> {
    expression: Expression<'p, 'p>,
    guarded: &'p Guarded<'p>,
    source: &'p str,
}

/// The compiled strings of one document, in the order of a walk over it; `None` for those with a fault.
pub(super) struct Plan<'p> {
    compiled: Vec<Option<Compiled<'p>>>,
}

/// A failed evaluation.
pub(super) struct Fault {
    span: Span,
    error: Error,
    /// The source of the expression.
    source: String,
}

impl<'p> Plan<'p> {
    /// Compiles all expressions of a tree, and reports those with faults.
    pub(super) fn new(
        cx: &ExpressionContext<'_>,
        guards: &'p Guards<'_>,
        known: &Known<'_>,
        sink: &mut Sink,
    ) -> Self {
        let mut compiled = Vec::with_capacity(guards.0.len());
        for (text, span, guarded) in &guards.0 {
            // No further finding is reported.
            if sink.is_full() {
                break;
            }
            let parts = guarded.as_deref().unwrap_or_default();
            let before = sink.len();
            let one: Result<Vec<_>, _> = parts.iter().map(GuardedPart::compiled).collect();
            match &one {
                Ok(parts) => report_undefined(parts, *span, known, sink),
                Err(fault) => sink.report(syntax_fault(cx, text, *span, fault)),
            }
            let is_sound = guarded.is_some() && sink.len() == before;
            compiled.push(one.ok().filter(|_| is_sound).map(Compiled));
        }
        Self { compiled }
    }

    /// Leaves out the expressions with the variables of `expand`.
    pub(super) fn without_instances(&mut self) {
        for compiled in &mut self.compiled {
            let is_of_expand = |it: String| !matches!(first(&it), "values" | "environment");
            if compiled.as_ref().is_some_and(|compiled| compiled.names().any(is_of_expand)) {
                *compiled = None;
            }
        }
    }

    /// The tree with the values of its expressions in one context, and the failed ones. Expressions
    /// with a fault are left as they are.
    pub(super) fn apply(
        &self,
        root: &Node,
        context: &Jinja,
        fuel: &Fuel<'_>,
    ) -> (Node, Vec<Fault>) {
        let compiled = self.compiled.iter();
        let mut evaluation = Evaluation { context, compiled, fuel, faults: Vec::new() };
        let node = evaluation.apply(root);
        (node, evaluation.faults)
    }
}

/// The evaluation of the expressions of one instance.
struct Evaluation<'e, 'p> {
    context: &'e Jinja,
    /// The next expressions of the walk.
    compiled: std::slice::Iter<'e, Option<Compiled<'p>>>,
    fuel: &'e Fuel<'e>,
    faults: Vec<Fault>,
}

impl Evaluation<'_, '_> {
    /// The node with the values of its expressions, which are the next ones.
    fn apply(&mut self, node: &Node) -> Node {
        let value = match &node.value {
            Value::String(text) if is_expression(text) => return self.evaluated(node),
            Value::List(items) => Value::List(items.iter().map(|item| self.apply(item)).collect()),
            Value::Map(map) => {
                let mut entries = ThinVec::with_capacity(map.entries().len());
                for Entry { key, value } in map.entries() {
                    let value = self.apply(value);
                    entries.push(Entry { key: key.clone(), value });
                }
                Value::Map(entries.into())
            }
            other => other.clone(),
        };
        node.with_value(value)
    }

    fn evaluated(&mut self, node: &Node) -> Node {
        let compiled = self.compiled.next().and_then(Option::as_ref);
        let is_stopped = self.faults.last().is_some_and(|it| is_out_of_fuel(&it.error));
        let Some(compiled) = compiled.filter(|_| !is_stopped) else { return node.clone() };
        compiled.run(self.context, node, self.fuel).unwrap_or_else(|fault| {
            self.faults.push(fault);
            node.clone()
        })
    }
}

/// The variable at the start of a path.
fn first(path: &str) -> &str {
    path.split_once('.').map_or(path, |(variable, _)| variable)
}

impl Compiled<'_> {
    /// The value of the string in a context.
    fn run(&self, context: &Jinja, node: &Node, fuel: &Fuel<'_>) -> Result<Node, Fault> {
        let span = node.span();
        let node = match self.0.as_slice() {
            [CompiledPart::Value(value)] => {
                let tree = |value| tree_of(&value, node.origin());
                value.evaluate(context, fuel, tree).map_err(|error| value.fault(span, error))?
            }
            parts => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        CompiledPart::Text(part) => text.push_str(part),
                        CompiledPart::Value(value) => {
                            let written = value.evaluate(context, fuel, written);
                            text.push_str(&written.map_err(|error| value.fault(span, error))?);
                        }
                    }
                }
                Node::string(text, node.origin())
            }
        };
        // The result is kept to the end of the run.
        if fuel.make(node.weight()) {
            return Ok(node);
        }
        Err(Fault { span, error: out_of_fuel(), source: String::new() })
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|part| match part {
            CompiledPart::Text(_) => Vec::new(),
            CompiledPart::Value(value) => names(&value.expression),
        })
    }
}

/// The paths of the variables of an expression, in any order.
fn names(expression: &Expression<'_, '_>) -> Vec<String> {
    expression.undeclared_variables(true).into_iter().collect()
}

impl CompiledValue<'_> {
    /// The value in a context, in another form.
    fn evaluate<T>(
        &self,
        context: &Jinja,
        fuel: &Fuel<'_>,
        form: impl FnOnce(Jinja) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if !fuel.spend(self.source.len().saturating_mul(OF_BYTE)) {
            return Err(out_of_fuel());
        }
        with_fuel(fuel, self.guarded.operators, || {
            let value = self.expression.eval(context)?;
            measure(&value)?;
            // Only `a if b` without an `else` can have no value.
            if value.is_undefined() {
                written(value.clone())?;
            }
            form(value)
        })
    }

    fn fault(&self, span: Span, error: Error) -> Fault {
        Fault { span, error, source: self.source.trim().to_owned() }
    }
}

/// The value of an expression as text.
fn written(value: Jinja) -> Result<String, Error> {
    ENVIRONMENT.empty_state().format(value)
}

/// The value of an expression as a tree.
pub(super) fn tree_of(value: &Jinja, origin: Origin) -> Result<Node, Error> {
    // JSON has a form for more values: keys of maps that are not strings, bytes, large integers.
    Node::from_serde(value, origin).or_else(|_| {
        let json = serde_json::to_value(value)
            .map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?;
        Ok(Node::from_json(json, origin))
    })
}

impl Fault {
    /// Reports the fault of one instance.
    pub(super) fn report(self, variables: &Variables, known: &Known<'_>, sink: &mut Sink) {
        let words = words(&self.error);
        let mut diagnostic = match (self.error.kind(), failing(&self.error, &self.source)) {
            (ErrorKind::UndefinedError, Some(name)) => Undefined::of(&name, known).map_or_else(
                || {
                    Diagnostic::new(
                        &EXPRESSION_UNDEFINED,
                        self.span,
                        message!("undefined name `{name}` in an expression"),
                    )
                    .about(About::UndefinedName)
                },
                |it| it.finding(self.span, known, sink.is_terse()),
            ),
            (ErrorKind::UndefinedError, None) => Diagnostic::new(
                &EXPRESSION_UNDEFINED,
                self.span,
                "expression fails: an undefined name",
            ),
            _ if is_out_of_fuel(&self.error) => {
                Diagnostic::new(&TOO_MUCH_WORK, self.span, TOO_MANY_STEPS)
                    .help("use smaller values; to create many definitions from one, use `expand`")
            }
            _ => unknown_filter(&self.error, self.span, known.texts).unwrap_or_else(|| {
                Diagnostic::new(
                    &EXPRESSION_FAILED,
                    self.span,
                    message!("expression fails: {words}"),
                )
            }),
        };
        if let Some(instance) = variables.describe() {
            diagnostic = diagnostic.note(instance);
        }
        sink.report(diagnostic);
    }
}

/// A filter that does not exist, and those that do.
fn unknown_filter(error: &Error, span: Span, texts: &Workspace) -> Option<Diagnostic> {
    let detail = error.detail().filter(|_| error.kind() == ErrorKind::UnknownFilter)?;
    let name = detail.strip_prefix("filter ")?.strip_suffix(" is unknown")?;
    let known = filters();
    let names = known.iter().map(|it| message!("`{}`", Words(it)));
    let message = message!("unknown filter `{name}` in an expression");
    let finding = Diagnostic::new(&EXPRESSION_FAILED, span, message);
    Some(
        corrected(finding, word(texts, span, name), name, known.iter().copied())
            .note(message!("filters: {}", Message::joined(names, ", "))),
    )
}

fn collect<'p>(node: &'p Node, scalars: &mut Vec<(&'p str, Span)>) {
    match &node.value {
        Value::String(text) if is_expression(text) => scalars.push((text, node.span())),
        Value::List(items) => items.iter().for_each(|item| collect(item, scalars)),
        Value::Map(map) => map.entries().iter().for_each(|entry| collect(&entry.value, scalars)),
        _ => {}
    }
}

/// The longest string, in bytes, for which a replacement is shown.
pub(super) const LONGEST_SHOWN: usize = 200;

/// A syntax error, with its position in the string.
struct SyntaxFault {
    words: String,
    range: Option<Range<usize>>,
}

impl<'p> GuardedPart<'p> {
    fn compiled(&'p self) -> Result<CompiledPart<'p>, SyntaxFault> {
        let (code, guarded) = match self {
            Self::Text(text) => return Ok(CompiledPart::Text(text)),
            Self::Expression(code, guarded) => (code, guarded),
        };
        let source = code.source;
        let end = code.start + source.len();
        match ENVIRONMENT.compile_expression(&guarded.text) {
            Ok(expression) if code.end.is_some() => {
                Ok(CompiledPart::Value(CompiledValue { expression, guarded, source }))
            }
            Ok(_) => Err(SyntaxFault { words: "missing `}}`".to_owned(), range: Some(end..end) }),
            Err(error) => {
                // The position is that in the source, without guards.
                let written = ENVIRONMENT.compile_expression(source).err();
                let range = written.as_ref().and_then(Error::range);
                let range = range.map(|range| code.start + range.start..code.start + range.end);
                Err(SyntaxFault { words: words(&written.unwrap_or(error)), range })
            }
        }
    }
}

/// Reports each undefined name of a string before the evaluation, once.
fn report_undefined(parts: &[CompiledPart<'_>], span: Span, known: &Known<'_>, sink: &mut Sink) {
    let mut undefined = SortedSet::new();
    for part in parts {
        let CompiledPart::Value(value) = part else { continue };
        let is_optional = |path: &str| value.guarded.optional.contains(path);
        let is_missing = |name: &String| {
            known.is_sure(first(name))
                && Undefined::of(name, known).is_some_and(|undefined| !is_optional(&undefined.path))
        };
        undefined.extend(names(&value.expression).into_iter().filter(is_missing));
    }
    // The search for a similar name takes longer than all others.
    for found in undefined.iter().filter_map(|name| Undefined::of(name, known)) {
        sink.report(found.finding(span, known, sink.is_terse()));
    }
}

/// A path such as `values.team.name` up to its first undefined key.
struct Undefined<'n> {
    path: String,
    /// The variable, and the keys below it that are defined.
    above: Option<(&'n str, Vec<&'n str>)>,
    step: &'n str,
}

impl<'n> Undefined<'n> {
    /// Returns `None` if the path is defined, or if that is not known.
    fn of(path: &'n str, known: &Known<'_>) -> Option<Self> {
        let steps: Vec<_> = path.split('.').collect();
        let [first, below @ ..] = steps.as_slice() else { return None };
        if ENVIRONMENT.globals().any(|(name, _)| name == *first) {
            return None;
        }
        if !known.names().contains(first) {
            return Some(Self { path: (*first).to_owned(), above: None, step: first });
        }
        let at = known.first_undefined(first, below)?;
        let path = steps.slice(..at + 2).join(".");
        let above = below.get(..at)?.to_vec();
        Some(Self { path, above: Some((first, above)), step: below.get(at)? })
    }

    fn finding(&self, span: Span, known: &Known<'_>, is_terse: bool) -> Diagnostic {
        let Self { path, above, step } = self;
        let place =
            || word(known.texts, span, path).map(|it| it.part(path.len() - step.len()..path.len()));
        let finding = undefined(path, step, span);
        match above {
            None if path == "environment" => finding
                .note("the run has no environment")
                .help("select one: `--environment NAME`, or all of them: `--all-environments`"),
            None => with_names(finding, place(), step, known.names().into_iter()),
            Some(_) if is_terse => finding,
            Some((variable, above)) => {
                with_names(finding, place(), step, known.keys(variable, above))
            }
        }
    }
}

fn undefined(full: &str, step: &str, span: Span) -> Diagnostic {
    let message = message!("undefined name `{full}` in an expression");
    Diagnostic::new(&EXPRESSION_UNDEFINED, span, message)
        .at(message!("`{step}` is not defined"))
        .about(About::UndefinedName)
}

/// Adds the names that are defined instead.
fn with_names<'n>(
    finding: Diagnostic,
    place: Option<Span>,
    step: &str,
    names: impl ExactSizeIterator<Item = &'n str> + Clone,
) -> Diagnostic {
    if names.len() == 0 {
        return finding.note("the Project defines no values under this name");
    }
    let finding = corrected(finding, place, step, names.clone());
    finding.note(message!("defined names: {}", listed(names)))
}

/// Adds the nearest candidate, as an edit if the place of the name is known.
fn corrected<'n>(
    finding: Diagnostic,
    place: Option<Span>,
    name: &str,
    candidates: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    match place {
        Some(place) => finding.suggest_near(place, name, candidates),
        None => finding.help_if(did_you_mean(name, candidates)),
    }
}

/// The place of a name in the source of a scalar, if it occurs there exactly once.
fn word(texts: &Workspace, span: Span, name: &str) -> Option<Span> {
    // A scalar can contain thousands of names.
    const LONGEST: usize = 4_000;
    let source = Some(texts.slice(span)).filter(|it| it.len() <= LONGEST)?;
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | '\'' | '"' | '-');
    let is_whole = |at: &usize| {
        let before = source.get(..*at).and_then(|it| it.chars().next_back());
        let after = source.get(at + name.len()..).and_then(|it| it.chars().next());
        // The quotes around the whole scalar are next to braces.
        !before.is_some_and(is_part) && !after.is_some_and(|it| is_part(it) && it != '.')
    };
    let mut places = source.match_indices(name).map(|(at, _)| at).filter(is_whole);
    let at = places.next().filter(|_| !name.is_empty() && places.next().is_none())?;
    Some(span.part(at..at + name.len()))
}

/// The fault at its position in the scalar, if the scalar's source equals its value.
fn syntax_fault(
    cx: &ExpressionContext<'_>,
    text: &str,
    span: Span,
    fault: &SyntaxFault,
) -> Diagnostic {
    let inside_text = fault.range.clone().and_then(|range| inside(cx, text, span, range));
    let finding = Diagnostic::new(
        &EXPRESSION_SYNTAX,
        inside_text.unwrap_or(span),
        message!("invalid expression: {}", fault.words),
    );
    if let Some(repaired) = without_leading_dots(text) {
        let finding = finding.note("expressions are Jinja, not the Go templates of Helm");
        let help = message!("write `{repaired}`");
        return finding.suggest_or_help(inside(cx, text, span, 0..text.len()), repaired, help);
    }
    if let Some((at, whole)) = missing_brace(text) {
        let help = message!("add `}}`: `{whole}`");
        return finding.suggest_or_help(inside(cx, text, span, at..at), "}", help);
    }
    finding.help("to keep the braces, write `{% raw %}...{% endraw %}` around them")
}

/// The offset at which the second brace of an expression is missing, and the whole expression.
fn missing_brace(text: &str) -> Option<(usize, String)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find("{{")?;
        let rest = text.get(start..)?;
        let inner = rest.get(2..)?;
        let end = inner.find(['{', '}'])?;
        let closing = inner.get(end..)?;
        if closing.starts_with("}}") {
            from = start + 2 + end + 2;
            continue;
        }
        let expression = inner.get(..end)?;
        let is_whole = closing.starts_with('}') && !expression.trim().is_empty();
        let shown = format!("{{{{{expression}}}}}");
        return (is_whole && shown.len() <= LONGEST_SHOWN).then_some((start + 2 + end + 1, shown));
    }
}

/// `{{ .Values.tag }}` as `{{ values.tag }}`, where all names of Helm in a text are values.
fn without_leading_dots(text: &str) -> Option<String> {
    let repaired = text.replace(" .Values.", " values.").replace("{{.Values.", "{{values.");
    let repaired = repaired.replace("{{-.Values.", "{{-values.");
    let has_others = repaired.contains(" .") || repaired.contains("{{.");
    (repaired != text && !has_others && text.len() <= LONGEST_SHOWN).then_some(repaired)
}

/// A scalar that is rejected before it is compiled.
fn refused_fault(
    cx: &ExpressionContext<'_>,
    text: &str,
    span: Span,
    refused: &Refused,
) -> Diagnostic {
    let Refused { rule, at, message } = refused;
    let place = |range| inside(cx, text, span, range);
    let finding = Diagnostic::new(rule, place(at.clone()).unwrap_or(span), message.clone());
    if *rule != &EXPRESSION_STATEMENT {
        return finding;
    }
    let quote = if cx.workspace.slice(span).starts_with('\'') { '"' } else { '\'' };
    statements::advise(finding, text, at, quote, place)
}

/// The span of a part of a scalar, if the scalar's source equals its value.
fn inside(cx: &ExpressionContext<'_>, text: &str, span: Span, range: Range<usize>) -> Option<Span> {
    let at = cx.workspace.slice(span).find(text)?;
    // minijinja reports the first byte of an unexpected character.
    let start = text.floor_char_boundary(range.start);
    let end = text.ceil_char_boundary(range.end.max(start));
    Some(span.part(at + start..at + end))
}

/// The name that is undefined: the part of the expression that failed, without its guards, or all of it.
fn failing(error: &Error, source: &str) -> Option<String> {
    let part = error.range().and_then(|range| error.template_source()?.get(range));
    let part = part.unwrap_or(source).trim().replace(VALUE_GUARD, "").replace(NUMBER_GUARD, "");
    let is_path = |it: &str| it.chars().all(|c| c.is_alphanumeric() || "_.[]'\"".contains(c));
    (!part.is_empty() && is_path(&part)).then_some(part)
}

fn words(error: &Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned)
}
