//! Expressions in string scalars: found, compiled once per document, evaluated once per instance.

use std::io::{self, Write};
use std::ops::Range;

use minijinja::{Error, ErrorKind, Expression, Template, Value as Jinja};
use thin_vec::ThinVec;

use super::Cx;
use super::environment::{ENVIRONMENT, INSTRUCTIONS, filters};
use super::guard::{Guarded, NUMBER_GUARD, Optional, Refused, VALUE_GUARD, guard};
use super::instances::{Known, Variables};
use super::meter::{is_out_of_fuel, measure, out_of_fuel, spend_text, with_fuel};
use crate::diag::{
    About, Diagnostic, Message, Sink, TOO_MUCH_WORK, Words, declare_rules, did_you_mean, listed,
    message,
};
use crate::limits::Fuel;
use crate::source::{Slice as _, Span, Workspace};
use crate::tree::{Entry, Node, Origin, Value};

declare_rules! {
    EXPRESSION_SYNTAX = "expression-syntax", Error;
    EXPRESSION_UNDEFINED = "expression-undefined", Error, follows = [Project, Misplaced];
    EXPRESSION_FAILED = "expression-failed", Error;
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

pub(super) fn is_expression(text: &str) -> bool {
    // Most strings are so short that the start of a search takes longer.
    text.as_bytes().contains(&b'{')
        && memchr::memchr_iter(b'{', text.as_bytes())
            .any(|at| matches!(text.as_bytes().get(at + 1), Some(b'{' | b'%' | b'#')))
}

/// The strings with expressions of one document, in the order of a walk over it, each with its guards.
/// Those with a fault have none.
pub(super) struct Guards<'p>(Vec<(&'p str, Span, Option<Guarded>)>);

impl<'p> Guards<'p> {
    /// Reports the strings with faults.
    pub(super) fn new(cx: &Cx<'_>, root: &'p Node, sink: &mut Sink) -> Self {
        let mut scalars = Vec::new();
        collect(root, &mut scalars);
        let guarded = scalars.into_iter().map(|(text, span)| {
            let guarded = guard(text);
            let fault = |refused| sink.report(refused_fault(cx, text, span, &refused));
            (text, span, guarded.map_err(fault).ok())
        });
        Self(guarded.collect())
    }
}

/// The steps of the compilation of a string, which takes some kilobytes.
const OF_STRING: usize = 2_000;
/// The steps of an instruction.
const OF_INSTRUCTION: usize = 2;
const TOO_MANY_STEPS: &str = "the expressions of the definition take too many steps";

/// One scalar with expressions, compiled.
enum Compiled<'p> {
    /// The scalar is a single expression and has the type of its value.
    Whole(Expression<'p, 'p>),
    /// A string that contains expressions.
    Text(Template<'p, 'p>),
}

/// The compiled scalars of one document, in the order of a walk over it; `None` for those with a fault.
pub(super) struct Plan<'p> {
    compiled: Vec<Option<Compiled<'p>>>,
}

/// A failed evaluation.
pub(super) struct Fault {
    span: Span,
    error: Error,
}

impl<'p> Plan<'p> {
    /// Compiles all expressions of a tree, and reports those with faults.
    pub(super) fn new(
        cx: &Cx<'_>,
        guards: &'p Guards<'_>,
        known: &Known<'_>,
        fuel: &Fuel<'_>,
        sink: &mut Sink,
    ) -> Self {
        let mut compiled = Vec::with_capacity(guards.0.len());
        for (text, span, guarded) in &guards.0 {
            // No further finding is reported.
            if sink.is_full() {
                break;
            }
            if !fuel.spend(OF_STRING) {
                sink.report(Diagnostic::new(&TOO_MUCH_WORK, *span, TOO_MANY_STEPS));
                break;
            }
            let before = sink.len();
            let one = guarded.as_ref().and_then(|guarded| match compile(text, guarded) {
                Ok(one) => {
                    report_undefined(&one, &guarded.optional, *span, known, sink);
                    Some(one)
                }
                Err(error) => {
                    sink.report(syntax_fault(cx, text, *span, guarded, &error));
                    None
                }
            });
            compiled.push(one.filter(|_| sink.len() == before));
        }
        Self { compiled }
    }

    /// Leaves out the expressions with the variables of `expand`.
    pub(super) fn without_instances(&mut self) {
        for compiled in &mut self.compiled {
            let is_of_expand = |it: &String| !matches!(first(it), "values" | "environment");
            if compiled.as_ref().is_some_and(|it| it.names().iter().any(is_of_expand)) {
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
        compiled.run(self.context, node, self.fuel).unwrap_or_else(|error| {
            self.faults.push(Fault { span: node.span(), error });
            node.clone()
        })
    }
}

/// The variable at the start of a path.
fn first(path: &str) -> &str {
    path.split_once('.').map_or(path, |(variable, _)| variable)
}

impl Compiled<'_> {
    fn run(&self, context: &Jinja, node: &Node, fuel: &Fuel<'_>) -> Result<Node, Error> {
        let result = with_fuel(fuel, || match self {
            Self::Whole(expression) => {
                let value = expression.eval(context)?;
                if value.is_undefined() {
                    required(node, context)?;
                }
                measure(&value)?;
                Ok((tree_of(&value, node.origin())?, 0))
            }
            Self::Text(template) => {
                let mut written = Written::default();
                let run = template.render_captured_to(context, &mut written);
                let used = run.map(|it| it.state().fuel_levels().map_or(0, |(used, _)| used));
                if written.is_out_of_fuel {
                    return Err(out_of_fuel());
                }
                let text = String::from_utf8_lossy(&written.bytes).into_owned();
                Ok((Node::string(text, node.origin()), used?))
            }
        });
        // A failed evaluation does not tell how many instructions it executed.
        let text = node.as_str().unwrap_or("");
        let instructions = result.as_ref().map_or_else(|_| most_instructions(text), |it| it.1);
        let steps = usize::try_from(instructions).unwrap_or(usize::MAX);
        let has_fuel = fuel.spend(steps.saturating_mul(OF_INSTRUCTION));
        let (node, _) = result?;
        // The result is kept to the end of the run.
        if has_fuel && fuel.make(node.weight()) { Ok(node) } else { Err(out_of_fuel()) }
    }

    fn names(&self) -> std::collections::BTreeSet<String> {
        let names = match self {
            Self::Whole(expression) => expression.undeclared_variables(true),
            Self::Text(template) => template.undeclared_variables(true),
        };
        names.into_iter().collect()
    }
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
        let mut diagnostic = match (self.error.kind(), failing(&self.error)) {
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
                    .help("shorten the loops; to create many definitions from one, use `expand`")
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

/// The number of instructions that an evaluation can execute, by its text.
fn most_instructions(text: &str) -> u64 {
    if text.contains("for") {
        return INSTRUCTIONS;
    }
    u64::try_from(text.len()).map_or(INSTRUCTIONS, |length| length.min(INSTRUCTIONS))
}

fn collect<'p>(node: &'p Node, scalars: &mut Vec<(&'p str, Span)>) {
    match &node.value {
        Value::String(text) if is_expression(text) => scalars.push((text, node.span())),
        Value::List(items) => items.iter().for_each(|item| collect(item, scalars)),
        Value::Map(map) => map.entries().iter().for_each(|entry| collect(&entry.value, scalars)),
        _ => {}
    }
}

fn compile<'p>(text: &str, guarded: &'p Guarded) -> Result<Compiled<'p>, Error> {
    // An end marker inside means a second expression; minijinja's lexer for bare expressions must
    // not see one.
    let is_whole = text
        .strip_prefix("{{")
        .and_then(|rest| rest.strip_suffix("}}"))
        .is_some_and(|inner| !inner.contains("}}") && !inner.contains("%}"));
    let inner = guarded.text.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
    if let Some(inner) = inner.filter(|_| is_whole)
        && let Ok(expression) = ENVIRONMENT.compile_expression(inner)
    {
        return Ok(Compiled::Whole(expression));
    }
    ENVIRONMENT.template_from_str(&guarded.text).map(Compiled::Text)
}

/// Reports each undefined name of an expression before the evaluation.
fn report_undefined(
    compiled: &Compiled<'_>,
    optional: &Optional,
    span: Span,
    known: &Known<'_>,
    sink: &mut Sink,
) {
    for name in compiled.names() {
        if !known.is_sure(first(&name)) {
            continue;
        }
        // The search for a similar name takes longer than all others.
        if let Some(undefined) =
            Undefined::of(&name, known).filter(|it| !optional.contains(&it.path))
        {
            sink.report(undefined.finding(span, known, sink.is_terse()));
        }
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
    cx: &Cx<'_>,
    text: &str,
    span: Span,
    guarded: &Guarded,
    error: &Error,
) -> Diagnostic {
    let range = error.range().map(|it| guarded.original(it.start)..guarded.original(it.end));
    let inside_text = range.and_then(|range| inside(cx, text, span, range));
    let finding = Diagnostic::new(
        &EXPRESSION_SYNTAX,
        inside_text.unwrap_or(span),
        message!("invalid expression: {}", words(error)),
    );
    if let Some(repaired) = without_leading_dots(text) {
        let finding = finding.note("expressions are Jinja, not the Go templates of Helm");
        return match inside(cx, text, span, 0..text.len()) {
            Some(place) => finding.suggest(place, repaired.clone(), message!("write `{repaired}`")),
            None => finding.help(message!("write `{repaired}`")),
        };
    }
    if let Some((at, whole)) = missing_brace(text) {
        let help = message!("add `}}`: `{whole}`");
        return match inside(cx, text, span, at..at) {
            Some(place) => finding.suggest(place, "}", help),
            None => finding.help(help),
        };
    }
    finding.help("to keep the braces, write `{% raw %}...{% endraw %}` around them")
}

/// The offset at which the second brace of an expression is missing, and the whole expression.
fn missing_brace(text: &str) -> Option<(usize, String)> {
    const LONGEST_SHOWN: usize = 200;
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
    const LONGEST_SHOWN: usize = 200;
    let repaired = text.replace(" .Values.", " values.").replace("{{.Values.", "{{values.");
    let repaired = repaired.replace("{{-.Values.", "{{-values.");
    let has_others = repaired.contains(" .") || repaired.contains("{{.");
    (repaired != text && !has_others && text.len() <= LONGEST_SHOWN).then_some(repaired)
}

/// A scalar that is rejected before it is compiled.
fn refused_fault(cx: &Cx<'_>, text: &str, span: Span, refused: &Refused) -> Diagnostic {
    let Refused { at, message, is_limit } = refused;
    let rule = if *is_limit { &EXPRESSION_TOO_LARGE } else { &EXPRESSION_SYNTAX };
    let place = inside(cx, text, span, at.clone()).unwrap_or(span);
    Diagnostic::new(rule, place, message.clone())
}

/// The span of a part of a scalar, if the scalar's source equals its value.
fn inside(cx: &Cx<'_>, text: &str, span: Span, range: Range<usize>) -> Option<Span> {
    let at = cx.workspace.slice(span).find(text)?;
    // minijinja reports the first byte of an unexpected character.
    let start = text.floor_char_boundary(range.start);
    let end = text.ceil_char_boundary(range.end.max(start));
    Some(span.part(at + start..at + end))
}

/// The part of the expression that failed, without its guards.
fn failing(error: &Error) -> Option<String> {
    let part = error.template_source()?.get(error.range()?)?.trim();
    let part = part.replace(VALUE_GUARD, "").replace(NUMBER_GUARD, "");
    let is_path = |it: &str| it.chars().all(|c| c.is_alphanumeric() || "_.[]'\"".contains(c));
    (!part.is_empty() && is_path(&part)).then_some(part)
}

/// Fails unless the undefined value of the scalar, a single expression, is intended: `a if b`
/// without an `else`.
fn required(node: &Node, context: &Jinja) -> Result<(), Error> {
    let Some(text) = node.as_str() else { return Ok(()) };
    ENVIRONMENT.render_str(text, context).map(|_| ())
}

/// The output of a template.
#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    is_out_of_fuel: bool,
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if spend_text(bytes.len()).is_err() {
            self.is_out_of_fuel = true;
            return Err(io::Error::other("out of fuel"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn words(error: &Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), ToOwned::to_owned)
}
