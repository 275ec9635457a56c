//! Verdicts of a running API server on the output of sandboxc: `tools/oracle/record-outputs.sh`
//! applies the objects of all inputs of the repository, and records each verdict with a hash of the
//! object.
//!
//! An object without a verdict fails, and so does a verdict other than `accepted`. No server is needed here.

mod inputs;

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;

use rayon::prelude::*;
use sandboxc::Object;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use self::inputs::{Input, SHARE, fixture_input, inputs};
use crate::support::{fixtures, has_all, portion, root};

const COMMAND: &str = "tools/oracle/record-outputs.sh";

/// Objects that the server does not accept in every step: the start of the verdict, and the reason
/// that the object is printed.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "compile/kubernetes/apply_order Widget/team-a/own",
        "dry run: envelope: no such kind is served",
        "an object of a kind that the input does not define is printed as it is, with a warning",
    ),
    (
        "docs/guide.md#16 SandboxClaim/ada",
        "create: decode: resourceVersion should not be set",
        "it is what `kubectl get` prints, to be imported and not applied",
    ),
    (
        "docs/guide.md#16 SandboxClaim/bob",
        "create: decode: resourceVersion should not be set",
        "it is what `kubectl get` prints, to be imported and not applied",
    ),
    (
        "docs/rules/device-taint-rule-invalid.md#1 DeviceTaintRule/maintenance",
        "dry run: envelope: no such kind is served: resource.k8s.io/v1",
        "Kubernetes serves this version of the kind since 1.37",
    ),
    (
        "docs/rules/trust-bundle-invalid.md#1 ClusterTrustBundle/roots",
        "linked code: envelope: no kind \"ClusterTrustBundle\"",
        "Kubernetes serves the kind by default since 1.37",
    ),
    (
        "oracles/idegym/overrides_host_alias_repeated Deployment/idegym/py-7",
        "server-side apply: ",
        "idegym creates it, and the server accepts that; `list-item-repeated` warns of the apply",
    ),
    (
        "oracles/kelos/overrides_env_duplicate Job/t",
        "server-side apply: ",
        "kelos creates it, and the server accepts that; `env-repeated` warns of the apply",
    ),
    (
        "oracles/nodepool/env_duplicate Pod/ci-0000000000/py311",
        "server-side apply: ",
        "the driver creates it, and the server accepts that; `env-repeated` warns of the apply",
    ),
];

/// API groups that no server of Kubernetes alone serves: those of OpenShift, of GKE's snapshots, and of the
/// settings of `sandboxc krm`, which kpt and kustomize read.
const OTHER_SERVERS: [&str; 4] = [
    "authorization.openshift.io",
    "functions.sandboxc.dev",
    "podsnapshot.gke.io",
    "project.openshift.io",
];

/// The objects of one input, in the order in which they are printed and applied.
#[derive(Serialize, Deserialize)]
struct Case {
    case: String,
    objects: Vec<Output>,
}

#[derive(Serialize, Deserialize)]
struct Output {
    /// Kind, namespace and name.
    object: String,
    hash: String,
    /// The printed YAML, which is not part of the recording.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(default)]
    verdict: String,
    /// The strictest level whose admission accepts the Pods of the object.
    #[serde(rename = "podSecurity", default)]
    pod_security: Option<String>,
}

#[test]
fn each_object_is_accepted_by_a_running_server() {
    let inputs = inputs();
    assert!(inputs.len() > portion(500, SHARE), "{}", inputs.len());
    let cases: Vec<_> = inputs.par_iter().map(case).collect();
    if let Some(path) = env::var_os("WRITE_OUTPUTS") {
        let mut file = fs::File::create(path).unwrap();
        for case in &cases {
            writeln!(file, "{}", serde_json::to_string(case).unwrap()).unwrap();
        }
        return;
    }
    let recordings = recordings();
    assert!(!recordings.is_empty());
    for (version, recorded) in recordings {
        let mut failures = Vec::new();
        for (input, case) in inputs.iter().zip(&cases) {
            let recorded = recorded.get(&case.case).map_or(&[][..], |it| &it.objects[..]);
            failures.extend(compare(input, case, recorded));
        }
        let known: Vec<_> =
            KNOWN.iter().map(|(object, verdict, _)| format!("{object}: {verdict}")).collect();
        for known in &known {
            let found = failures.iter().filter(|it| it.starts_with(known.as_str())).count();
            assert!(found == 1 || !has_all(), "{version}: no longer so: {known}");
        }
        failures.retain(|it| !known.iter().any(|known| it.starts_with(known.as_str())));
        let is_of_other = |failure: &String, group: &&str| {
            failure.contains(&format!("dry run: envelope: no such kind is served: {group}/"))
        };
        failures.retain(|it| !OTHER_SERVERS.iter().any(|group| is_of_other(it, group)));
        failures.truncate(40);
        let failures = failures.join("\n");
        assert!(failures.is_empty(), "{version}:\n{failures}\nto ask the server, run: {COMMAND}");
        let known = |name: &String| !has_all() || cases.iter().any(|it| it.case == *name);
        let gone: Vec<_> = recorded.keys().filter(|it| !known(it)).collect();
        assert!(gone.is_empty(), "{version}: no such input: {gone:?}\nrun: {COMMAND}");
    }
}

fn compare(input: &Input, case: &Case, recorded: &[Output]) -> Vec<String> {
    let name = &case.case;
    let mut failures = Vec::new();
    for (at, output) in case.objects.iter().enumerate() {
        let object = &output.object;
        match recorded.get(at).filter(|it| it.object == *object && it.hash == output.hash) {
            None => failures.push(format!("{name}: no verdict on {object} as it is now")),
            Some(it) if it.verdict != "accepted" => {
                failures.push(format!("{name} {object}: {}", it.verdict));
            }
            Some(it) => {
                let own = &input.objects[at];
                let is_promised = own.is_compiled() && !input.verbatim.contains(own.name());
                let level = it.pod_security.as_deref().filter(|_| is_promised);
                if level.is_some_and(|level| strictness(level) < strictness(input.level)) {
                    let promise = input.level;
                    failures.push(format!("{name}: {object}: Pods are {level:?}, not {promise}"));
                }
            }
        }
    }
    if recorded.len() > case.objects.len() {
        failures.push(format!("{name}: has {} objects no longer", recorded.len()));
    }
    failures
}

fn strictness(level: &str) -> usize {
    ["privileged", "baseline", "restricted"].iter().position(|it| *it == level).unwrap()
}

fn recordings() -> BTreeMap<String, BTreeMap<String, Case>> {
    let files = fs::read_dir(root().join("fixtures/conformance/outputs")).unwrap();
    let read = |path: std::path::PathBuf| {
        let version = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let cases = text.lines().map(|line| serde_json::from_str::<Case>(line).unwrap());
        (version, cases.map(|it| (it.case.clone(), it)).collect())
    };
    files.map(|entry| read(entry.unwrap().path())).collect()
}

fn case(input: &Input) -> Case {
    let objects = input.objects.iter().map(output).collect();
    Case { case: input.name.clone(), objects }
}

fn output(object: &Object) -> Output {
    let text = sandboxc::emit_stream(std::slice::from_ref(object));
    let namespace = object.namespace();
    let namespace = if namespace.is_empty() { String::new() } else { format!("{namespace}/") };
    Output {
        object: format!("{}/{namespace}{}", object.gvk().kind(), object.name()),
        hash: hash(&serde_yaml::from_str(&text).unwrap()),
        text,
        verdict: String::new(),
        pod_security: None,
    }
}

/// The first sixteen digits of the SHA-256 hash of the canonical form. Keys are sorted, so their
/// order does not matter.
fn hash(object: &Value) -> String {
    let mut canonical = object.clone();
    canonical.sort_all_objects();
    let digest = Sha256::digest(canonical.to_string());
    digest.iter().take(8).fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

#[test]
fn a_hash_is_of_the_content_alone() {
    let hash = |text| hash(&serde_yaml::from_str(text).unwrap());
    assert_eq!(hash("{a: {c: 1, b: [x, y]}}"), hash("a: {b: [x, \"y\"], c: 1}"));
    assert_ne!(hash("{a: [x, y]}"), hash("{a: [y, x]}"));
    assert_ne!(hash("{a: 1}"), hash("{a: \"1\"}"));
}

#[test]
fn an_object_without_an_accepting_verdict_is_reported() {
    let mut fixtures = fixtures("compile/idegym").into_iter();
    let fixture = fixtures.find(|it| it.case() == "server_minimal").unwrap();
    let input = &fixture_input(&fixture).unwrap();
    let judged = |verdict: &str, level: &str| {
        let mut case = case(input);
        for output in &mut case.objects {
            output.verdict = verdict.to_owned();
            output.pod_security = Some(level.to_owned());
        }
        case.objects
    };
    let current = case(input);
    assert_eq!(compare(input, &current, &judged("accepted", "restricted")), [""; 0]);
    let each = current.objects.len();
    assert_eq!(compare(input, &current, &judged("dry run: strict", "restricted")).len(), each);
    assert_eq!(compare(input, &current, &judged("accepted", "baseline")).len(), each);
    assert_eq!(compare(input, &current, &[]).len(), each);
    let mut changed = judged("accepted", "restricted");
    changed[0].hash = "0".repeat(16);
    assert_eq!(compare(input, &current, &changed).len(), 1);
}
