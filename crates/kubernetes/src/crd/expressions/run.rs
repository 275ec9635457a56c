//! Evaluates the rules of a definition on an object.

use std::borrow::Cow;

use lean_string::LeanStr;

use super::{Expressions, Rule, SchemaRules};
use crate::cel::{Old, Run, Stop};
use crate::kube::sample_name;
use crate::limits::Fuel;
use crate::source::Span;
use crate::tree::{Node, Path, Value};

/// The cost limit of all rules of one object, in the units of the API server.
const BUDGET: u64 = 10_000_000;

/// The longest message that a `messageExpression` may produce, in bytes.
const LONGEST_MESSAGE: usize = 5 * 1024;

/// A rule that an object violates.
#[derive(Debug)]
pub struct Finding<'e> {
    /// The rule.
    pub rule: &'e Rule,
    /// The span of the value in the object.
    pub span: Span,
    /// The path of the value: `spec.size`.
    pub path: String,
    /// The kind of violation.
    pub breach: Breach,
}

/// The kind of a violation.
#[derive(Debug)]
pub enum Breach {
    /// The rule is false; with the message of its author, if any.
    False(Option<LeanStr>),
    /// The evaluation fails for this object, which counts as a violation.
    NoValue(String),
    /// The rules up to here exceed the cost limit; the API server runs no further ones.
    TooLong,
    /// The rule uses a feature that is not implemented here, so it may be satisfied.
    NotChecked(String),
}

impl Expressions {
    /// Runs all rules on the creation of `object`.
    pub fn run<'e>(
        &'e self,
        object: &Node,
        document: Span,
        fuel: &Fuel<'_>,
        found: &mut dyn FnMut(Finding<'e>),
    ) {
        let mut object = Cow::Borrowed(object);
        if let Some(defaults) = &self.defaults
            && defaults.fill(object.to_mut(), fuel).is_none()
        {
            return;
        }
        if self.has_status && object.get("status").is_some() {
            object.to_mut().as_map_mut().and_then(|map| map.remove("status"));
        }
        generate_name(&mut object);
        let span = object.span();
        let mut runner = Runner::new(document, fuel, found);
        runner.place(&self.root, &object, None, span, &Path::root());
    }

    /// Runs the rules that use `oldSelf` on an update, for the values that both forms of the object
    /// have. The status stays if it is a subresource.
    pub fn run_update<'e>(
        &'e self,
        old: &Node,
        new: &Node,
        document: Span,
        fuel: &Fuel<'_>,
        found: &mut dyn FnMut(Finding<'e>),
    ) {
        let mut stored = Cow::Borrowed(new);
        if self.has_status {
            if let Some(map) = stored.to_mut().as_map_mut() {
                map.remove("status");
            }
            stored.to_mut().set_some("status", old.get("status").cloned());
        }
        let span = stored.span();
        let mut runner = Runner { is_update: true, ..Runner::new(document, fuel, found) };
        runner.place(&self.root, &stored, Some(old), span, &Path::root());
    }
}

impl SchemaRules {
    /// The stored item with the keys of a new one; `None` if the items of the list are not matched.
    fn matching<'n>(&self, olds: &'n Node, item: &Node) -> Option<&'n Node> {
        let is_same = |key: &LeanStr, old: &Node| match (old.get(key), item.get(key)) {
            (Some(old), Some(new)) => old.same_value(new),
            (None, None) => true,
            _ => false,
        };
        let has_keys = !self.list_keys.is_empty();
        olds.items()
            .iter()
            .find(|old| has_keys && self.list_keys.iter().all(|key| is_same(key, old)))
    }

    /// Runs the rules from here on for a value that is not the whole object.
    pub fn run<'e>(
        &'e self,
        node: &Node,
        path: &Path<'_>,
        fuel: &Fuel<'_>,
        found: &mut dyn FnMut(Finding<'e>),
    ) {
        let document = node.span();
        Runner::new(document, fuel, found).place(self, node, None, document, path);
    }
}

/// The API server generates the name before the rules run: `generateName` and five characters.
fn generate_name(object: &mut Cow<'_, Node>) {
    let Some(metadata) = object.get("metadata").filter(|metadata| metadata.get("name").is_none())
    else {
        return;
    };
    let Some(prefix) = metadata.str_at(&["generateName"]).filter(|prefix| !prefix.is_empty())
    else {
        return;
    };
    let name = Node::string(sample_name(prefix), metadata.origin());
    if let Some(metadata) = object.to_mut().get_mut("metadata") {
        metadata.set("name", name);
    }
}

struct Runner<'r, 'e> {
    document: Span,
    budget: u64,
    fuel: &'r Fuel<'r>,
    is_over: bool,
    /// Whether only rules run that compare a value with the stored one.
    is_update: bool,
    found: &'r mut dyn FnMut(Finding<'e>),
}

impl<'r, 'e> Runner<'r, 'e> {
    fn new(document: Span, fuel: &'r Fuel<'r>, found: &'r mut dyn FnMut(Finding<'e>)) -> Self {
        Self { document, budget: BUDGET, fuel, is_over: false, is_update: false, found }
    }

    /// Runs the rules of a schema on a value and the stored one that matches it; `above` is the nearest
    /// enclosing value that the author wrote.
    fn place(
        &mut self,
        place: &'e SchemaRules,
        node: &Node,
        old: Option<&Node>,
        above: Span,
        path: &Path<'_>,
    ) {
        let old = old.filter(|old| !old.is_null());
        if node.is_null() || self.is_over || self.is_update && old.is_none() {
            return;
        }
        let span = self.written(node).unwrap_or(above);
        for rule in &place.rules {
            self.rule(rule, place, node, old, span, path);
            if self.is_over {
                return;
            }
        }
        match &node.value {
            Value::Map(map) => {
                for entry in map.entries() {
                    let (below, path) = match place.property(&entry.key) {
                        Some(below) => (below, path.field(&entry.key)),
                        None => match place.values() {
                            Some(below) => (below, path.key(&entry.key)),
                            None => continue,
                        },
                    };
                    let old = old.and_then(|it| it.get(&entry.key));
                    self.place(below, &entry.value, old, span, &path);
                }
            }
            Value::List(items) => {
                let Some(below) = place.items() else { return };
                for (index, item) in items.iter().enumerate() {
                    let old = old.and_then(|stored| place.matching(stored, item));
                    self.place(below, item, old, span, &path.index(index));
                }
            }
            _ => {}
        }
    }

    /// The span of a value, if the author wrote it; `None` for a default.
    fn written(&self, node: &Node) -> Option<Span> {
        Some(node.span()).filter(|place| self.document.contains(*place))
    }

    fn rule(
        &mut self,
        rule: &'e Rule,
        place: &'e SchemaRules,
        node: &Node,
        old: Option<&Node>,
        span: Span,
        path: &Path<'_>,
    ) {
        let (Some(Ok(program)), Some(shape)) = (&rule.program, &place.shape) else { return };
        let is_wanted =
            if self.is_update { program.uses_old } else { !program.uses_old || rule.is_optional };
        if !is_wanted {
            return;
        }
        let old = match old {
            None => Old::None,
            Some(old) if rule.is_optional => Old::Optional(old),
            Some(old) => Old::Value(old),
        };
        let breach = match program.run(node, old, shape, &mut self.budget, self.fuel) {
            Ok(Run::Holds(true)) => return,
            Ok(_) => Breach::False(self.message(rule, place, node, old)),
            Err(Stop::Error(message)) => Breach::NoValue(message),
            Err(Stop::Unsupported(what)) => Breach::NotChecked(what),
            Err(Stop::Exhausted) => {
                self.is_over = true;
                if self.fuel.is_out() {
                    return;
                }
                Breach::TooLong
            }
        };
        let (mut blamed, mut path) = (node, path.to_string());
        for name in &rule.field_path {
            path.push('.');
            path.push_str(name);
            let below = blamed.get(name).filter(|field| self.written(field).is_some());
            blamed = below.unwrap_or(blamed);
        }
        let span = self.written(blamed).unwrap_or(span);
        (self.found)(Finding { rule, span, path, breach });
    }

    /// The message for a violated rule: the value of its message expression if that is one line,
    /// else its `message`.
    fn message(
        &mut self,
        rule: &Rule,
        place: &SchemaRules,
        node: &Node,
        old: Old<'_>,
    ) -> Option<LeanStr> {
        let shape = place.shape.as_ref()?;
        if let Some(Ok(program)) = &rule.message_program
            && let Ok(Run::Message(message)) =
                program.run(node, old, shape, &mut self.budget, self.fuel)
        {
            let line = message.trim();
            if !line.is_empty() && line.len() <= LONGEST_MESSAGE && !line.contains('\n') {
                return Some(line.into());
            }
        }
        rule.message.clone()
    }
}
