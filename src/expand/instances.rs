//! Reads `expand` as the variables of each instance.

use std::sync::Arc;

use minijinja::Value as Jinja;
use minijinja::value::ValueKind;

use super::expression::{Guards, Plan};
use super::{Expand, ExpressionContext};
use crate::decode::Field;
use crate::diag::{About, Diagnostic, Meant, Message, Sink, declare_rules, message};
use crate::schema::{self, CheckContext};
use crate::sorted::SortedSet;
use crate::source::Workspace;
use crate::tree::{Entry, Node, Value};

declare_rules! {
    EXPAND_INVALID = "expand-invalid", Error, follows = [Misplaced];
}

/// The lists of a `matrix`.
#[derive(Debug, Default)]
pub(super) struct Axes(Vec<(Jinja, Vec<Jinja>)>);

impl Axes {
    /// The combination with this number; the last list changes fastest.
    fn combination(&self, mut number: usize) -> Jinja {
        let mut chosen = Vec::with_capacity(self.0.len());
        for (name, items) in self.0.iter().rev() {
            let count = items.len().max(1);
            let item = items.get(number % count).cloned().unwrap_or_default();
            chosen.push((name.clone(), item));
            number /= count;
        }
        chosen.into_iter().rev().collect()
    }
}

/// The variables of one instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// The index of the instance; `None` without `expand`.
    index: Option<usize>,
    item: Option<Jinja>,
    matrix: Option<Arc<Axes>>,
}

impl Variables {
    /// The context of its expressions.
    pub(super) fn context(&self, cx: &ExpressionContext<'_>) -> Jinja {
        let mut context = vec![("values", cx.context.clone())];
        context.extend(cx.environment.clone().map(|name| ("environment", name)));
        context.extend(self.index.map(|index| ("index", Jinja::from(index))));
        context.extend(self.item.clone().map(|item| ("item", item)));
        if let (Some(axes), Some(index)) = (&self.matrix, self.index) {
            context.push(("matrix", axes.combination(index)));
        }
        context.into_iter().collect()
    }

    /// A description of the instance for messages.
    pub(super) fn describe(&self) -> Option<Message> {
        self.index.map(|index| message!("in the instance with `index` {index}"))
    }
}

/// The variables that expressions of a document can use, known before the evaluation.
pub(super) struct Known<'k> {
    pub(super) texts: &'k Workspace,
    values: &'k Node,
    /// The same for minijinja, which finds a key without a search through all keys: thousands of
    /// expressions can read thousands of values.
    context: &'k Jinja,
    has_environment: bool,
    expand: Option<&'k Entry>,
    /// Whether `expand` has a fault, so that its variables are not known.
    has_faulty_expand: bool,
    axes: SortedSet<&'k str>,
}

impl<'k> Known<'k> {
    pub(super) fn new(
        cx: &'k ExpressionContext<'_>,
        expand: Option<&'k Entry>,
        has_faulty_expand: bool,
    ) -> Self {
        let matrix = expand.and_then(|it| it.value.get("matrix"));
        let axes = matrix.map_or(&[][..], Node::entries).iter().map(|it| it.key.as_str()).collect();
        Self {
            texts: cx.workspace,
            values: cx.values,
            context: &cx.context,
            has_environment: cx.environment.is_some(),
            expand,
            has_faulty_expand,
            axes,
        }
    }

    /// Whether it is known what is defined of this variable.
    pub(super) fn is_sure(&self, variable: &str) -> bool {
        !(self.has_faulty_expand && ["index", "item", "matrix"].contains(&variable))
    }

    /// The index of the first key of a path below this variable that is undefined, if that is known.
    pub(super) fn first_undefined(&self, variable: &str, below: &[&str]) -> Option<usize> {
        match variable {
            "values" => first_undefined(self.context, below),
            "matrix" => below.first().filter(|it| !self.axes.contains(**it)).map(|_| 0),
            _ => None,
        }
    }

    /// The keys of the map at a path below this variable, which is known.
    pub(super) fn keys(
        &self,
        variable: &str,
        below: &[&str],
    ) -> impl ExactSizeIterator<Item = &str> + Clone {
        let map = self.value(variable).and_then(|it| it.at(below));
        map.map_or(&[][..], Node::entries).iter().map(|it| it.key.as_str())
    }

    /// The variables, with their values if known.
    fn variables(&self) -> impl Iterator<Item = (&'static str, Option<&Node>)> {
        let field = |key| self.expand.and_then(|it| it.value.get(key));
        [
            ("values", true, Some(self.values)),
            ("environment", self.has_environment, None),
            ("index", self.expand.is_some(), None),
            ("item", field("items").is_some(), None),
            ("matrix", field("matrix").is_some(), field("matrix")),
        ]
        .into_iter()
        .filter_map(|(name, is_there, value)| is_there.then_some((name, value)))
    }

    /// The value of a variable, if it is known.
    fn value(&self, name: &str) -> Option<&Node> {
        self.variables().find(|(variable, _)| *variable == name)?.1
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.variables().map(|(name, _)| name).collect()
    }
}

/// The index of the first key of a path that a map does not have. Only the keys of maps are known
/// before the evaluation.
fn first_undefined(value: &Jinja, path: &[&str]) -> Option<usize> {
    let mut value = value.clone();
    for (index, key) in path.iter().enumerate() {
        if value.kind() != ValueKind::Map {
            return None;
        }
        value = value.get_attr(key).ok()?;
        if value.is_undefined() {
            return Some(index);
        }
    }
    None
}

/// The number of definitions of an `expand`, and the number of their values; only reads the lengths
/// of lists.
pub(super) fn planned(root: &Node) -> (usize, usize) {
    let Some(expand) = root.get("expand") else { return (0, 0) };
    let of_matrix = |it: &Node| {
        let lengths = it.entries().iter().map(|axis| axis.value.items().len());
        lengths.fold(1, usize::saturating_mul)
    };
    // Each combination of a matrix has the keys, and an item of each list.
    let keys = expand.get("matrix").map_or(&[][..], Node::entries).iter();
    let keys: usize =
        keys.map(|it| Node::string(it.key.text().clone(), it.key_origin()).weight()).sum();
    let count = expand.get("count").and_then(Node::as_i64);
    // What `expand` itself has is not in the definitions.
    let values = keys + root.weight().saturating_sub(expand.weight());
    let definitions = match (count, expand.get("items"), expand.get("matrix")) {
        (Some(count), _, _) => usize::try_from(count).unwrap_or(0),
        (None, Some(items), _) => items.items().len(),
        (None, None, Some(matrix)) => of_matrix(matrix),
        (None, None, None) => 0,
    };
    (definitions, definitions.saturating_mul(values))
}

/// Evaluates the expressions of an `expand`, which can only use `values`. Returns `None` if an
/// error was reported.
pub(super) fn resolve(cx: &ExpressionContext<'_>, expand: &Node, sink: &mut Sink) -> Option<Node> {
    let before = sink.len();
    let known = Known::new(cx, None, false);
    let fuel = cx.fuel.document();
    let guards = Guards::new(cx, expand, &fuel, sink);
    let plan = Plan::new(cx, &guards, &known, sink);
    let variables = Variables::default();
    let context = variables.context(cx);
    let (resolved, faults) = plan.apply(expand, &context, &fuel);
    for fault in faults {
        fault.report(&variables, &known, sink);
    }
    (sink.len() == before).then_some(resolved)
}

/// The variables of all instances. `None` if a fault was reported.
pub(super) fn of(
    cx: &ExpressionContext<'_>,
    expand: Option<&Entry>,
    has_spec: bool,
    sink: &mut Sink,
) -> Option<Vec<Variables>> {
    let Some(entry) = expand else { return Some(vec![Variables::default()]) };
    let before = sink.len();
    if let Some(finding) = without_spec(entry).filter(|_| !has_spec) {
        sink.report(finding);
        return None;
    }
    let against = CheckContext::settings("expand").with_texts(cx.workspace);
    schema::check(&entry.value, Expand::TYPE, &against, sink);
    if sink.len() != before {
        return None;
    }
    let given: Vec<_> =
        ["count", "items", "matrix"].into_iter().filter_map(|key| entry.value.entry(key)).collect();
    match given.as_slice() {
        [one] => match one.key.as_str() {
            "count" => of_count(one, sink),
            "items" => of_items(one, sink),
            _ => of_matrix(one, sink),
        },
        [] => {
            sink.report(
                Diagnostic::new(
                    &EXPAND_INVALID,
                    entry.key_origin().span(),
                    "`expand` has none of `count`, `items` and `matrix`",
                )
                .help("add `count: 3`, `items: [a, b]` or `matrix: {size: [s, m]}`"),
            );
            None
        }
        [first, second, ..] => {
            sink.report(
                Diagnostic::new(
                    &EXPAND_INVALID,
                    second.key_origin().span(),
                    message!("`expand` has both `{}` and `{}`", first.key, second.key),
                )
                .at("second")
                .label(first.key_origin().span(), "first")
                .help("remove one of them"),
            );
            None
        }
    }
}

/// Reports several fields in `expand` that are not its own, in a definition without `spec`.
fn without_spec(expand: &Entry) -> Option<Diagnostic> {
    let is_unknown = |it: &&Entry| !["count", "items", "matrix"].contains(&it.key.as_str());
    let mut fields = expand.value.entries().iter().filter(is_unknown);
    let (first, _) = (fields.next()?, fields.next()?);
    let span = first.key_origin().span();
    let message = message!("unknown field `{}` in `expand`", first.key);
    Some(
        Diagnostic::new(&schema::UNKNOWN_FIELD, span, message)
            .at("no such field")
            .path(&format!("expand.{}", first.key))
            .about(About::UnknownField(Some(Meant::Sibling("spec".into()))))
            .note("the definition has no `spec`")
            .help(message!("write `spec:` above `{}` and the lines after it", first.key)),
    )
}

fn of_count(count: &Entry, sink: &mut Sink) -> Option<Vec<Variables>> {
    let number = count.value.as_i64().unwrap_or(0);
    let Ok(number) = usize::try_from(number) else {
        sink.report(
            Diagnostic::new(
                &EXPAND_INVALID,
                count.value.span(),
                message!("`count` of `expand` must not be negative: {number}"),
            )
            .help("write 0 or a positive number"),
        );
        return None;
    };
    Some(
        (0..number).map(|index| Variables { index: Some(index), ..Variables::default() }).collect(),
    )
}

fn of_items(items: &Entry, sink: &mut Sink) -> Option<Vec<Variables>> {
    let Value::List(list) = &items.value.value else {
        report_no_list("items", &items.value, sink);
        return None;
    };
    let instances = list.iter().enumerate().map(|(index, item)| Variables {
        index: Some(index),
        item: Some(Jinja::from_serialize(item.to_json())),
        matrix: None,
    });
    Some(instances.collect())
}

fn of_matrix(matrix: &Entry, sink: &mut Sink) -> Option<Vec<Variables>> {
    let Some(map) = matrix.value.as_map() else {
        sink.report(
            Diagnostic::new(
                &EXPAND_INVALID,
                matrix.value.span(),
                message!(
                    "`matrix` of `expand` must be a map of lists, not {}",
                    matrix.value.describe()
                ),
            )
            .help("write `matrix: {size: [s, m], zone: [a, b]}`"),
        );
        return None;
    };
    let mut axes = Axes::default();
    let mut count: usize = 1;
    for axis in map.entries() {
        let Value::List(items) = &axis.value.value else {
            report_no_list(&axis.key, &axis.value, sink);
            return None;
        };
        count = count.saturating_mul(items.len());
        let items = items.iter().map(|item| Jinja::from_serialize(item.to_json())).collect();
        axes.0.push((Jinja::from(axis.key.as_str()), items));
    }
    let axes = Arc::new(axes);
    let instances = (0..count).map(|index| Variables {
        index: Some(index),
        item: None,
        matrix: Some(Arc::clone(&axes)),
    });
    Some(instances.collect())
}

fn report_no_list(name: &str, node: &Node, sink: &mut Sink) {
    sink.report(
        Diagnostic::new(
            &EXPAND_INVALID,
            node.span(),
            message!("`{name}` of `expand` must be a list, not {}", node.describe()),
        )
        .help(message!("write `{name}: [a, b]`")),
    );
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use minijinja::value::{Enumerator, Object};

    use super::*;

    /// A map that counts what is looked up.
    #[derive(Debug, Default)]
    struct Counting {
        lookups: Arc<AtomicUsize>,
    }

    impl Object for Counting {
        fn get_value(self: &Arc<Self>, key: &Jinja) -> Option<Jinja> {
            self.lookups.fetch_add(1, Ordering::Relaxed);
            (key.as_str() == Some("a")).then(|| Jinja::from(1))
        }

        fn enumerate(self: &Arc<Self>) -> Enumerator {
            panic!("a lookup must not read all keys")
        }
    }

    #[test]
    fn a_path_is_looked_up_key_by_key() {
        let lookups = Arc::new(AtomicUsize::new(0));
        let map = Jinja::from_object(Counting { lookups: Arc::clone(&lookups) });
        for (path, expected) in [(&["a"][..], None), (&["b"], Some(0)), (&["a", "c"], None)] {
            lookups.store(0, Ordering::Relaxed);
            assert_eq!(first_undefined(&map, path), expected, "{path:?}");
            assert_eq!(lookups.load(Ordering::Relaxed), 1, "{path:?}");
        }
        let nested = Jinja::from_serialize(serde_json::json!({"a": {"b": null, "c": {}}}));
        for (path, expected) in
            [(&["a", "b"][..], None), (&["a", "c", "d"], Some(2)), (&["a", "b", "c"], None)]
        {
            assert_eq!(first_undefined(&nested, path), expected, "{path:?}");
        }
    }
}
