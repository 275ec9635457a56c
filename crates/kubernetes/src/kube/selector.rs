//! Label selectors, evaluated for an object whose labels are known or partly known.

use crate::tree::{Entry, Node};

/// The state of one label of an object that does not exist yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelState<'l> {
    /// It has this value.
    Value(&'l str),
    /// The object does not have it.
    Absent,
    /// It may or may not have it.
    Unknown,
}

/// Whether a selector selects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Selects {
    /// Certainly not.
    No,
    /// It depends on an unknown label.
    Perhaps,
    /// Certainly.
    Yes,
}

/// Whether a LabelSelector (`matchLabels`, `matchExpressions`) selects an object with these labels.
/// One without any requirement selects everything.
pub fn selects<'l>(selector: &Node, label: impl Fn(&str) -> LabelState<'l>) -> Selects {
    let of_labels = selects_by_map(selector.get("matchLabels"), &label);
    let expressions = selector.items_at(&["matchExpressions"]);
    let of_expressions =
        expressions.iter().map(|expression| expression_selects(expression, &label));
    of_expressions.fold(of_labels, Ord::min)
}

/// The same for a plain map of labels, as Services have.
pub fn selects_by_map<'l>(
    labels: Option<&Node>,
    label: impl Fn(&str) -> LabelState<'l>,
) -> Selects {
    let entries = labels.map_or(&[][..], Node::entries);
    entries.iter().map(|entry| label_selects(entry, &label)).fold(Selects::Yes, Ord::min)
}

/// The first requirement of a LabelSelector that an object with these labels certainly does not
/// meet: its span, and the key of the label.
pub fn first_unmet<'s, 'l>(
    selector: &'s Node,
    label: impl Fn(&str) -> LabelState<'l>,
) -> Option<(&'s Node, &'s str)> {
    let expressions = selector.items_at(&["matchExpressions"]);
    first_unmet_label(selector.get("matchLabels"), &label).or_else(|| {
        let unmet = expressions
            .iter()
            .find(|expression| expression_selects(expression, &label) == Selects::No)?;
        Some((unmet, unmet.text_at(&["key"])))
    })
}

/// The same for a plain map of labels.
pub fn first_unmet_label<'s, 'l>(
    labels: Option<&'s Node>,
    label: impl Fn(&str) -> LabelState<'l>,
) -> Option<(&'s Node, &'s str)> {
    let entries = labels.map_or(&[][..], Node::entries);
    let unmet = entries.iter().find(|entry| label_selects(entry, &label) == Selects::No)?;
    Some((&unmet.value, unmet.key.as_str()))
}

/// The state of a label with this value. `null` is the empty string, as for the API server; a value that
/// is not a string is reported elsewhere.
pub fn state_of(value: Option<&Node>) -> LabelState<'_> {
    match value.map(label_text) {
        Some(Some(text)) => LabelState::Value(text),
        Some(None) => LabelState::Unknown,
        None => LabelState::Absent,
    }
}

fn label_text(value: &Node) -> Option<&str> {
    if value.is_null() { Some("") } else { value.as_str() }
}

fn label_selects<'l>(entry: &Entry, label: &impl Fn(&str) -> LabelState<'l>) -> Selects {
    match (label(&entry.key), label_text(&entry.value)) {
        (LabelState::Unknown, _) | (_, None) => Selects::Perhaps,
        (LabelState::Value(value), Some(wanted)) if value == wanted => Selects::Yes,
        _ => Selects::No,
    }
}

fn expression_selects<'l>(expression: &Node, label: &impl Fn(&str) -> LabelState<'l>) -> Selects {
    let state = label(expression.text_at(&["key"]));
    let is_listed = |value: &str| {
        let values = expression.items_at(&["values"]);
        values.iter().any(|listed| listed.as_str() == Some(value))
    };
    let is_met = match (expression.str_at(&["operator"]), state) {
        (_, LabelState::Unknown) => return Selects::Perhaps,
        (Some("In"), LabelState::Value(value)) => is_listed(value),
        (Some("NotIn"), LabelState::Value(value)) => !is_listed(value),
        (Some("Exists"), LabelState::Value(_))
        | (Some("NotIn" | "DoesNotExist"), LabelState::Absent) => true,
        _ => false,
    };
    if is_met { Selects::Yes } else { Selects::No }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Span, Workspace};
    use crate::tree::Origin;

    fn state(key: &str) -> LabelState<'static> {
        match key {
            "app" => LabelState::Value("py"),
            "run" => LabelState::Unknown,
            _ => LabelState::Absent,
        }
    }

    fn selects_with(selector: serde_json::Value) -> Selects {
        let span = Span::new(Workspace::new().add("x.yaml", ""), 0, 0);
        selects(&Node::from_json(selector, Origin::source(span)), state)
    }

    #[test]
    fn all_requirements_must_hold() {
        use serde_json::json;
        assert_eq!(selects_with(json!({})), Selects::Yes);
        assert_eq!(selects_with(json!({"matchLabels": {"app": "py"}})), Selects::Yes);
        assert_eq!(selects_with(json!({"matchLabels": {"app": "go"}})), Selects::No);
        assert_eq!(selects_with(json!({"matchLabels": {"app": "py", "tier": "a"}})), Selects::No);
        assert_eq!(
            selects_with(json!({"matchLabels": {"app": "py", "run": "1"}})),
            Selects::Perhaps
        );
        assert_eq!(selects_with(json!({"matchLabels": {"app": "go", "run": "1"}})), Selects::No);
    }

    #[test]
    fn expressions_follow_their_operator() {
        use serde_json::json;
        let with = |key: &str, operator: &str, values: &[&str]| {
            selects_with(json!({"matchExpressions":
                [{"key": key, "operator": operator, "values": values}]}))
        };
        assert_eq!(with("app", "In", &["py", "go"]), Selects::Yes);
        assert_eq!(with("app", "NotIn", &["py"]), Selects::No);
        assert_eq!(with("tier", "NotIn", &["a"]), Selects::Yes);
        assert_eq!(with("tier", "In", &["a"]), Selects::No);
        assert_eq!(with("tier", "Exists", &[]), Selects::No);
        assert_eq!(with("tier", "DoesNotExist", &[]), Selects::Yes);
        assert_eq!(with("app", "Exists", &[]), Selects::Yes);
        assert_eq!(with("run", "Exists", &[]), Selects::Perhaps);
    }
}
