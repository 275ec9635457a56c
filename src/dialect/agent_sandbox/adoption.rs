//! `import`: custom resources as definitions.

use crate::convert::Refused;
use crate::diag::{Diagnostic, message};
use crate::lower::{API_VERSION, Adoption, IMPORT_DEFAULT};
use crate::pod_security::{Profile, strictest};
use crate::schema::KubernetesVersion;
use crate::tree::{Map, Node, Origin, Value};
use crate::workload::{ContainerFields, PodSpecFields};

use super::names::{
    AGENTS_GROUP, EXTENSIONS_GROUP, POD_NAME, SANDBOX, SANDBOX_CLAIM, SANDBOX_TEMPLATE,
    SANDBOX_WARM_POOL, TEMPLATE_REF_HASH,
};

pub(super) const ADOPTION: Adoption = Adoption {
    groups: &[AGENTS_GROUP, EXTENSIONS_GROUP],
    owners: &[SANDBOX_WARM_POOL, SANDBOX_CLAIM],
    set_by_controllers: &[
        TEMPLATE_REF_HASH,
        POD_NAME,
        "agents.x-k8s.io/sandbox-name",
        "agents.x-k8s.io/controller-first-observed-at",
        "agents.x-k8s.io/claim-first-ready-at",
        "agents.x-k8s.io/client-first-requested-at",
        "agents.x-k8s.io/webhook-first-observed-at",
        "agents.x-k8s.io/creation-latency-recorded",
        "agents.x-k8s.io/storage-migrated-at",
    ],
    definition: convert_resource,
    base: "Template",
};

fn convert_resource(resource: &mut Node, notes: &mut Vec<Diagnostic>) -> Result<Node, Refused> {
    write_token(resource, notes);
    let resource = &*resource;
    let mut spec = Fields::of(resource.get("spec"), resource)?;
    let origin = spec.origin;
    let mut definition = Fields::empty(origin);
    let kind = match resource.text_at(&["kind"]) {
        SANDBOX_TEMPLATE => {
            convert_blueprint(&mut spec, &mut definition)?;
            convert_network(&mut spec, &mut definition)?;
            convert_claim_policies(&mut spec, &mut definition);
            "Template"
        }
        SANDBOX => {
            convert_blueprint(&mut spec, &mut definition)?;
            for key in ["operatingMode", "shutdownTime", "shutdownPolicy"] {
                spec.moves(key, key, &mut definition);
            }
            "Sandbox"
        }
        SANDBOX_WARM_POOL => {
            spec.moves_inner("sandboxTemplateRef", "name", "template", &mut definition)?;
            spec.moves("replicas", "replicas", &mut definition);
            spec.moves_inner("updateStrategy", "type", "updateStrategy", &mut definition)?;
            "WarmPool"
        }
        SANDBOX_CLAIM => {
            spec.moves_inner("warmPoolRef", "name", "warmPool", &mut definition)?;
            spec.moves("lifecycle", "lifecycle", &mut definition);
            spec.moves("additionalPodMetadata", "podMetadata", &mut definition);
            spec.moves("env", "env", &mut definition);
            convert_volume_claims(&mut spec, &mut definition)?;
            "Claim"
        }
        other => {
            let message = message!("definitions have no kind for `{other}`");
            return Err(Refused::new(resource.span().start_point(), message, ""));
        }
    };
    spec.finish("spec")?;
    let mut metadata = Fields::of(resource.get("metadata"), resource)?;
    let mut own = Fields::empty(origin);
    for key in ["name", "namespace", "labels", "annotations"] {
        metadata.moves(key, key, &mut own);
    }
    metadata.finish("metadata")?;
    let mut root = Node::map(origin);
    root.set("apiVersion", Node::string(API_VERSION, origin));
    root.set("kind", Node::string(kind, origin));
    root.set("metadata", own.into_node());
    root.set("spec", definition.into_node());
    Ok(root)
}

/// Writes out whether a token is mounted, which definitions always do: the controller mounts none in
/// sandboxes of templates by default, and Kubernetes mounts one in others.
fn write_token(resource: &mut Node, notes: &mut Vec<Diagnostic>) {
    let is_template = resource.str_at(&["kind"]) == Some(SANDBOX_TEMPLATE);
    let (place, name) = (resource.span().start_point(), resource.str_at(&["metadata", "name"]));
    let message = message!(
        "`automountServiceAccountToken` of `{}` is written out, as definitions always set it",
        name.unwrap_or_default()
    );
    let template = resource.get_mut("spec").and_then(|it| it.get_mut("podTemplate"));
    let Some(pod) = template.and_then(|it| it.get_mut("spec")) else { return };
    if pod.get("automountServiceAccountToken").is_some() || pod.as_map().is_none() {
        return;
    }
    pod.set("automountServiceAccountToken", Node::bool(!is_template, pod.origin()));
    let note = message!("`{}` is the value that applies without it", !is_template);
    notes.push(Diagnostic::new(&IMPORT_DEFAULT, place, message).at("not set here").note(note));
}

/// The Pod, the volume claims and the Service.
fn convert_blueprint(spec: &mut Fields, definition: &mut Fields) -> Result<(), Refused> {
    let origin = definition.origin;
    let mut template = spec.inner("podTemplate")?;
    // A Pod that satisfies a profile is not changed by it.
    let profile = profile_of(&template);
    let mut pod = template.inner("spec")?;
    template.moves("metadata", "podMetadata", definition);
    template.finish("spec.podTemplate")?;
    let mut overrides = Fields::empty(origin);
    convert_containers(&mut pod, definition, &mut overrides)?;
    for (name, key) in PodSpecFields::NAMES {
        pod.moves(key, name, definition);
    }
    overrides.map.extend(pod.map.into_entries());
    if !overrides.map.is_empty() {
        definition.set("podOverrides", overrides.into_node());
    }
    definition.set("security", Node::string(profile.as_str(), origin));
    convert_volume_claims(spec, definition)?;
    spec.moves("service", "service", definition);
    Ok(())
}

/// The strictest profile that the Pod of a template satisfies.
fn profile_of(template: &Fields) -> Profile {
    let (spec, metadata) = (template.map.get("spec"), template.map.get("metadata"));
    spec.map_or(Profile::Privileged, |spec| strictest(spec, metadata, KubernetesVersion::NEWEST))
}

/// The main container, which is `main` or the first one; the others are overrides.
fn convert_containers(
    pod: &mut Fields,
    definition: &mut Fields,
    overrides: &mut Fields,
) -> Result<(), Refused> {
    let Some(list) = pod.map.remove("containers") else {
        let message = "the Pod has no containers";
        return Err(Refused::new(pod.origin.span().start_point(), message, ""));
    };
    let span = list.value.span();
    let containers = list.value.into_items();
    let name = |node: &Node| node.text_at(&["name"]).to_owned();
    let main = containers.iter().position(|container| name(container) == "main").unwrap_or(0);
    let mut rest = Vec::new();
    for (index, container) in containers.into_iter().enumerate() {
        if index != main {
            rest.push(container);
            continue;
        }
        let origin = definition.origin;
        let mut fields = Fields { map: container.as_map().cloned().unwrap_or_default(), origin };
        if name(&container) == "main" {
            fields.map.remove("name");
        } else {
            fields.moves("name", "container", definition);
        }
        for (name, key) in ContainerFields::NAMES {
            fields.moves(key, name, definition);
        }
        if !fields.map.is_empty() {
            let mut own = Fields::empty(origin);
            own.set("name", Node::string(name(&container), origin));
            own.map.extend(fields.map.into_entries());
            rest.insert(0, own.into_node());
        }
    }
    if !rest.is_empty() {
        overrides.set("containers", Node::list(rest, Origin::source(span)));
    }
    Ok(())
}

fn convert_network(spec: &mut Fields, definition: &mut Fields) -> Result<(), Refused> {
    let mut network = Fields::empty(definition.origin);
    spec.moves("networkPolicyManagement", "management", &mut network);
    if let Some(policy) = spec.map.get("networkPolicy").filter(|it| !it.is_null()) {
        if policy.entries().is_empty() {
            let message =
                "`networkPolicy: {}` denies all traffic, which definitions express as rules";
            return Err(Refused::new(
                policy.span(),
                message,
                "write `ingress: []` and `egress: []`",
            ));
        }
        let mut rules = spec.inner("networkPolicy")?;
        rules.moves("ingress", "ingress", &mut network);
        rules.moves("egress", "egress", &mut network);
        rules.finish("spec.networkPolicy")?;
    }
    if !network.map.is_empty() {
        definition.set("network", network.into_node());
    }
    Ok(())
}

fn convert_claim_policies(spec: &mut Fields, definition: &mut Fields) {
    let mut claims = Fields::empty(definition.origin);
    spec.moves("envVarsInjectionPolicy", "env", &mut claims);
    spec.moves("volumeClaimTemplatesPolicy", "volumeClaims", &mut claims);
    if !claims.map.is_empty() {
        definition.set("claims", claims.into_node());
    }
}

fn convert_volume_claims(spec: &mut Fields, definition: &mut Fields) -> Result<(), Refused> {
    let Some(list) = spec.map.remove("volumeClaimTemplates") else { return Ok(()) };
    let origin = definition.origin;
    let mut claims = Vec::new();
    for item in list.value.into_items() {
        let mut template = Fields { map: item.as_map().cloned().unwrap_or_default(), origin };
        let mut metadata = template.inner("metadata")?;
        let mut claim = Fields::empty(origin);
        for key in ["name", "labels", "annotations"] {
            metadata.moves(key, key, &mut claim);
        }
        metadata.finish("metadata of a volume claim")?;
        let mut own = template.inner("spec")?;
        template.finish("a volume claim")?;
        for key in ["storageClassName", "accessModes", "volumeMode"] {
            own.moves(key, key, &mut claim);
        }
        // The size alone has a field of its own.
        let resources = own.map.get("resources");
        let is_size = |node: &Node| node.entries().len() == 1;
        let requests = resources.filter(|node| is_size(node)).and_then(|it| it.get("requests"));
        let storage = requests.filter(|node| is_size(node)).and_then(|it| it.entry("storage"));
        if let Some(size) = storage.cloned() {
            own.map.remove("resources");
            claim.map.push(size.renamed("size"));
        }
        if !own.map.is_empty() {
            claim.set("spec", own.into_node());
        }
        claims.push(claim.into_node());
    }
    definition.set("volumeClaims", Node::list(claims, origin));
    Ok(())
}

/// The fields of a map that are still to be converted, or those of the result.
struct Fields {
    map: Map,
    origin: Origin,
}

impl Fields {
    fn empty(origin: Origin) -> Self {
        Self { map: Map::default(), origin }
    }

    fn of(node: Option<&Node>, around: &Node) -> Result<Self, Refused> {
        let node = node.unwrap_or(around);
        match node.as_map() {
            Some(map) => Ok(Self { map: map.clone(), origin: node.origin() }),
            None => {
                Err(Refused::new(node.span(), message!("it is {}, not a map", node.describe()), ""))
            }
        }
    }

    fn set(&mut self, key: &str, value: Node) {
        self.map.insert(key, self.origin, value);
    }

    /// Moves a field, unless it is null.
    fn moves(&mut self, key: &str, to: &str, target: &mut Self) {
        if let Some(entry) = self.map.remove(key).filter(|entry| !entry.value.is_null()) {
            target.map.push(entry.renamed(to));
        }
    }

    /// Takes the fields of a map.
    fn inner(&mut self, key: &str) -> Result<Self, Refused> {
        let Some(entry) = self.map.remove(key) else { return Ok(Self::empty(self.origin)) };
        let around = Node::new(Value::Map(Map::default()), self.origin);
        Self::of(Some(&entry.value).filter(|it| !it.is_null()), &around)
    }

    /// Moves the only field of a map.
    fn moves_inner(
        &mut self,
        key: &str,
        inner: &str,
        to: &str,
        target: &mut Self,
    ) -> Result<(), Refused> {
        let mut fields = self.inner(key)?;
        fields.moves(inner, to, target);
        fields.finish(key)
    }

    /// Checks that nothing is left.
    fn finish(self, path: &str) -> Result<(), Refused> {
        let left = self.map.entries().iter().find(|entry| !entry.value.is_null());
        left.map_or(Ok(()), |entry| {
            let message = message!("definitions have no field for `{}` of `{path}`", entry.key);
            Err(Refused::new(entry.key_origin().span(), message, ""))
        })
    }

    fn into_node(self) -> Node {
        Node::new(Value::Map(self.map), self.origin)
    }
}
