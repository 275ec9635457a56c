//! References between environment variables, which the kubelet expands in their order.

use super::{ENV_REFERENCE_TOO_EARLY, warn};
use crate::diag::{Diagnostic, message};
use crate::kube::PodSpec;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::Node;
use crate::validate::rules::judge::{Judge, items, shown, text_at};

pub(super) fn check(judge: &mut Judge<'_>, pod: &PodSpec<'_>) {
    for container in pod.containers() {
        // Variables of a ConfigMap or a Secret come first, and their names are not known here.
        if items(container.node, "envFrom").is_empty() {
            check_order(judge, items(container.node, "env"));
        }
    }
}

/// Reports each variable that refers to a later one, which the kubelet does not know yet.
fn check_order(judge: &mut Judge<'_>, variables: &[Node]) {
    let refers =
        |variable: &Node| variable.str_at(&["value"]).is_some_and(|value| value.contains("$("));
    if !variables.iter().any(refers) {
        return;
    }
    let names = variables
        .iter()
        .filter_map(|variable| Some((variable.str_at(&["name"])?, variable.get("name")?)));
    let all: SortedMap<&str, &Node> = names.collect();
    let mut known = SortedSet::new();
    for variable in variables {
        let own = text_at(variable, &["name"]);
        let value = variable.get("value").and_then(|value| Some((value, value.as_str()?)));
        let Some((node, value)) = value else {
            known.insert(own);
            continue;
        };
        let mut reported = SortedSet::new();
        for name in variables_in(value) {
            let Some(later) = all.get(name).filter(|_| name != own && !known.contains(name)) else {
                continue;
            };
            if !reported.insert(name) {
                continue;
            }
            let message = message!(
                "variable `{}` refers to `{}` before its definition",
                shown(own),
                shown(name)
            );
            let finding = Diagnostic::new(&ENV_REFERENCE_TOO_EARLY, node.span(), message)
                .at(message!("stays `$({})`", shown(name)))
                .label(later.span(), "defined here")
                .note("the kubelet expands variables in their order")
                .help(message!("move `{}` above it", shown(name)));
            warn(judge, node, finding);
        }
        known.insert(own);
    }
}

/// The names in `$(NAME)`; `$$` is a literal dollar sign (`Expand` of Kubernetes'
/// `third_party/forked/golang/expansion`).
fn variables_in(value: &str) -> impl Iterator<Item = &str> {
    let mut rest = value;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find('$')?;
            let after = rest.get(at + 1..)?;
            let Some(inner) = after.strip_prefix('(') else {
                let length = after.chars().next().map_or(0, char::len_utf8);
                rest = after.get(length..)?;
                continue;
            };
            let Some((name, left)) = inner.split_once(')') else {
                rest = inner;
                continue;
            };
            rest = left;
            return Some(name);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::variables_in;

    #[test]
    fn escaped_references_are_none() {
        let all = |text| variables_in(text).collect::<Vec<_>>();
        assert_eq!(all("http://$(HOST):$(PORT)/$$(A)/$B$(C"), ["HOST", "PORT"]);
        assert!(all("$").is_empty() && all("").is_empty() && all("$$").is_empty());
    }
}
