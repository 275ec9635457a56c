//! Evaluates the rules of a definition on a new object.

use std::borrow::Cow;

use lean_string::LeanStr;

use super::{Expressions, Place, Rule};
use crate::cel::{Run, Stop};
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
        name(&mut object);
        let span = object.span();
        let mut runner = Runner { document, budget: BUDGET, fuel, is_over: false, found };
        runner.place(&self.root, &object, span, &Path::root());
    }
}

impl Place {
    /// Runs the rules from here on for a value that is not the whole object.
    pub fn run<'e>(
        &'e self,
        node: &Node,
        path: &Path<'_>,
        fuel: &Fuel<'_>,
        found: &mut dyn FnMut(Finding<'e>),
    ) {
        let document = node.span();
        let mut runner = Runner { document, budget: BUDGET, fuel, is_over: false, found };
        runner.place(self, node, node.span(), path);
    }
}

/// The API server generates the name before the rules run: `generateName` and five characters.
fn name(object: &mut Cow<'_, Node>) {
    let Some(metadata) = object.get("metadata").filter(|it| it.get("name").is_none()) else {
        return;
    };
    let Some(prefix) = metadata.str_at(&["generateName"]).filter(|it| !it.is_empty()) else {
        return;
    };
    let name = Node::string(sample_name(prefix), metadata.origin());
    let metadata = object.to_mut().get_mut("metadata");
    if let Some(metadata) = metadata {
        metadata.set("name", name);
    }
}

struct Runner<'r, 'e> {
    document: Span,
    budget: u64,
    fuel: &'r Fuel<'r>,
    is_over: bool,
    found: &'r mut dyn FnMut(Finding<'e>),
}

impl<'e> Runner<'_, 'e> {
    /// Runs the rules of a schema on a value; `above` is the nearest enclosing value that the
    /// author wrote.
    fn place(&mut self, place: &'e Place, node: &Node, above: Span, path: &Path<'_>) {
        if node.is_null() || self.is_over {
            return;
        }
        let span = self.written(node).unwrap_or(above);
        for rule in &place.rules {
            self.rule(rule, place, node, span, path);
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
                    self.place(below, &entry.value, span, &path);
                }
            }
            Value::List(items) => {
                let Some(below) = place.items() else { return };
                for (index, item) in items.iter().enumerate() {
                    self.place(below, item, span, &path.index(index));
                }
            }
            _ => {}
        }
    }

    /// The span of a value, if the author wrote it; `None` for a default.
    fn written(&self, node: &Node) -> Option<Span> {
        Some(node.span()).filter(|place| self.document.contains(*place))
    }

    fn rule(&mut self, rule: &'e Rule, place: &'e Place, node: &Node, span: Span, path: &Path<'_>) {
        let (Some(Ok(program)), Some(shape)) = (&rule.program, &place.shape) else { return };
        if program.uses_old && !rule.is_optional {
            return;
        }
        let breach = match program.run(node, shape, &mut self.budget, self.fuel) {
            Ok(Run::Holds(true)) => return,
            Ok(_) => Breach::False(self.message(rule, place, node)),
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
            let below = blamed.get(name).filter(|it| self.written(it).is_some());
            blamed = below.unwrap_or(blamed);
        }
        let span = self.written(blamed).unwrap_or(span);
        (self.found)(Finding { rule, span, path, breach });
    }

    /// The message for a violated rule: the value of its message expression if that is one line,
    /// else its `message`.
    fn message(&mut self, rule: &Rule, place: &Place, node: &Node) -> Option<LeanStr> {
        let shape = place.shape.as_ref()?;
        let made = rule.message_program.as_ref().and_then(|it| it.as_ref().ok()).and_then(|it| {
            match it.run(node, shape, &mut self.budget, self.fuel) {
                Ok(Run::Message(text)) => Some(text),
                _ => None,
            }
        });
        let made = made.filter(|text| {
            let text = text.trim();
            !text.is_empty() && text.len() <= LONGEST_MESSAGE && !text.contains('\n')
        });
        made.map(|text| text.trim().into()).or_else(|| rule.message.clone())
    }
}
