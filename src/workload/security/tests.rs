//! `fixtures/security/*.yaml`: Pods, with the findings for each level.
//!
//! Each document of a file is one case: `pod`, `annotations`, `kubernetes` (the newest version without
//! it), and findings as `rule place way-out` under
//!
//! - `baseline`: the unchanged Pod, checked against `baseline`;
//! - `plain`: the unchanged Pod, checked against `restricted`;
//! - `restricted`: a definition's Pod with the profile's layer, checked against `restricted`.
//!
//! `verdicts.json` in the same folder has the verdicts of Kubernetes' own checks (see
//! `tools/pod-security-oracle`), `rules.json` the rule for each of their reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path as FilePath, PathBuf};

use serde_json::json;

use super::fill;
use crate::diag::{Diagnostic, Sink};
use crate::merge::place;
use crate::pod_security::{
    Level, PodSecurityLevel, Profile, RULES, StandardVersion, Subject, check,
};
use crate::schema::KubernetesVersion;
use crate::source::{Span, Workspace};
use crate::tree::{Layer, Node, Origin, Path, Value};
use crate::yaml;

fn folder() -> PathBuf {
    FilePath::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/security")
}

/// All cases with their files.
fn cases() -> Vec<(String, Node)> {
    let mut workspace = Workspace::new();
    let mut files: Vec<_> =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    let mut cases = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let file = workspace.add(name.clone(), text.clone());
        let mut sink = Sink::new();
        for document in yaml::documents(file, &text, &mut sink).read {
            cases.push((name.clone(), document.root));
        }
        assert!(sink.is_empty(), "{name} cannot be read: {:?}", sink.into_sorted());
    }
    assert!(cases.len() >= 50, "only {} cases were found", cases.len());
    cases
}

fn metadata(case: &Node) -> Node {
    let mut metadata = Node::map(case.origin());
    if let Some(annotations) = case.get("annotations") {
        metadata.set("annotations", annotations.clone());
    }
    metadata
}

fn findings(
    case: &Node,
    pod: &Node,
    level: Level,
    held_to: PodSecurityLevel,
    target: KubernetesVersion,
) -> Vec<Diagnostic> {
    let metadata = metadata(case);
    let metadata = Some((&metadata, Path::root()));
    let subject = Subject { spec: pod, metadata, path: Path::root(), level };
    let mut sink = Sink::new();
    check(&subject, held_to, target, &mut sink);
    sink.into_sorted()
}

fn announced(case: &Node, key: &str) -> Option<Vec<(String, Span, String)>> {
    let lines = case.get(key)?.items().iter().map(|line| {
        let [rule, way, way_out] = line.as_str().unwrap().split(' ').collect::<Vec<_>>()[..] else {
            panic!("`rule place way-out`, not {line:?}");
        };
        (rule.to_owned(), place(case, way), way_out.to_owned())
    });
    let mut lines: Vec<_> = lines.collect();
    lines.sort();
    Some(lines)
}

fn describe(finding: &Diagnostic) -> (String, Span, String) {
    let mut way_out = finding.details().help[1].as_prose().split(['`', ':', ' ']).map(str::trim);
    let way_out = way_out.find(|word| Profile::parse(word).is_some()).unwrap();
    (finding.rule.name.to_owned(), finding.primary.span, way_out.to_owned())
}

#[test]
fn each_control_rejects_the_recorded_fixtures() {
    let mut failures = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, case) in cases() {
        let pod = case.get("pod").unwrap();
        let version = case
            .str_at(&["kubernetes"])
            .map_or(KubernetesVersion::NEWEST, |text| KubernetesVersion::parse(text).unwrap());
        let filled = fill(pod.clone(), Profile::Restricted, version, case.span());
        let (namespace, definition) = (Level::Policy(None), Level::Definition(None));
        for (key, pod, level, profile) in [
            ("baseline", pod, namespace, Profile::Baseline),
            ("plain", pod, namespace, Profile::Restricted),
            ("restricted", &filled, definition, Profile::Restricted),
        ] {
            let Some(expected) = announced(&case, key) else { continue };
            let mut found: Vec<_> =
                findings(&case, pod, level, profile.into(), version).iter().map(describe).collect();
            found.sort();
            seen.extend(found.iter().map(|(rule, ..)| rule.clone()));
            if found != expected {
                let title = case.str_at(&["case"]).unwrap();
                failures.push(format!(
                    "{file}: {title}, {key}\n  announced {expected:?}\n  found     {found:?}"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let rules: BTreeSet<_> = RULES.concat().iter().map(|rule| rule.name.to_owned()).collect();
    assert_eq!(seen, rules, "each rule is tripped by a fixture");
}

#[test]
fn each_level_rejects_what_kubernetes_rejects() {
    let text = fs::read_to_string(folder().join("verdicts.json")).unwrap();
    let verdicts: serde_json::Value = serde_json::from_str(&text).unwrap();
    let text = fs::read_to_string(folder().join("rules.json")).unwrap();
    let rules: BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
    let mut failures = Vec::new();
    for (file, case) in cases() {
        let title = case.str_at(&["case"]).unwrap();
        for profile in [Profile::Baseline, Profile::Restricted] {
            let ranges = verdicts[&file][title][profile.to_string()].as_object();
            let ranges = ranges.unwrap_or_else(|| panic!("{file}: {title} is not recorded"));
            for minor in 0..=u32::from(KubernetesVersion::NEWEST.minor()) {
                let expected: BTreeSet<_> = ranges
                    .iter()
                    .find(|(range, _)| is_in(range, minor))
                    .unwrap()
                    .1
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|reason| rules[reason.as_str().unwrap()].as_str())
                    .collect();
                let pod = case.get("pod").unwrap();
                let held_to = PodSecurityLevel::new(profile, StandardVersion::Minor(minor));
                let level = Level::Policy(None);
                let found = findings(&case, pod, level, held_to, KubernetesVersion::NEWEST);
                let found: BTreeSet<_> = found.iter().map(|finding| finding.rule.name).collect();
                if found != expected {
                    failures.push(format!(
                        "{file}: {title}, {profile} 1.{minor}\n  kubernetes {expected:?}\n  found      {found:?}"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn is_in(range: &str, minor: u32) -> bool {
    let (first, last) = range.split_once('-').unwrap();
    let parse = |text: &str| text.strip_prefix("1.").unwrap().parse::<u32>().unwrap();
    (parse(first)..=parse(last)).contains(&minor)
}

/// All scalar values with their paths.
fn leaves(node: &Node, way: &str, into: &mut BTreeMap<String, Node>) {
    match &node.value {
        Value::Map(map) => {
            for entry in map.entries() {
                leaves(&entry.value, &format!("{way}.{}", entry.key), into);
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, &format!("{way}[{index}]"), into);
            }
        }
        _ => drop(into.insert(way.to_owned(), node.clone())),
    }
}

#[test]
fn filling_changes_no_value_of_the_author_and_is_done_once() {
    for (file, case) in cases() {
        let title = case.str_at(&["case"]).unwrap();
        for version in KubernetesVersion::all() {
            let pod = case.get("pod").unwrap();
            let filled = fill(pod.clone(), Profile::Restricted, version, case.span());
            let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
            leaves(pod, "", &mut before);
            leaves(&filled, "", &mut after);
            for (way, value) in before {
                assert_eq!(after.remove(&way), Some(value), "{file}: {title}, {way}");
            }
            for (way, added) in after {
                let layer = Some(Layer::SecurityRestricted);
                assert_eq!(added.origin().layer(), layer, "{file}: {title}, {way}");
            }
            let again = fill(filled.clone(), Profile::Restricted, version, case.span());
            assert_eq!(again, filled, "{file}: {title}");
        }
    }
}

fn pod(json: serde_json::Value) -> (Node, Span) {
    let mut workspace = Workspace::new();
    let span = Span::new(workspace.add("a", ""), 0, 9);
    (Node::from_json(json, Origin::source(span)), span)
}

#[test]
fn every_container_is_filled() {
    let (bare, span) = pod(json!({
        "initContainers": [{"name": "i"}, {"name": "sidecar", "restartPolicy": "Always"}],
        "containers": [{"name": "c"}],
        "ephemeralContainers": [{"name": "e"}],
    }));
    let filled = fill(bare, Profile::Restricted, KubernetesVersion::NEWEST, span);
    let hardened = json!({
        "allowPrivilegeEscalation": false,
        "capabilities": {"drop": ["ALL"]},
    });
    assert_eq!(
        filled.to_json(),
        json!({
            "initContainers": [
                {"name": "i", "securityContext": hardened},
                {"name": "sidecar", "restartPolicy": "Always", "securityContext": hardened},
            ],
            "containers": [{"name": "c", "securityContext": hardened}],
            "ephemeralContainers": [{"name": "e", "securityContext": hardened}],
            "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        })
    );
}

#[test]
fn other_profiles_and_windows_fields_are_not_filled() {
    let (bare, span) = pod(json!({"containers": [{"name": "c"}]}));
    for profile in [Profile::Baseline, Profile::Privileged] {
        assert_eq!(fill(bare.clone(), profile, KubernetesVersion::NEWEST, span), bare);
    }
    let (windows, span) = pod(json!({"os": {"name": "windows"}, "containers": [{"name": "c"}]}));
    let filled = fill(windows, Profile::Restricted, KubernetesVersion::NEWEST, span);
    assert_eq!(filled.get("securityContext").unwrap().to_json(), json!({"runAsNonRoot": true}));
    assert_eq!(filled.get("containers").unwrap().to_json(), json!([{"name": "c"}]));
}

#[test]
fn privileged_forbids_nothing() {
    for (_, case) in cases() {
        let pod = case.get("pod").unwrap();
        let level = Level::Definition(None);
        let found =
            findings(&case, pod, level, Profile::Privileged.into(), KubernetesVersion::NEWEST);
        assert!(found.is_empty());
    }
}

#[test]
fn a_finding_names_the_control_the_level_and_both_ways_out() {
    let (pod, span) = pod(json!({
        "containers": [{"name": "c", "securityContext": {"allowPrivilegeEscalation": true}}],
    }));
    let version = KubernetesVersion::NEWEST;
    let pod = fill(pod, Profile::Restricted, version, span);
    let base = Path::root();
    let path = base.field("spec");
    let level = Level::Definition(Some(span));
    let subject = Subject { spec: &pod, metadata: None, path, level };
    let mut sink = Sink::new();
    check(&subject, Profile::Restricted.into(), version, &mut sink);
    let found = sink.into_sorted();
    let [finding] = &found[..] else { panic!("one finding, not {found:?}") };
    assert_eq!(
        finding.details().message,
        "container `c` allows privilege escalation, which `restricted` forbids"
    );
    assert_eq!(
        finding.details().path.as_ref().map(ToString::to_string).as_deref(),
        Some("spec.containers[0].securityContext.allowPrivilegeEscalation")
    );
    let control = "control `allowPrivilegeEscalation` of the Pod Security Standard `restricted`";
    assert_eq!(finding.details().notes, [control]);
    assert_eq!(
        finding.details().help,
        [
            "set `securityContext.allowPrivilegeEscalation: false`",
            "or set `security: baseline`, if the Pod requires it",
        ]
    );
    assert_eq!(finding.details().secondary[0].text, "`restricted` is set here");
}
