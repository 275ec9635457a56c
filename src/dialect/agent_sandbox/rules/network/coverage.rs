//! Sandboxes with and without an effective NetworkPolicy.

use super::{Effect, InputPolicy, Network, Policy, Subject, items};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::names::TEMPLATE_REF_HASH;
use crate::dialect::agent_sandbox::rules::selection::PodLabels;
use crate::kube::{Direction, Object, PodSpec};
use crate::scalar::name_hash;
use crate::sorted::{SortedMap, SortedSet};
use crate::tree::{Entry, Node};

declare_rules! {
    NETWORK_POLICY_IGNORED = "network-policy-ignored", Warning;
    UNMANAGED_WITHOUT_NETWORK_POLICY = "unmanaged-without-network-policy", Warning, follows = [Structure, Selection];
    SANDBOX_TOKEN_MOUNTED = "sandbox-token-mounted", Warning;
    SANDBOX_WITHOUT_NETWORK_POLICY = "sandbox-without-network-policy", Warning, follows = [Structure, Selection];
    NETWORK_POLICY_WITHOUT_EFFECT = "network-policy-without-effect", Warning, follows = [Structure, Selection];
    TEMPLATE_HOST_NETWORK = "template-host-network", Warning;
    TEMPLATE_TOKEN_MOUNTED = "template-token-mounted", Note;
}

/// Checks one template.
pub(super) fn check_template(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    match subject.policy {
        Policy::Unmanaged(management) => check_unmanaged(subject, management, sink),
        Policy::Default | Policy::Custom(_) => check_host_network(subject, sink),
    }
    check_token(subject, sink);
}

fn check_unmanaged(subject: &Subject<'_, '_, '_, '_>, management: &Node, sink: &mut Sink) {
    if let Some(entry) = subject.spec.entry("networkPolicy") {
        let message =
            message!("`{}` of {} is ignored", subject.field("networkPolicy"), subject.name());
        let finding = Diagnostic::new(&NETWORK_POLICY_IGNORED, entry.key_origin().span(), message)
            .at("no NetworkPolicy is created from it")
            .label(management.span(), "the controller creates none")
            .path(&"spec.networkPolicy")
            .help("remove one of the two");
        sink.report(finding);
        return;
    }
    let selecting = &subject.selecting;
    let namespace = subject.template.object.namespace.as_str();
    if selecting.is_open
        || !selecting.certain.is_empty()
        || subject.network.may_have_other_policy(namespace)
    {
        return;
    }
    let message = message!("no NetworkPolicy applies to sandboxes of {}", subject.name());
    let finding = Diagnostic::new(&UNMANAGED_WITHOUT_NETWORK_POLICY, management.span(), message)
        .at("the controller creates none, and no policy in the input selects them")
        .path(&"spec.networkPolicyManagement")
        .note("all traffic to and from them is allowed")
        .help(message!(
            "add a NetworkPolicy with `podSelector: {{matchLabels: {{{}: \"{}\"}}}}`, or remove \
             `{}`",
            TEMPLATE_REF_HASH,
            name_hash(&subject.template.object.name),
            subject.field("networkPolicyManagement")
        ));
    sink.report(finding);
}

fn check_host_network(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    let Some(entry) = subject.pod.spec.entry("hostNetwork").filter(|_| subject.is_on_host()) else {
        return;
    };
    let message = message!("NetworkPolicy of {} has no effect", subject.name());
    let finding = Diagnostic::new(&TEMPLATE_HOST_NETWORK, entry.key_origin().span(), message)
        .at("uses the host network")
        .path(&format!("{}.hostNetwork", subject.pod.path()))
        .note("most network plugins do not apply policies to host-network Pods")
        .help("remove `hostNetwork`");
    sink.report(finding);
}

fn check_token(subject: &Subject<'_, '_, '_, '_>, sink: &mut Sink) {
    let pod = subject.pod.spec;
    let Some((entry, path)) = token_entry(pod) else { return };
    let message =
        message!("every sandbox of {} has a token of its service account", subject.name());
    let account = pod.str_at(&["serviceAccountName"]).unwrap_or("default");
    let finding = Diagnostic::new(&TEMPLATE_TOKEN_MOUNTED, entry.key_origin().span(), message)
        .at(message!("grants access as service account `{account}`"))
        .path(&format!("{}.{path}", subject.pod.path()))
        .note("sandboxes of a template get no token by default");
    sink.report(finding);
}

/// The entry of a PodSpec that mounts a token of its service account, and its path.
fn token_entry(pod: &Node) -> Option<(&Entry, &'static str)> {
    let automount = pod.entry("automountServiceAccountToken");
    if let Some(entry) = automount.filter(|entry| entry.value.as_bool() == Some(true)) {
        return Some((entry, "automountServiceAccountToken"));
    }
    let projected = items(pod, "volumes").iter().filter_map(|it| it.get("projected"));
    let mut sources = projected.flat_map(|volume| items(volume, "sources"));
    Some((sources.find_map(|it| it.entry("serviceAccountToken"))?, "volumes"))
}

/// Checks bare Sandboxes, to which the controller adds nothing.
pub(super) fn check_sandboxes(network: &Network<'_, '_, '_>, sink: &mut Sink) {
    let fleet = network.fleet;
    // If the input has policies, a Sandbox without one is probably an oversight.
    let policies = fleet.set.of_kind("networking.k8s.io", "NetworkPolicy");
    let policies = policies.map(|policy| (policy.namespace.as_str(), policy));
    let templates = fleet.templates.iter().filter(|template| {
        let management = template.object.root.str_at(&["spec", "networkPolicyManagement"]);
        let policy = template.object.root.at(&["spec", "networkPolicy"]);
        policy.is_some() && management != Some("Unmanaged")
    });
    let templates = templates.map(|template| (template.object.namespace.as_str(), template.object));
    let neighbours: SortedMap<_, _> = policies.chain(templates).collect();
    for sandbox in &fleet.sandboxes {
        check_sandbox_token(network, sandbox, sink);
        let namespace = sandbox.namespace.as_str();
        let Some(neighbour) = neighbours.get(namespace) else { continue };
        let selecting = network.policies.of(&PodLabels::of_sandbox(sandbox));
        if selecting.is_open
            || !selecting.certain.is_empty()
            || network.may_have_other_policy(namespace)
        {
            continue;
        }
        let message = message!("no NetworkPolicy applies to {}", sandbox.describe());
        let finding =
            Diagnostic::new(&SANDBOX_WITHOUT_NETWORK_POLICY, sandbox.name_span(), message)
                .at("selected by no policy")
                .label(neighbour.name_span(), "policies in the input select other Pods")
                .note("the controller creates policies only for templates: all traffic of this Pod is allowed")
                .help(
                    "add a label to its pod template and a NetworkPolicy that selects it, or create it from a template with a claim",
                );
        sink.report(finding);
    }
}

fn check_sandbox_token(network: &Network<'_, '_, '_>, sandbox: &Object, sink: &mut Sink) {
    let Some(pod) = PodSpec::of(sandbox) else { return };
    if pod.spec.get("automountServiceAccountToken").is_some() {
        return;
    }
    let account = pod.spec.str_at(&["serviceAccountName"]).unwrap_or("default");
    let object = network.fleet.set.find("", "ServiceAccount", &sandbox.namespace, account);
    let of_account = object.and_then(|object| object.root.get("automountServiceAccountToken"));
    if of_account.and_then(Node::as_bool) == Some(false) {
        return;
    }
    let message = message!("{} has a token of service account `{account}`", sandbox.describe());
    let finding = Diagnostic::new(&SANDBOX_TOKEN_MOUNTED, sandbox.name_span(), message)
        .at("mounted by default")
        .path(&format!("{}.automountServiceAccountToken", pod.path()))
        .note(
            "for a template the controller disables the token and adds a NetworkPolicy; for a Sandbox without one it does neither",
        )
        .help(
            "set `automountServiceAccountToken: false` in the Pod template, or `true` to confirm it",
        );
    sink.report(finding);
}

/// Namespace, name and direction of the NetworkPolicies that were reported.
pub(super) type Reported<'o> = SortedSet<(&'o str, &'o str, &'static str)>;

/// Checks each NetworkPolicy of the input that selects sandboxes of a template once.
pub(super) fn check_policies<'o>(
    subject: &Subject<'_, '_, '_, 'o>,
    reported: &mut Reported<'o>,
    sink: &mut Sink,
) {
    for policy in &subject.selecting.certain {
        let Object { namespace, name, .. } = policy.object;
        for direction in Direction::ALL {
            let key = (namespace.as_str(), name.as_str(), direction.field());
            if !reported.contains(&key) && check_effect(subject, policy, direction, sink) {
                reported.insert(key);
            }
        }
    }
}

/// Reports a policy that denies a direction which the template's own policy allows; policies are
/// additive.
fn check_effect(
    subject: &Subject<'_, '_, '_, '_>,
    policy: &InputPolicy<'_>,
    direction: Direction,
    sink: &mut Sink,
) -> bool {
    if policy.effect(direction) != Effect::Denies {
        return false;
    }
    let policy = policy.object;
    let selector = policy.root.at(&["spec", "podSelector"]);
    // A policy for all Pods of a namespace is intended for Pods without another one.
    let names_pods = selector.is_some_and(|selector| !selector.entries().is_empty());
    let (admitted, source) = match (subject.policy, direction) {
        (Policy::Unmanaged(_), _) => return false,
        (Policy::Default, Direction::Ingress) => {
            ("its own policy allows the router", subject.template.object.name_span())
        }
        (Policy::Default, Direction::Egress) => {
            ("its own policy allows the internet", subject.template.object.name_span())
        }
        (Policy::Custom(entry), _) if items(&entry.value, direction.field()).is_empty() => {
            return false;
        }
        (Policy::Custom(entry), _) => {
            ("this policy allows what its rules list", entry.key_origin().span())
        }
    };
    if !names_pods {
        return false;
    }
    let field = direction.field();
    let message =
        message!("{} does not deny {field} of the sandboxes that it selects", policy.describe());
    let finding = Diagnostic::new(&NETWORK_POLICY_WITHOUT_EFFECT, policy.name_span(), message)
        .at(message!("denies all {field}"))
        .label(source, admitted)
        .note("policies are additive: one policy cannot deny what another allows")
        .help(message!(
            "list the allowed traffic in `{}` of {}",
            subject.field("networkPolicy"),
            subject.name()
        ));
    sink.report(finding);
    true
}
