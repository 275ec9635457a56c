//! Definitions with tens of thousands of items are compiled in linear time. A quadratic algorithm
//! takes minutes for each of these in a debug build. Without all inputs only some are compiled.

use std::time::{Duration, Instant};

use sandboxc::{Compilation, FieldPath, ObjectQuery, Options, Workspace, compile, why};

use crate::support::{has_all, sampled};

const ITEMS: usize = 50_000;

/// A time limit far above that of these inputs on a busy machine.
const SOON: Duration = Duration::from_mins(1);

/// `item` of 0, 1, 2 and so on, joined.
fn list(item: impl Fn(usize) -> String) -> String {
    (0..ITEMS).map(item).collect::<Vec<_>>().join(", ")
}

fn definition(kind: &str, spec: &str) -> String {
    format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{{spec}}}\n"
    )
}

fn assert_linear(documents: &[String]) {
    assert_linear_after(documents, |_, _| ());
}

/// Compiles the documents, and then calls `then`.
fn assert_linear_after(
    documents: &[String],
    then: impl FnOnce(&Workspace, &Compilation),
) -> Compilation {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", documents.join("---\n"));
    let start = Instant::now();
    let compilation = compile(&workspace, &Options::default());
    then(&workspace, &compilation);
    let took = start.elapsed();
    assert_eq!(compilation.files, 1);
    assert!(took < SOON, "{took:?}: {}", documents[0].get(..200).unwrap_or_default());
    compilation
}

#[test]
fn settings_of_a_project() {
    assert_linear(&[definition("Project", &list(|it| format!("f{it}: 1")))]);
}

#[test]
fn names_that_an_expression_tests() {
    if !has_all() {
        return;
    }
    let names = list(|it| format!("{{{{ values.a{it}|d(1) }}}}"));
    let project = definition("Project", "values: {b: 1}");
    assert_linear(&[project, definition("Template", &format!("image: a, args: ['{names}']"))]);
}

#[test]
fn volume_claims_and_volumes() {
    let claims = list(|it| format!("{{name: v{it}, size: 1Gi}}"));
    let volumes = list(|it| format!("{{name: w{it}, emptyDir: {{}}}}"));
    let base =
        format!("image: a, volumeClaims: [{claims}], podOverrides: {{volumes: [{volumes}]}}");
    let heir = format!("extends: a, volumeClaims: [{claims}]");
    let heir = definition("Template", &heir).replace("name: a}\n", "name: b}\n");
    assert_linear(&[definition("Template", &base), heir]);
}

#[test]
fn servers_skills_and_plugins_of_an_agent() {
    let secret = |it| format!("valueFrom: {{secretKeyRef: {{name: s, key: k{it}}}}}");
    let fields = [
        format!(
            "mcpServers: [{}]",
            list(|it| format!("{{name: m{it}, type: http, url: 'http://a'}}"))
        ),
        format!(
            "mcpServers: [{{name: m, type: stdio, command: x, env: [{}]}}]",
            list(|it| format!("{{name: A{it}, {}}}", secret(it)))
        ),
        format!("skills: [{}]", list(|it| format!("{{source: a/b, secretRef: {{name: s{it}}}}}"))),
        format!(
            "plugins: [{}]",
            list(|it| format!("{{name: p{it}, skills: [{{name: s, content: c}}]}}"))
        ),
    ];
    for field in sampled(fields, 4) {
        let task = "agent: codex, credentials: {type: none}, prompt: a, agentConfigs: [a]";
        assert_linear(&[definition("AgentConfig", &field), definition("Task", task)]);
    }
}

#[test]
fn resources_of_a_node() {
    if !has_all() {
        return;
    }
    let containers =
        list(|it| format!("{{name: c{it}, image: a, resources: {{requests: {{x.io/r{it}: 1}}}}}}"));
    let pool = format!(
        "{{name: ci, labels: [{{name: l, type: pod, spec: {{containers: [{containers}]}}}}]}}"
    );
    let spec = format!("resourceQuota: true, pools: [{pool}]");
    assert_linear(&[definition("NodePool", &spec)]);
}

#[test]
fn versions_of_a_custom_resource_definition() {
    let schema = "openAPIV3Schema: {type: object, properties: {spec: {type: string}}}";
    let version = |it| {
        format!("{{name: v{}, served: true, storage: {}, schema: {{{schema}}}}}", it + 1, it == 0)
    };
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: {{name: things.example.com}}\nspec:\n  group: example.com\n  \
         scope: Namespaced\n  names: {{plural: things, singular: thing, kind: Thing}}\n  \
         versions: [{}]\n",
        list(version)
    );
    assert_linear(&[text]);
}

#[test]
fn volumes_of_a_server() {
    if !has_all() {
        return;
    }
    let volumes = list(|it| format!("{{name: v{it}, emptyDir: {{}}}}"));
    let mounts = list(|it| format!("{{name: v{}, mountPath: /a{it}}}", ITEMS - it));
    let spec = format!("serverName: s, image: a, volumes: [{volumes}], volumeMounts: [{mounts}]");
    assert_linear(&[definition("Server", &spec)]);
}

#[test]
fn lines_of_an_expression_that_creates_a_map() {
    // More do not fit into the annotations of an object.
    const KEYS: usize = 30_000;
    let keys: Vec<_> = (0..KEYS).map(|it| format!("k{it}: '1'")).collect();
    let values = format!("values: {{a: {{{}}}}}", keys.join(", "));
    let sandbox =
        definition("Sandbox", "image: 'a:1', podMetadata: {annotations: '{{ values.a }}'}");
    let documents = [definition("Project", &values), sandbox];
    assert_linear_after(&documents, |workspace, compilation| {
        let path = FieldPath::from("spec.podTemplate.metadata.annotations");
        let object = ObjectQuery::parse("Sandbox/a").unwrap().find(&compilation.objects).unwrap();
        let options = Options::default();
        let explanation = why(workspace, &options, compilation, object, &path).unwrap();
        let [.., last] = explanation.notes.as_slice() else { panic!("{:?}", explanation.layers) };
        let place = "a.yaml:9 Sandbox/a spec.podMetadata.annotations";
        // In the order of the keys.
        assert_eq!(*last, format!("`k9999`: {place}"));
    });
}

/// Each of the objects would get a large default.
#[test]
fn objects_that_could_be_parameters_of_a_policy() {
    if !has_all() {
        return;
    }
    let group = "admissionregistration.k8s.io/v1";
    let keep = "type: object, x-kubernetes-preserve-unknown-fields: true";
    let default = list(|it| format!("k{it}: v"));
    let kind = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
         metadata: {{name: things.example.com}}\nspec:\n  group: example.com\n  \
         scope: Namespaced\n  names: {{plural: things, singular: thing, kind: Thing}}\n  \
         versions: [{{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: \
         {{type: object, properties: {{spec: {{{keep}, default: {{{default}}}}}}}}}}}}}]\n"
    );
    let policy = format!(
        "apiVersion: {group}\nkind: ValidatingAdmissionPolicy\nmetadata: {{name: p}}\nspec:\n  \
         paramKind: {{apiVersion: example.com/v1, kind: Thing}}\n  matchConstraints: {{resourceRules: \
         [{{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}}]}}\n  \
         validations: [{{expression: params.spec.k7 != 'v'}}]\n"
    );
    let binding = format!(
        "apiVersion: {group}\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {{name: b}}\nspec: \
         {{policyName: p, validationActions: [Deny], paramRef: \
         {{name: t7, namespace: default, parameterNotFoundAction: Deny}}}}\n"
    );
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n".to_owned();
    let mut documents = vec![kind, policy, binding, config];
    documents.extend((0..ITEMS).map(|it| {
        let meta = format!("{{name: t{it}, namespace: default}}");
        format!("apiVersion: example.com/v1\nkind: Thing\nmetadata: {meta}\n")
    }));
    let compilation = assert_linear_after(&documents, |_, _| ());
    let found: Vec<_> = compilation.diagnostics.iter().map(|it| it.rule.name).collect();
    // The one parameter has its default.
    assert_eq!(found, ["object-too-large-to-apply", "policy-denied"]);
}
