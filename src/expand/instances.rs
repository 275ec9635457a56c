//! From `expand` to the variables of each instance.

use minijinja::Value as Jinja;

use super::{Cx, Expand};
use crate::decode::Field;
use crate::diag::{Diagnostic, Sink, declare_rules};
use crate::schema::{self, CheckContext};
use crate::tree::{Entry, Node, Value};

declare_rules! {
    EXPAND_INVALID = "expand-invalid", Error, follows = [Misplaced];
    EXPAND_TOO_LARGE = "expand-too-large", Error;
}

/// Most definitions that one `expand` makes.
const MAX_INSTANCES: usize = 100_000;
/// Most values (nodes) that the definitions of one `expand` hold together.
const MAX_NODES: usize = 20_000_000;

/// The variables of one instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    /// Its number; `None` without `expand`.
    index: Option<usize>,
    item: Option<Jinja>,
    matrix: Vec<(String, Jinja)>,
}

impl Variables {
    /// What expressions of the document may name: a tree with the same keys as the context.
    pub(super) fn known(expand: Option<&Entry>, values: &Node) -> Node {
        let mut known = Node::map(values.origin());
        known.set("values", values.clone());
        let Some(expand) = expand else { return known };
        let any = || Node::new(Value::Null, values.origin());
        if let Some(map) = known.as_map_mut() {
            map.insert("index", values.origin(), any());
            if expand.value.get("items").is_some() {
                map.insert("item", values.origin(), any());
            }
            if let Some(matrix) = expand.value.get("matrix") {
                map.insert("matrix", values.origin(), matrix.clone());
            }
        }
        known
    }

    /// The context of its expressions.
    pub(super) fn context(&self, values: &Jinja) -> Jinja {
        let mut context = vec![("values", values.clone())];
        context.extend(self.index.map(|index| ("index", Jinja::from(index))));
        context.extend(self.item.clone().map(|item| ("item", item)));
        if !self.matrix.is_empty() {
            context.push(("matrix", self.matrix.iter().cloned().collect()));
        }
        context.into_iter().collect()
    }

    /// Which instance it is, for messages.
    pub(super) fn describe(&self) -> Option<String> {
        self.index.map(|index| format!("in the instance with `index` {index}"))
    }
}

/// The variables of all instances. `None` where something was reported.
pub(super) fn of(cx: &Cx<'_>, expand: Option<&Entry>, sink: &mut Sink) -> Option<Vec<Variables>> {
    let Some(entry) = expand else { return Some(vec![Variables::default()]) };
    let before = sink.len();
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
                    entry.key_origin.span(),
                    "`expand` does not say what to multiply by",
                )
                .help("give one of `count: 3`, `items: [a, b]` or `matrix: {size: [s, m]}`"),
            );
            None
        }
        [first, second, ..] => {
            sink.report(
                Diagnostic::new(
                    &EXPAND_INVALID,
                    second.key_origin.span(),
                    format!("`expand` has both `{}` and `{}`", first.key, second.key),
                )
                .at("the second")
                .label(first.key_origin.span(), "the first")
                .help("keep one of them"),
            );
            None
        }
    }
}

/// Whether the instances stay within the limits; reports where they do not.
pub(super) fn fit(expand: Option<&Entry>, instances: usize, nodes: usize, sink: &mut Sink) -> bool {
    let Some(expand) = expand else { return true };
    let total = instances.saturating_mul(nodes);
    if instances <= MAX_INSTANCES && total <= MAX_NODES {
        return true;
    }
    let message = if instances > MAX_INSTANCES {
        format!("`expand` makes {instances} definitions; at most {MAX_INSTANCES} are allowed")
    } else {
        format!("`expand` makes {total} values; at most {MAX_NODES} are allowed")
    };
    sink.report(
        Diagnostic::new(&EXPAND_TOO_LARGE, expand.value.span(), message)
            .help("split it into several definitions"),
    );
    false
}

fn of_count(count: &Entry, sink: &mut Sink) -> Option<Vec<Variables>> {
    let number = count.value.as_i64().unwrap_or(0);
    let Ok(number) = usize::try_from(number) else {
        sink.report(
            Diagnostic::new(
                &EXPAND_INVALID,
                count.value.span(),
                format!("`count` is {number}, which is less than nothing"),
            )
            .help("write 0 or more"),
        );
        return None;
    };
    if number > MAX_INSTANCES {
        fit(Some(count), number, 1, sink);
        return None;
    }
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
        matrix: Vec::new(),
    });
    Some(instances.collect())
}

fn of_matrix(matrix: &Entry, sink: &mut Sink) -> Option<Vec<Variables>> {
    let Some(map) = matrix.value.as_map() else {
        sink.report(
            Diagnostic::new(
                &EXPAND_INVALID,
                matrix.value.span(),
                format!("`matrix` is {}, not a map of lists", matrix.value.describe()),
            )
            .help("write `matrix: {size: [s, m], zone: [a, b]}`"),
        );
        return None;
    };
    let mut combinations = vec![Vec::new()];
    for axis in &map.entries {
        let Value::List(items) = &axis.value.value else {
            report_no_list(&axis.key, &axis.value, sink);
            return None;
        };
        let count = combinations.len().saturating_mul(items.len());
        if count > MAX_INSTANCES {
            fit(Some(matrix), count, 1, sink);
            return None;
        }
        combinations = combinations
            .into_iter()
            .flat_map(|combination| {
                items.iter().map(move |item| {
                    let mut longer = combination.clone();
                    longer.push((axis.key.to_string(), Jinja::from_serialize(item.to_json())));
                    longer
                })
            })
            .collect();
    }
    let instances = combinations.into_iter().enumerate().map(|(index, matrix)| Variables {
        index: Some(index),
        item: None,
        matrix,
    });
    Some(instances.collect())
}

fn report_no_list(name: &str, node: &Node, sink: &mut Sink) {
    sink.report(
        Diagnostic::new(
            &EXPAND_INVALID,
            node.span(),
            format!("`{name}` is {}, not a list", node.describe()),
        )
        .help(format!("write `{name}: [a, b]`")),
    );
}
