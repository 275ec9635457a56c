//! The API of agent-sandbox: four kinds in two groups and two versions, as data.
//!
//! The custom resource definitions that `crds` prints are generated from this description, and
//! agent-sandbox objects are checked against them: the printed schema is the checked one. Its rules
//! in the Common Expression Language only apply to updates, so none is run; a test ensures that.

mod blueprint;
mod condition;
mod controller_line;
mod sandbox;
mod sandbox_claim;
mod sandbox_template;
mod sandbox_warm_pool;

pub(crate) use controller_line::ControllerLine;

use crate::crd::Installed;
use crate::crd::description::{Conversion, Kind, Newer, Removed, System, Version};
use crate::schema::KubernetesVersion;

/// The group of Sandbox.
pub(crate) const CORE_GROUP: &str = "agents.x-k8s.io";
/// The group of SandboxTemplate, SandboxWarmPool and SandboxClaim.
pub(crate) const EXTENSIONS_GROUP: &str = "extensions.agents.x-k8s.io";

/// All kinds of line 0.5, by name of their custom resource definition.
static KINDS_0_5: [&Kind; 4] = [
    &sandbox_claim::SANDBOX_CLAIM_0_5,
    &sandbox::SANDBOX,
    &sandbox_template::SANDBOX_TEMPLATE,
    &sandbox_warm_pool::SANDBOX_WARM_POOL,
];

/// All kinds of line 1.0.
pub(crate) static KINDS: [&Kind; 4] = [
    &sandbox_claim::SANDBOX_CLAIM,
    &sandbox::SANDBOX,
    &sandbox_template::SANDBOX_TEMPLATE,
    &sandbox_warm_pool::SANDBOX_WARM_POOL,
];

/// Deprecated in 0.5, removed in 1.0.
const V1ALPHA1: &str = "v1alpha1";
/// The stored version.
const V1BETA1: &str = "v1beta1";

/// The custom resources of line 0.5, of release 0.5.6.
static LINE_0_5: System = System {
    name: "agent-sandbox",
    kinds: &KINDS_0_5,
    versions: &[
        Version { name: V1BETA1, is_deprecated: false },
        Version { name: V1ALPHA1, is_deprecated: true },
    ],
    removed: None,
    newer: Some(&Newer {
        system: &LINE_1_0,
        release: "agent-sandbox 1.0",
        instead: "if the cluster runs agent-sandbox 1.0 or later, use `--agent-sandbox 1.0`, or \
                  `agentSandbox: {release: \"1.0\"}` in the Project",
    }),
    conversion: Some(&Conversion {
        service: "agent-sandbox-webhook-service",
        namespace: "agent-sandbox-system",
        path: "/convert",
        review_versions: &["v1", "v1beta1"],
    }),
    embeds: KubernetesVersion::V1_36,
    files: &[],
    installed: Installed::new(),
};

/// The custom resources of line 1.0, of release 1.0.3.
static LINE_1_0: System = System {
    versions: &[Version { name: V1BETA1, is_deprecated: false }],
    removed: Some(&Removed {
        version: V1ALPHA1,
        release: "agent-sandbox 1.0",
        served_by: &LINE_0_5,
        instead: "`sandboxc migrate` converts it; if the cluster runs agent-sandbox 0.5, use `--agent-sandbox 0.5`, or \
                  `agentSandbox: {release: \"0.5\"}` in the Project",
    }),
    newer: None,
    conversion: None,
    name: "agent-sandbox",
    kinds: &KINDS,
    embeds: KubernetesVersion::V1_37,
    files: &[],
    installed: Installed::new(),
};

/// The custom resources of a release line.
pub(crate) const fn of_line(line: ControllerLine) -> &'static System {
    match line {
        ControllerLine::V0_5 => &LINE_0_5,
        ControllerLine::V1_0 => &LINE_1_0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crd::{crds, visit_embedded};
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};

    /// All rules in a schema.
    fn rules_in(schema: &Node) -> Vec<&str> {
        let own = schema.get("x-kubernetes-validations").map_or(&[][..], Node::items);
        let mut rules: Vec<_> = own.iter().filter_map(|it| it.str_at(&["rule"])).collect();
        let below = schema.get("properties").map_or(&[][..], Node::entries);
        let below = below.iter().map(|it| &it.value);
        rules.extend(below.chain(schema.get("items")).flat_map(rules_in));
        rules
    }

    /// That is why they are not run.
    #[test]
    fn rules_only_apply_to_updates() {
        let mut count = 0;
        for definition in ControllerLine::ALL.into_iter().flat_map(|line| crds(of_line(line))) {
            let versions = definition.root.at(&["spec", "versions"]).unwrap();
            for version in versions.items() {
                let schema = version.at(&["schema", "openAPIV3Schema"]).unwrap();
                for rule in rules_in(schema) {
                    count += 1;
                    assert!(rule.contains("oldSelf"), "{rule}");
                }
            }
        }
        assert!(count > 0);
    }

    #[test]
    fn finds_pods_claims_and_rules() {
        let json = serde_json::json!({"spec": {
            "podTemplate": {"spec": {}},
            "volumeClaimTemplates": [{"spec": {}}, {"metadata": {}}],
            "networkPolicy": {"ingress": [{}, {}]},
        }});
        let root = Node::from_json(json, Origin::source(Workspace::new().start()));
        let kind = &sandbox_template::SANDBOX_TEMPLATE;
        let mut found = Vec::new();
        visit_embedded(kind, "v1beta1", &root, &mut |_, path, name| {
            found.push(format!("{path} {}", name.rsplit('.').next().unwrap()));
        });
        found.sort();
        assert_eq!(
            found,
            [
                "spec.networkPolicy.ingress[0] NetworkPolicyIngressRule",
                "spec.networkPolicy.ingress[1] NetworkPolicyIngressRule",
                "spec.podTemplate.spec PodSpec",
                "spec.volumeClaimTemplates[0].spec PersistentVolumeClaimSpec",
            ]
        );
    }
}
