//! The layers of values that an expression reads: the Project, its environment, files and options.

use sandboxc::{
    Annotations, Compilation, Explanation, FieldPath, ObjectQuery, Options, Workspace, compile,
    explanations_to_json, why,
};

const PROJECT: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Project
spec:
  values:
    image: {tag: 3.10, name: python}
    selector: {disk: ssd, zone: a}
    token: hidden
  environments:
    prod: {values: {image: {tag: '3.11'}}}
";

const DEFINITION: &str = "\
apiVersion: sandboxc.dev/v1alpha1
kind: Sandbox
metadata: {name: dev}
spec:
  image: '{{ values.image.name }}:{{ values.image.tag }}'
  command: [sleep, infinity]
  nodeSelector: '{{ values.selector }}'
---
apiVersion: v1
kind: Secret
metadata: {name: s}
stringData: {token: plain}
";

fn compiled(options: &Options) -> (Workspace, Compilation) {
    let mut workspace = Workspace::new();
    workspace.add("sandboxc.yaml", PROJECT);
    workspace.add("a.yaml", DEFINITION);
    workspace.add_values("v.yaml", Vec::new(), "image: {tag: 3.12}\n");
    workspace.add_values("--set image.tag", vec!["image".into(), "tag".into()], "3.20");
    workspace.add_values("--set selector.disk", vec!["selector".into(), "disk".into()], "hdd");
    let compilation = compile(&workspace, options);
    assert!(!compilation.has_errors(), "{:?}", compilation.diagnostics);
    (workspace, compilation)
}

fn ask(options: &Options, path: &str) -> Explanation {
    let (workspace, compilation) = compiled(options);
    let object = ObjectQuery::parse("Sandbox/dev").unwrap().find(&compilation.objects).unwrap();
    why(&workspace, options, &compilation, object, &FieldPath::from(path)).unwrap()
}

fn prod() -> Options {
    let mut options = Options::default();
    options.environment = Some("prod".to_owned());
    options
}

const IMAGE: &str = "spec.podTemplate.spec.containers[main].image";

#[test]
fn each_layer_of_a_value_is_listed_lowest_first() {
    let expected = "Sandbox/dev spec.podTemplate.spec.containers[0].image: python:3.20

  * a.yaml:5:10            Sandbox/dev spec.image                           python:3.20
      reads values.image.name:
      * sandboxc.yaml:5:30  Project spec.values.image.name                   python
      reads values.image.tag:
        sandboxc.yaml:5:18  Project spec.values.image.tag                    3.10
        sandboxc.yaml:9:34  Project spec.environments.prod.values.image.tag  3.11
        v.yaml:1:14         values.image.tag                                 3.12
      * --set image.tag     values.image.tag                                 3.20
";
    let shown = ask(&prod(), IMAGE).render();
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(plain(&shown), plain(expected), "{shown}");
    let without = ask(&Options::default(), IMAGE).render();
    assert!(!without.contains("environments"), "{without}");
}

#[test]
fn a_part_of_a_value_that_is_read_as_a_whole_counts() {
    let path = "spec.podTemplate.spec.nodeSelector.disk";
    let [layer] = &ask(&prod(), path).layers[..] else { panic!("one layer") };
    let [read] = &layer.reads[..] else { panic!("one value") };
    let values: Vec<_> = read.layers.iter().map(|it| it.value.as_str()).collect();
    assert_eq!((layer.value.as_str(), read.name.as_str()), ("hdd", "values.selector"));
    assert_eq!(values, ["{\"disk\":\"ssd\",\"zone\":\"a\"}", "hdd"]);
}

#[test]
fn a_plain_value_reads_nothing() {
    let path = "spec.podTemplate.spec.containers[main].command";
    assert!(ask(&prod(), path).layers.iter().all(|it| it.reads.is_empty()));
}

#[test]
fn comments_and_json_name_the_source_of_a_value() {
    let (workspace, compilation) = compiled(&prod());
    let object = ObjectQuery::parse("Sandbox/dev").unwrap().find(&compilation.objects).unwrap();
    let text = Annotations::new(&workspace, &compilation).explain_object(&prod(), object).unwrap();
    let line = "image: python:3.20  # a.yaml:5, values.image.name sandboxc.yaml:5, \
        values.image.tag --set image.tag\n";
    assert!(text.contains(line), "{text}");
    let json = explanations_to_json(&[ask(&prod(), IMAGE)]);
    let answer: serde_json::Value = serde_json::from_str(&json).unwrap();
    let read = &answer["fields"][0]["layers"][0]["reads"][1];
    assert_eq!(read["name"], "values.image.tag");
    assert_eq!(read["layers"][3]["file"], "--set image.tag");
}

#[test]
fn values_in_a_secret_are_hidden() {
    let mut workspace = Workspace::new();
    workspace.add("sandboxc.yaml", PROJECT);
    let definition = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\n\
        spec: {image: i, env: [{name: API_TOKEN, value: '{{ values.token }}'}]}\n";
    workspace.add("a.yaml", definition);
    let options = Options::default();
    let compilation = compile(&workspace, &options);
    let object = ObjectQuery::parse("Sandbox/dev").unwrap().find(&compilation.objects).unwrap();
    let path = FieldPath::from("spec.podTemplate.spec.containers[main].env[API_TOKEN].value");
    let explanation = why(&workspace, &options, &compilation, object, &path).unwrap();
    let [layer] = &explanation.layers[..] else { panic!("{explanation:?}") };
    // A value is as secret as the field that reads it.
    let is_hidden = layer.value == "(secret)";
    assert_eq!(layer.reads[0].layers[0].value == "(secret)", is_hidden, "{explanation:?}");
}

/// Thousands of lines can have the comment of one expression, and thousands of fields can read one value.
#[test]
fn long_values_and_many_names_are_truncated() {
    let values = (0..40).map(|it| format!("value{it}: '{}'", "x".repeat(100)));
    let values = values.collect::<Vec<_>>().join(", ");
    let names = (0..40).map(|it| format!("values.all.value{it}")).collect::<Vec<_>>().join(", ");
    let mut workspace = Workspace::new();
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\n";
    workspace.add("sandboxc.yaml", format!("{project}spec: {{values: {{all: {{{values}}}}}}}\n"));
    let definition = "apiVersion: sandboxc.dev/v1alpha1\nkind: Sandbox\nmetadata: {name: dev}\n";
    let args = format!("['{{{{ 1 if values.all else 2 }}}}x', '{{{{ [{names}]|length }}}}x']");
    workspace.add("a.yaml", format!("{definition}spec: {{image: i, args: {args}}}\n"));
    let options = Options::default();
    let compilation = compile(&workspace, &options);
    assert!(!compilation.has_errors(), "{:?}", compilation.diagnostics);
    let object = ObjectQuery::parse("Sandbox/dev").unwrap().find(&compilation.objects).unwrap();
    let path = FieldPath::from("spec.podTemplate.spec.containers[main].args[0]");
    let explanation = why(&workspace, &options, &compilation, object, &path).unwrap();
    let value = &explanation.layers[0].reads[0].layers[0].value;
    assert!(value.starts_with("{\"value0\":") && value.ends_with('…'), "{value}");
    assert_eq!(value.len(), 1000 + "…".len());
    let text = Annotations::new(&workspace, &compilation).explain_object(&options, object).unwrap();
    let line = text.lines().find(|it| it.contains("- 40x")).expect("the second argument");
    assert!(
        line.contains(", values.all.value0 sandboxc.yaml:3, ") && line.ends_with('…'),
        "{line}"
    );
    assert!(line.len() < 500, "{line}");
}
