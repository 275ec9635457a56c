//! Injection of the variables of a claim into the containers of its template.

use super::Stored;
use super::claim::{NotReady, spec_items};
use crate::diag::message;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Node, Value};

/// Adds the variables of a claim to the containers of its cold-started Sandbox.
pub(super) fn inject(
    sandbox: &mut Node,
    claim: &Stored<'_>,
    template: &Stored<'_>,
) -> Result<(), NotReady> {
    let variables = spec_items(&claim.root, "env");
    if variables.is_empty() {
        return Ok(());
    }
    let policy = template.root.str_at(&["spec", "envVarsInjectionPolicy"]);
    let Some(policy) = policy.filter(|policy| matches!(*policy, "Allowed" | "Overrides")) else {
        return Err(injection_rejected(
            "environment variable injection is not allowed by the template policy",
        ));
    };
    let is_override = policy == "Overrides";
    let target = |node: &Node| node.text_at(&["containerName"]).to_owned();
    let pod = sandbox.at(&["spec", "podTemplate", "spec"]);
    let containers = |list: &str| -> Vec<String> {
        let items = pod.and_then(|it| it.get(list)).map_or(&[][..], Node::items).iter();
        items.map(|container| container.text_at(&["name"]).to_owned()).collect()
    };
    let (init, regular) = (containers("initContainers"), containers("containers"));
    let names: SortedSet<_> = init.iter().chain(&regular).collect();
    let mut by_target: SortedMap<String, Vec<&Node>> = SortedMap::new();
    for variable in variables {
        let name = target(variable);
        if !name.is_empty() && !names.contains(&name) {
            return Err(NotReady::retried(message!(
                "target container {name:?} not found in template for environment variable {:?}",
                variable.text_at(&["name"])
            )));
        }
        by_target.entry(name).or_default().push(variable);
    }
    for (list, names) in [("initContainers", init), ("containers", regular)] {
        for (index, name) in names.iter().enumerate() {
            let is_default = list == "containers" && index == 0;
            // The API server rejects a second container with this name.
            let targeted = if name.is_empty() { None } else { by_target.remove(name) };
            let untargeted = if is_default { by_target.remove("") } else { None };
            let own: Vec<_> = targeted.into_iter().chain(untargeted).flatten().collect();
            if let Some(container) = container_mut(sandbox, list, index).filter(|_| !own.is_empty())
            {
                inject_into(container, &own, is_override)?;
            }
        }
    }
    Ok(())
}

fn injection_rejected(cause: &str) -> NotReady {
    let message = message!("environment variable injection rejected: {cause}");
    NotReady::new("EnvVarsInjectionRejected", message)
}

fn container_mut<'n>(sandbox: &'n mut Node, list: &str, index: usize) -> Option<&'n mut Node> {
    let mut node = sandbox;
    for key in ["spec", "podTemplate", "spec", list] {
        node = node.get_mut(key)?;
    }
    match &mut node.value {
        Value::List(items) => items.get_mut(index),
        _ => None,
    }
}

fn inject_into(
    container: &mut Node,
    variables: &[&Node],
    is_override: bool,
) -> Result<(), NotReady> {
    let has_sources = !container.get("envFrom").map_or(&[][..], Node::items).is_empty();
    if !is_override && has_sources {
        let name = container.text_at(&["name"]);
        return Err(injection_rejected(&format!(
            "container {name:?} uses EnvFrom sources; Allowed policy cannot safely prevent \
            overriding EnvFrom-provided variables"
        )));
    }
    let origin = container.origin();
    let mut env: Vec<Node> = container.get("env").map_or(&[][..], Node::items).to_vec();
    let mut positions: SortedMap<String, usize> = SortedMap::new();
    for (at, own) in env.iter().enumerate() {
        if let Some(name) = own.str_at(&["name"]) {
            positions.entry(name.to_owned()).or_insert(at);
        }
    }
    for variable in variables {
        let name = variable.text_at(&["name"]);
        let mut literal = Node::map(variable.origin());
        literal.set_some("name", variable.get("name").cloned());
        literal.set_some("value", variable.get("value").cloned());
        let at = positions.get(name).copied();
        match at.and_then(|at| env.get_mut(at)) {
            Some(_) if !is_override => {
                return Err(NotReady::retried(message!(
                    "environment variable override is not allowed by the template policy for \
                    variable {name:?}"
                )));
            }
            Some(old) => *old = literal,
            None => {
                positions.insert(name.to_owned(), env.len());
                env.push(literal);
            }
        }
    }
    container.set("env", Node::list(env, origin));
    Ok(())
}
