//! Properties of all objects of NodePools, and the quotas as nodepool itself counts them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sandboxc::{ImportOptions, Options, Purpose, Workspace, compile, emit_stream, import};
use serde_json::{Value, json};

use crate::oracles::quantity::parts;
use crate::support::{fixtures, root};
use crate::unpacked::unpacked;

fn yaml_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn workspace(files: &[PathBuf]) -> Workspace {
    let mut workspace = Workspace::new();
    for file in files {
        workspace.add(file.display().to_string(), fs::read(file).unwrap());
    }
    workspace
}

/// The objects of the example and of each valid fixture.
fn objects() -> Vec<Value> {
    let example = yaml_files(&root().join("examples/nodepool"));
    let runs = fixtures("compile/nodepool").into_iter().map(|it| it.workspace());
    let mut objects = Vec::new();
    for workspace in runs.chain([workspace(&example)]) {
        let text = emit_stream(&compile(&workspace, &Options::default()).objects);
        let documents = text.split("\n---\n").filter(|it| !it.trim().is_empty());
        objects.extend(documents.map(|it| serde_yaml::from_str::<Value>(it).unwrap()));
    }
    assert!(objects.len() > 30, "{}", objects.len());
    objects
}

fn of_kind<'o>(objects: &'o [Value], kind: &str) -> Vec<&'o Value> {
    let found: Vec<_> = objects.iter().filter(|it| it["kind"] == kind).collect();
    assert!(!found.is_empty(), "no {kind}");
    found
}

#[test]
fn the_example_has_no_findings() {
    let files = yaml_files(&root().join("examples/nodepool"));
    let compilation = compile(&workspace(&files), &Options::default());
    let messages: Vec<_> = compilation.diagnostics.iter().map(|it| &it.details().message).collect();
    assert!(messages.is_empty(), "{messages:?}");
}

/// The units are those of nodepool: MiB of memory, MB of storage.
#[test]
fn the_limits_of_a_tenant_are_imported() {
    let file = "labels: [{name: a}]\ntenant-resource-limits:\n- {tenant-name: t, max-servers: 1, max-cores: 2, max-ram: 3, \
        max-volumes: 4, max-volume-gb: 5, ephemeral-storage: 6, licence: 7}\nproviders:\n- name: lab\n  driver: kubernetes\n  \
        pools:\n  - name: ci\n    labels: [{name: a, type: pod, image: 'x:1'}]\n";
    let mut workspace = Workspace::new();
    workspace.add("nodepool.yaml", file);
    let imported = import(&workspace, &ImportOptions::default());
    let objects = imported.objects.iter().map(|it| emit_stream(std::slice::from_ref(it)));
    let mut objects = objects.map(|it| serde_yaml::from_str::<Value>(&it).unwrap());
    let project = objects.find(|it| it["kind"] == "Project").unwrap();
    let expected = json!([{
        "tenantName": "t", "maxServers": 1, "maxCores": 2, "maxRam": "3Mi",
        "maxResources": {"volumes": 4, "volume-gb": 5, "ephemeral-storage": "6M", "licence": 7},
    }]);
    assert_eq!(project["spec"]["nodepool"]["tenantResourceLimits"], expected);
}

#[test]
fn each_pod_has_a_restart_policy() {
    let objects = objects();
    for pod in of_kind(&objects, "Pod") {
        assert!(
            pod["spec"]["restartPolicy"].is_string() && pod["restartPolicy"].is_null(),
            "{pod}"
        );
    }
}

/// The cluster fills in the token, so no output may have one.
#[test]
fn no_secret_has_data() {
    let objects = objects();
    for secret in of_kind(&objects, "Secret") {
        assert!(secret["data"].is_null() && secret["stringData"].is_null(), "{secret}");
        assert_eq!(secret["type"], "kubernetes.io/service-account-token");
    }
}

#[test]
fn no_binding_names_users_outside_its_subjects() {
    let objects = objects();
    for binding in of_kind(&objects, "RoleBinding") {
        assert!(binding["userNames"].is_null(), "{binding}");
        assert_eq!(binding["subjects"][0]["namespace"], binding["metadata"]["namespace"]);
    }
}

/// The token controller deletes the Secret of an account that does not exist.
#[test]
fn an_account_comes_before_its_token() {
    let files = yaml_files(&root().join("examples/nodepool"));
    let objects = compile(&workspace(&files), &Options::default()).objects;
    let position = |kind: &str| objects.iter().position(|it| it.gvk().kind() == kind).unwrap();
    assert!(position("ServiceAccount") < position("Secret"));
    let last = objects.iter().rposition(|it| it.gvk().kind() == "ServiceAccount").unwrap();
    assert!(last < position("Secret"));
}

/// One row of the table that `build --summary` prints: pool, label, needs, and how many nodes fit.
type Row = (String, String, BTreeMap<String, String>, Option<u64>);

fn rows(summary: &str) -> Vec<Row> {
    let mut pool = String::new();
    let mut rows = Vec::new();
    for line in summary.lines() {
        if let Some((name, _)) = line.strip_prefix("  pool ").and_then(|it| it.split_once(':')) {
            name.clone_into(&mut pool);
        }
        let cells: Vec<_> = line.split("  ").map(str::trim).filter(|it| !it.is_empty()).collect();
        let [label, _, needs, fit, _] = cells[..] else { continue };
        if label == "LABEL" {
            continue;
        }
        let needs = needs.split(", ").map(|it| it.split_once(' ').unwrap());
        let needs = needs.map(|(key, amount)| (key.to_owned(), amount.to_owned())).collect();
        let fit = fit.split(' ').next().unwrap().parse().ok();
        rows.push((pool.clone(), label.to_owned(), needs, fit));
    }
    rows
}

/// The recorded quota, in the driver's units: MiB of memory, MB of storage.
fn observed_rows(observed: &Value) -> Vec<Row> {
    let row = |it: &Value| {
        let text = |key: &str| it[key].as_str().unwrap().to_owned();
        let needs = it["needs"].as_object().unwrap().iter();
        let needs =
            needs.filter(|(_, amount)| amount.as_f64() != Some(0.0)).map(|(key, amount)| {
                let unit = match key.as_str() {
                    "ram" => "Mi",
                    "ephemeral-storage" => "M",
                    _ => "",
                };
                (key.clone(), format!("{}{unit}", amount.as_f64().unwrap()))
            });
        (text("pool"), text("label"), needs.collect(), it["capacity"].as_u64())
    };
    observed["quota"].as_array().unwrap().iter().map(row).collect()
}

/// For a label with `spec`, the table counts the requests of its containers, not the defaults of
/// the pool.
fn has_spec(input: &str) -> bool {
    input.contains("spec:")
}

#[test]
fn quotas_are_those_that_nodepool_counts() {
    let mut compared = 0;
    for folder in yaml_files(&unpacked().join("oracles/nodepool")) {
        let Ok(input) = fs::read_to_string(folder.join("input.yaml")) else { continue };
        let observed = fs::read_to_string(folder.join("observed.json")).unwrap();
        let observed: Value = serde_json::from_str(&observed).unwrap();
        let is_refused = observed["refused"].as_array().is_some_and(|it| !it.is_empty());
        if is_refused || has_spec(&input) || folder.join("output").exists() {
            continue;
        }
        let mut file = Workspace::new();
        file.add("nodepool.yaml", input);
        let imported = sandboxc::import(&file, &sandboxc::ImportOptions::default());
        let mut definitions = Workspace::new();
        definitions.add("imported.yaml", emit_stream(&imported.objects));
        let mut options = Options::default();
        options.purpose = Purpose::Summarize;
        let summaries = compile(&definitions, &options).summaries;
        let ours = summaries.iter().flat_map(|it| rows(it)).collect::<Vec<_>>();
        let theirs = observed_rows(&observed);
        let show = |rows: &[Row]| {
            let text = |(pool, label, needs, fit): &Row| {
                let needs = needs.iter().map(|(key, amount)| format!("{key} {}", nanos(amount)));
                format!("{pool}/{label}: {} fit {fit:?}", needs.collect::<Vec<_>>().join(", "))
            };
            rows.iter().map(text).collect::<Vec<_>>()
        };
        assert_eq!(show(&ours), show(&theirs), "{}", folder.display());
        compared += theirs.len();
    }
    assert!(compared > 80, "{compared}");
}

fn nanos(amount: &str) -> i128 {
    parts(&Value::from(amount)).unwrap_or_else(|| panic!("{amount}"))
}

/// A large configuration is far below the limit of objects.
#[test]
fn a_pool_can_have_thousands_of_labels() {
    let labels: Vec<_> = (0..2000).map(|it| format!("{{name: l{it}, type: namespace}}")).collect();
    let mut workspace = Workspace::new();
    let text = format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: NodePool\nmetadata: {{name: lab}}\n\
         spec: {{pools: [{{name: ci, labels: [{}]}}]}}\n",
        labels.join(", ")
    );
    workspace.add("a.yaml", text);
    let compilation = compile(&workspace, &Options::default());
    assert_eq!((compilation.objects.len(), compilation.diagnostics.len()), (10_000, 0));
}
