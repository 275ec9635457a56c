//! Templates of warm pools: faults that make their members unusable.

mod process;

use super::blueprint::running_containers;
use super::fleet::{Fleet, Pool, Template};
use crate::diag::{Diagnostic, Sink, declare_rules, message};
use crate::dialect::agent_sandbox::facts::KUEUE_QUEUE;
use crate::kube::{Container, PodSpec};
use crate::tree::Node;

declare_rules! {
    POOL_MEMBER_EXITS = "pool-member-exits", Warning;
    POOL_MEMBER_SLOW = "pool-member-slow", Warning;
    POOL_MEMBER_WITHOUT_READINESS_PROBE = "pool-member-without-readiness-probe", Warning, follows = [Structure];
    RECREATE_EMPTIES_POOL = "recreate-empties-pool", Warning;
    POOL_MEMBER_GATED = "pool-member-gated", Warning;
    POOL_HOSTNAME_SHARED = "pool-hostname-shared", Note;
    POOL_HOST_PORT = "pool-host-port", Warning;
}

/// The number of seconds after which a member that is not Ready is deleted: the default of the
/// controller's flag `--sandbox-warm-pool-readiness-grace-period`.
const GRACE_SECONDS: i64 = 300;
/// The number of members from which emptying a pool at once is reported.
const LARGE_POOL: i64 = 20;

/// Checks pools, and the templates of pools that have members.
pub(super) fn check(fleet: &Fleet<'_, '_>, sink: &mut Sink) {
    for pool in &fleet.pools {
        check_strategy(pool, sink);
    }
    for template in &fleet.templates {
        // Only the largest pool is shown, because the findings are about the template.
        let pools = fleet.pools_of(template).filter(|pool| pool.replicas > 0);
        let Some(pool) = pools.max_by_key(|pool| pool.replicas) else { continue };
        let Some(pod) = PodSpec::of(template.object) else { continue };
        let member = Member { template, pool, pod };
        member.check_process(sink);
        member.check_start(sink);
        member.check_readiness(sink);
        member.check_gates(sink);
        member.check_hostname(sink);
        member.check_host_ports(sink);
    }
}

fn check_strategy(pool: &Pool<'_>, sink: &mut Sink) {
    let Some(strategy) = pool.object.root.at(&["spec", "updateStrategy", "type"]) else { return };
    if strategy.as_str() != Some("Recreate") || pool.replicas < LARGE_POOL {
        return;
    }
    let replicas = pool.replicas;
    let message = message!("`Recreate` deletes all {replicas} members of {} at once", pool.shown());
    let mut finding = Diagnostic::new(&RECREATE_EMPTIES_POOL, strategy.span(), message)
        .at("deletes all unclaimed members when the template changes")
        .path(&"spec.updateStrategy.type")
        .note("claims start cold until new members are Ready")
        .help(
            "use `OnReplenish`, which replaces members as claims take them, or split the pool and update one part at a time",
        );
    if let Some(node) = pool.object.root.at(&["spec", "replicas"]) {
        finding = finding.label(node.span(), "all deleted at once");
    }
    sink.report(finding);
}

/// A template whose Pods are members of a pool.
struct Member<'f, 'o> {
    template: &'f Template<'o>,
    pool: &'f Pool<'o>,
    pod: PodSpec<'o>,
}

impl<'o> Member<'_, 'o> {
    /// Adds a label for the pool that is affected by a template's fault.
    fn in_pool(&self, finding: Diagnostic) -> Diagnostic {
        let replicas = self.pool.replicas;
        let members = if replicas == 1 { "member" } else { "members" };
        finding
            .label(self.pool.object.name_span(), message!("keeps {replicas} {members} of it warm"))
    }

    /// The containers that run as long as the Pod: regular ones, and sidecars.
    fn running(&self) -> impl Iterator<Item = Container<'o>> + use<'o> {
        running_containers(&self.pod)
    }

    fn check_process(&self, sink: &mut Sink) {
        let mut containers =
            self.pod.containers().filter(|container| container.list == "containers");
        let ending = containers
            .find_map(|container| Some((container, process::why_it_ends(container.node)?)));
        let Some((container, (at, why))) = ending else { return };
        let policy = self.pod.spec.str_at(&["restartPolicy"]);
        let fate = match policy {
            Some("Never" | "OnFailure") => {
                "the member never becomes Ready and is replaced every 5 minutes"
            }
            _ => {
                "the kubelet keeps restarting the container, so the member is never Ready for long"
            }
        };
        let message = message!(
            "container `{}` of pooled {} exits immediately",
            container.shown_name(),
            self.template.object.describe()
        );
        let finding = Diagnostic::new(&POOL_MEMBER_EXITS, at, message)
            .at(why)
            .path(&format!("{}.{}", self.pod.path(), container.path()))
            .note(fate)
            .help(
                "run a long-lived process, such as a server or `sleep infinity`; use `replicas: 0` for work that completes",
            );
        sink.report(self.in_pool(finding));
    }

    fn check_start(&self, sink: &mut Sink) {
        let slow = self.running().find_map(|container| {
            let seconds = |probe: &str, field: &str| {
                container
                    .node
                    .at(&[probe, field])
                    .and_then(Node::as_i64)
                    .filter(|number| *number > 0)
            };
            let ready = seconds("readinessProbe", "initialDelaySeconds").unwrap_or(0);
            if ready > GRACE_SECONDS {
                return Some((container, "readinessProbe", ready));
            }
            container.node.get("startupProbe")?;
            let delay = seconds("startupProbe", "initialDelaySeconds").unwrap_or(0);
            let period = seconds("startupProbe", "periodSeconds").unwrap_or(10);
            let attempts = seconds("startupProbe", "failureThreshold").unwrap_or(3);
            let patience = delay.saturating_add(period.saturating_mul(attempts));
            (patience > GRACE_SECONDS).then_some((container, "startupProbe", patience))
        });
        let Some((container, probe, seconds)) = slow else { return };
        let Some(entry) = container.node.entry(probe) else { return };
        let message = message!(
            "container `{}` can take {seconds} seconds to become ready, but the pool allows {GRACE_SECONDS}",
            container.shown_name()
        );
        let finding = Diagnostic::new(&POOL_MEMBER_SLOW, entry.key_origin().span(), message)
            .at(message!("waits {seconds} seconds"))
            .path(&format!("{}.{}.{probe}", self.pod.path(), container.path()))
            .note(
                "the controller deletes and replaces a member that is not Ready after 5 minutes",
            )
            .help(
                "make it ready within 5 minutes, for example with a prebuilt image, or raise the controller's `--sandbox-warm-pool-readiness-grace-period`",
            );
        sink.report(self.in_pool(finding));
    }

    fn check_readiness(&self, sink: &mut Sink) {
        if self.running().any(|container| container.node.get("readinessProbe").is_some()) {
            return;
        }
        let serving = self.running().find_map(|container| {
            let ports =
                container.node.entry("ports").filter(|entry| !entry.value.items().is_empty())?;
            Some((container, ports))
        });
        let Some((container, ports)) = serving else { return };
        let message = message!(
            "container `{}` of a pooled template serves ports without a readiness probe",
            container.shown_name()
        );
        let finding = Diagnostic::new(
            &POOL_MEMBER_WITHOUT_READINESS_PROBE,
            ports.key_origin().span(),
            message,
        )
        .at("no probe checks these ports")
        .path(&format!("{}.{}", self.pod.path(), container.path()))
        .note("a member is Ready as soon as its containers run, so claims can get one that is still starting")
        .help("add a `readinessProbe` on one of these ports");
        sink.report(self.in_pool(finding));
    }

    fn check_gates(&self, sink: &mut Sink) {
        let gates = self.pod.spec.entry("schedulingGates");
        let gates = gates.filter(|entry| !entry.value.items().is_empty());
        let queue = self.template.blueprint.labels.get(KUEUE_QUEUE).copied();
        let Some(entry) = gates.or(queue) else { return };
        let message = message!(
            "Pods of pooled {} wait for admission longer than the pool allows",
            self.template.object.describe()
        );
        let what =
            if gates.is_some() { "holds the Pods back" } else { "Kueue holds the Pods back" };
        let finding = Diagnostic::new(&POOL_MEMBER_GATED, entry.key_origin().span(), message)
            .at(what)
            .note(
                "controllers before 1.0.7 delete a member that waits for 5 minutes, so its replacement queues again",
            )
            .help("use a pool with `replicas: 0`, or remove the gate");
        sink.report(self.in_pool(finding));
    }

    fn check_hostname(&self, sink: &mut Sink) {
        let field = ["hostname", "hostnameOverride"]
            .into_iter()
            .find_map(|field| self.pod.spec.entry(field));
        let Some(entry) = field else { return };
        let message = message!("all members of {} get the same host name", self.pool.shown());
        let finding = Diagnostic::new(&POOL_HOSTNAME_SHARED, entry.key_origin().span(), message)
            .at("copied to every Pod")
            .path(&format!("{}.{}", self.pod.path(), entry.key))
            .note("without it each Pod uses its own name");
        sink.report(self.in_pool(finding));
    }

    fn check_host_ports(&self, sink: &mut Sink) {
        let is_on_host = self.pod.spec.get("hostNetwork").and_then(Node::as_bool) == Some(true);
        // The API server copies the container port if the Pod uses the host network.
        let (field, culprit) =
            if is_on_host { ("containerPort", "hostNetwork") } else { ("hostPort", "hostPort") };
        let port = self.running().find_map(|container| {
            let ports = container.node.get("ports")?;
            ports.items().iter().find_map(|port| {
                let entry = port.entry(field)?;
                entry.value.as_i64().filter(|number| *number > 0).map(|number| (entry, number))
            })
        });
        let Some((entry, number)) = port else { return };
        let message =
            message!("each member of {} requires port {number} of its node", self.pool.shown());
        let finding = Diagnostic::new(&POOL_HOST_PORT, entry.key_origin().span(), message)
            .at("available once per node")
            .note("each node can run only one member, and claimed sandboxes keep the port")
            .help(message!("remove `{culprit}`: clients reach sandboxes at their own addresses"));
        sink.report(self.in_pool(finding));
    }
}

impl Pool<'_> {
    /// `SandboxWarmPool/name`, for messages.
    fn shown(&self) -> String {
        self.object.describe()
    }
}
