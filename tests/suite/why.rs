//! `why` and `build --annotate`: the layers of each field.

mod values;

use sandboxc::{
    Annotations, Compilation, Explanation, FieldPath, ObjectQuery, Options, Workspace, compile,
    emit_stream, why, why_all,
};

use crate::support::{fixtures, portion, sampled};

const LAYERS: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: base}
spec:
  image: python:3.11
  command: [sleep, infinity]
  env:
  - {name: A, value: one}
  - {name: S, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}
  nodeSelector: {disk: ssd}
  tolerations: [{key: x, operator: Exists}]
  volumes: [{name: cache, emptyDir: {}}]
  podOverrides:
    containers:
    - name: main
      image: python:3.12
---
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: python}
spec:
  extends: base
  image: python:3.13
  service: false
  nodeSelector: {disk: hdd}
  tolerations: [{key: gpu, operator: Exists}]
  env:
  - {name: S, value: literal}
  volumes: [{name: cache, configMap: {name: c, optional: true}}]
  podOverrides:
    runtimeClassName: null
    containers:
    - name: main
      image: python:3.14
      command: [sleep, '5']
---
apiVersion: sandboxc.dev/v1alpha1
kind: Sandbox
metadata: {name: web}
spec: {extends: python, service: true}
";

fn compiled(text: &str) -> (Workspace, Compilation) {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    let compilation = compile(&workspace, &Options::default());
    assert!(!compilation.has_errors(), "{:?}", compilation.diagnostics);
    (workspace, compilation)
}

fn ask(text: &str, object: &str, path: &str) -> Explanation {
    let (workspace, compilation) = compiled(text);
    let object = ObjectQuery::parse(object).unwrap().find(&compilation.objects).unwrap();
    why(&workspace, &Options::default(), &compilation, object, &FieldPath::from(path)).unwrap()
}

/// The line and value of each layer, lowest first.
fn layers(path: &str) -> Vec<(u32, String)> {
    let path = format!("spec.podTemplate.spec.{path}");
    let layers = ask(LAYERS, "Sandbox/web", &path).layers;
    layers.into_iter().map(|it| (it.line, it.value)).collect()
}

fn expect(layers: &[(u32, String)], expected: &[(u32, &str)]) {
    let expected: Vec<_> = expected.iter().map(|it| (it.0, it.1.to_owned())).collect();
    assert_eq!(layers, expected);
}

#[test]
fn each_replaced_value_is_listed_lowest_layer_first() {
    expect(
        &layers("containers[0].image"),
        &[(5, "python:3.11"), (16, "python:3.12"), (23, "python:3.13"), (34, "python:3.14")],
    );
    expect(&layers("nodeSelector.disk"), &[(10, "ssd"), (25, "hdd")]);
    // A command is replaced as a whole.
    let command = [(6, "[\"sleep\",\"infinity\"]"), (35, "[\"sleep\",\"5\"]")];
    expect(&layers("containers[main].command"), &command);
    expect(&layers("containers[main].command[1]"), &[command[0], (35, "5")]);
    // Tolerations are appended to: nothing is replaced.
    expect(&layers("tolerations[0].key"), &[(11, "x")]);
    expect(&layers("tolerations[1].key"), &[(26, "gpu")]);
    expect(&layers("automountServiceAccountToken"), &[(39, "false")]);
}

/// Each layer has only what it contributed.
#[test]
fn layers_of_maps_and_lists_are_listed_lowest_first() {
    expect(&layers("nodeSelector"), &[(10, r#"{"disk":"ssd"}"#), (25, r#"{"disk":"hdd"}"#)]);
    let tolerations = [
        (11, r#"[{"key":"x","operator":"Exists"}]"#),
        (26, r#"[{"key":"gpu","operator":"Exists"}]"#),
    ];
    expect(&layers("tolerations"), &tolerations);
    expect(
        &layers("containers[main].env"),
        &[
            (
                8,
                r#"[{"name":"A","value":"one"},{"name":"S","valueFrom":{"secretKeyRef":{"name":"s","key":"k","optional":true}}}]"#,
            ),
            (28, r#"[{"name":"S","value":"literal"}]"#),
        ],
    );
    let profile = r#"{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]}}"#;
    expect(&layers("containers[main].securityContext"), &[(39, profile)]);
    expect(
        &layers("volumes[cache].configMap"),
        &[(12, "{}"), (29, r#"{"name":"c","optional":true}"#)],
    );
    let main = layers("containers[main]");
    let lines: Vec<_> = main.iter().map(|it| it.0).collect();
    // The profile, the built-in layer, then the fields and overrides of each template.
    assert_eq!(lines, [39, 39, 5, 15, 22, 33], "{main:?}");
}

const MERGED: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: c}
spec:
  extends: b
  resources: {requests: {cpu: 3}}
  nodeSelector: {z: c}
  podOverrides: {nodeSelector: {a: o}}
---
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: b}
spec:
  extends: a
  resources: {requests: {cpu: 2}, limits: {memory: 2Gi}}
  nodeSelector: {b: b, z: b}
---
apiVersion: sandboxc.dev/v1alpha1
kind: Template
metadata: {name: a}
spec:
  image: one:1
  podSecurityContext: {runAsUser: 1000}
  resources: {requests: {cpu: 1, memory: 1Gi}}
  nodeSelector: {a: a, b: a}
  podOverrides: {nodeSelector: {z: o}, securityContext: {fsGroup: 1}}
";

#[test]
fn three_layers_and_overrides_of_a_map_have_their_own_values() {
    let ask =
        |path: &str| ask(MERGED, "SandboxTemplate/c", &format!("spec.podTemplate.spec.{path}"));
    let layers = |path: &str| -> Vec<_> {
        ask(path).layers.into_iter().map(|it| (it.line, it.value)).collect()
    };
    expect(
        &layers("containers[main].resources"),
        &[
            (24, r#"{"requests":{"cpu":1,"memory":"1Gi"}}"#),
            (15, r#"{"requests":{"cpu":2},"limits":{"memory":"2Gi"}}"#),
            (6, r#"{"requests":{"cpu":3}}"#),
        ],
    );
    expect(
        &layers("nodeSelector"),
        &[
            (25, r#"{"a":"a","b":"a"}"#),
            (26, r#"{"z":"o"}"#),
            (16, r#"{"b":"b","z":"b"}"#),
            (7, r#"{"z":"c"}"#),
            (8, r#"{"a":"o"}"#),
        ],
    );
    let profile = r#"{"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}"#;
    let security = layers("securityContext");
    expect(&security, &[(3, profile), (23, r#"{"runAsUser":1000}"#), (26, r#"{"fsGroup":1}"#)]);
    let explanation = ask("containers[main].resources");
    assert_eq!(
        explanation.value.as_deref(),
        Some(r#"{"requests":{"cpu":3,"memory":"1Gi"},"limits":{"memory":"2Gi"}}"#),
    );
    assert_eq!(
        explanation.notes,
        [
            "`requests`: a.yaml:24 Template/a spec.resources.requests, a.yaml:6 Template/c \
             spec.resources.requests",
            "`limits`: a.yaml:15 Template/b spec.resources.limits",
        ]
    );
}

#[test]
fn a_path_that_misses_an_item_is_explained() {
    let notes = |path: &str| {
        let explanation = ask(LAYERS, "Sandbox/web", &format!("spec.podTemplate.spec.{path}"));
        assert!(explanation.layers.is_empty());
        explanation.notes.join("\n")
    };
    let list = "`spec.podTemplate.spec.tolerations`";
    assert_eq!(
        notes("tolerations.key"),
        format!(
            "{list} is a list: name an item, such as `spec.podTemplate.spec.tolerations[0].key`"
        )
    );
    assert_eq!(
        notes("tolerations[2].key"),
        format!("{list} has 2 items, up to `spec.podTemplate.spec.tolerations[1]`")
    );
    assert_eq!(notes("nodeSelector..x"), "the path contains an empty key");
}

#[test]
fn a_field_outside_of_the_pod_has_its_layers_too() {
    let explanation = ask(LAYERS, "Sandbox/web", "spec.service");
    let shown = "Sandbox/web spec.service: true\n\n  layers, lowest first:\n    \
        a.yaml:24:12  Template/python spec.service  false\n  \
        * a.yaml:40:34  Sandbox/web spec.service      true\n";
    assert_eq!(explanation.render(), shown);
}

#[test]
fn another_member_of_a_union_counts_as_replaced() {
    let explanation =
        ask(LAYERS, "Sandbox/web", "spec.podTemplate.spec.containers[main].env[S].value");
    let [below, _] = &explanation.layers[..] else { panic!("{explanation:?}") };
    assert_eq!(below.line, 9);
    let other = below.other.as_ref().map(ToString::to_string);
    assert_eq!(other.as_deref(), Some("spec.podTemplate.spec.containers[0].env[1].valueFrom"));
    expect(&layers("volumes[cache].configMap.name"), &[(12, "{}"), (29, "c")]);
}

#[test]
fn notes_on_an_absent_field_name_its_removers_and_setters() {
    let notes = |path: &str| {
        let explanation = ask(LAYERS, "Sandbox/web", &format!("spec.podTemplate.{path}"));
        assert!(explanation.layers.is_empty());
        explanation.notes
    };
    assert_eq!(
        notes("spec.containers[main].env[S].valueFrom.secretKeyRef.name"),
        [
            "removed by a.yaml:28: Template/python `spec.env[0].value: literal`; without it the \
             value is \"s\"",
            "Sandbox/web (a.yaml:37) can set it with `spec.env[S].valueFrom.secretKeyRef.name`",
            "Sandbox/web (a.yaml:37) can set it with \
             `spec.podOverrides.containers[main].env[S].valueFrom.secretKeyRef.name`",
        ]
    );
    assert_eq!(
        notes("spec.runtimeClassName"),
        [
            "a.yaml:31: Template/python `spec.podOverrides.runtimeClassName: null` sets nothing: \
             fields can only be added and replaced",
            "Sandbox/web (a.yaml:37) can set it with `spec.runtimeClassName`",
            "Sandbox/web (a.yaml:37) can set it with `spec.podOverrides.runtimeClassName`",
        ]
    );
    assert_eq!(
        notes("metadata.labels.app"),
        ["Sandbox/web (a.yaml:37) can set it with `spec.podMetadata.labels.app`"]
    );
    assert_eq!(
        notes("spec.containers[side].image"),
        ["Sandbox/web (a.yaml:37) can set it with `spec.podOverrides.containers[side].image`"]
    );
    assert_eq!(notes("spec.containers[0].imag"), ["unknown field `imag`: did you mean `image`?"]);
}

#[test]
fn values_of_secrets_are_not_shown() {
    let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {k: hunter2}\n";
    let explanation = ask(text, "Secret/s", "stringData.k");
    assert_eq!(explanation.layers[0].value, "(secret)");
    let (workspace, compilation) = compiled(text);
    let annotations = Annotations::new(&workspace, &compilation);
    let shown = annotations.explain_object(&Options::default(), &compilation.objects[0]).unwrap();
    assert!(shown.contains("k: (secret)  # a.yaml:4\n") && !shown.contains("hunter2"), "{shown}");
}

/// Values that a system computes from those of the author and that have their spans: sums of a
/// quota, and the opposite of `runAsRoot`.
fn is_computed(path: &str) -> bool {
    path.starts_with("spec.hard[") || path.ends_with("securityContext.runAsNonRoot")
}

/// Whether the source has the value or an expression at the line.
fn has_value(workspace: &Workspace, layer: &sandboxc::SetBy) -> bool {
    let file = workspace.ids().find(|it| workspace.file(*it).name() == layer.file).unwrap();
    let text = workspace.file(file).text();
    let rest: Vec<_> = text.lines().skip(layer.line as usize - 1).collect();
    let Some(first) = rest.first() else { return false };
    // A text block, a list or a map continues on the next lines.
    let value = layer.value.replace("\\n", " ").replace("\\t", " ");
    let parts: Vec<_> =
        value.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let is_there = |part: &&str| rest.iter().take(60).any(|line| line.contains(*part));
    first.contains("{{") || layer.value == "(secret)" || parts.iter().take(3).all(is_there)
}

#[test]
fn each_leaf_of_each_fixture_has_its_line() {
    let (mut leaves, mut replaced, mut strange) = (0, 0, Vec::new());
    for fixture in sampled(fixtures("compile"), 6) {
        let (workspace, compilation) = fixture.compile();
        let mut done = std::collections::BTreeSet::new();
        for object in &compilation.objects {
            // One object per definition with `expand` is enough.
            if !done.insert((object.document(), object.gvk().kind().to_owned())) {
                continue;
            }
            for it in why_all(&workspace, &fixture.options, &compilation, object).unwrap() {
                leaves += 1;
                replaced += it.layers.len() - 1;
                assert!(!it.layers.is_empty(), "{}: {it:?}", fixture.name);
                for layer in &it.layers {
                    let is_built_in = layer.layer.starts_with("the ");
                    let is_computed = is_computed(&it.path.to_string());
                    if !is_built_in && !is_computed && !has_value(&workspace, layer) {
                        strange.push(format!("{} {} {layer:?}", fixture.name, it.path));
                    }
                }
            }
        }
    }
    assert!(strange.is_empty(), "{} of {leaves}:\n{}", strange.len(), strange.join("\n"));
    assert!(
        leaves > portion(2_500, 8) && replaced > portion(50, 16),
        "{leaves} leaves, {replaced} replaced values"
    );
}

#[test]
fn an_annotated_object_is_the_same_object() {
    for fixture in fixtures("compile") {
        let (workspace, compilation) = fixture.compile();
        let mut annotated = Vec::new();
        let annotations = Annotations::new(&workspace, &compilation);
        annotations.write_stream(&compilation.objects, &mut annotated).unwrap();
        let annotated = String::from_utf8(annotated).unwrap();
        let plain = emit_stream(&compilation.objects);
        let read = |text: &str| -> Vec<serde_yaml::Value> {
            use serde::Deserialize as _;
            let documents = serde_yaml::Deserializer::from_str(text);
            documents.map(|it| serde_yaml::Value::deserialize(it).unwrap()).collect()
        };
        assert_eq!(read(&annotated), read(&plain), "{}", fixture.name);
        assert_eq!(annotated.lines().count(), plain.lines().count());
        let mut in_block = None;
        for (line, plain) in annotated.lines().zip(plain.lines()) {
            let indent = plain.len() - plain.trim_start().len();
            if in_block.is_some_and(|block| indent > block || plain.is_empty()) {
                assert_eq!(line, plain);
                continue;
            }
            let header =
                plain.trim_end_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-');
            in_block = header.ends_with('|').then_some(indent);
            let comment = line.strip_prefix(plain).unwrap_or_else(|| panic!("{plain}\n{line}"));
            let is_bare = plain == "---" || plain == "# end";
            assert_eq!(comment.starts_with("  # "), !is_bare, "{}: {line}", fixture.name);
        }
    }
}

#[test]
fn each_field_of_a_map_has_a_note_up_to_a_limit() {
    let key = "k".repeat(40_000);
    for (count, is_answered) in [(100, true), (10_000, false)] {
        let fields: Vec<_> = (0..count).map(|it| format!("a{it}: 1")).collect();
        let text = format!(
            "apiVersion: e.io/v1\nkind: Widget\nmetadata: {{name: a}}\nspec:\n  ? {key}\n  : {{{}}}\n",
            fields.join(", ")
        );
        let (workspace, compilation) = compiled(&text);
        let object = ObjectQuery::parse("Widget/a").unwrap().find(&compilation.objects).unwrap();
        let path = FieldPath::from(format!("spec.{key}").as_str());
        let answer = why(&workspace, &Options::default(), &compilation, object, &path);
        assert_eq!(answer.map(|it| it.notes.len()).ok(), is_answered.then_some(count));
    }
}

const TASK: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Task
metadata: {name: fix}
spec:
  agent: claude-code
  credentials: {type: none}
  prompt: Fix it.
  image: a:1
  podSecurityContext: {runAsUser: 1000}
";

/// Without its prompt there is no Job, so the layer of the definition cannot be removed.
#[test]
fn a_list_is_explained_by_item_and_field() {
    let Explanation { layers, notes, .. } = ask(TASK, "Job/fix", "spec.template.spec.containers");
    let layers: Vec<_> = layers.iter().map(|it| (it.layer.as_str(), it.value.as_str())).collect();
    let own = r#"[{"name":"kelos-agent","image":"a:1","args":["Fix it."]}]"#;
    assert_eq!(layers.last(), Some(&("Task/fix spec", own)));
    let built_in = layers.iter().find(|it| it.0 == "the built-in layer").expect("a layer");
    assert!(built_in.1.contains("KELOS_AGENT_TYPE"), "{built_in:?}");
    for note in [
        "`[0].image`: a.yaml:8 Task/fix spec.image",
        "`[0].args`: a.yaml:7 Task/fix spec.prompt",
        "`[0].command`: a.yaml:3 the built-in layer",
        "`[0].env`: a.yaml:3 the built-in layer",
        "`[0].securityContext`: a.yaml:3 the security profile `restricted`",
    ] {
        assert!(notes.iter().any(|it| it == note), "{note} in {notes:#?}");
    }
}
