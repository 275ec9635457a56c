//! `import`: `build` of the definitions gives the objects of the input, which satisfy no stricter security
//! profile than the definitions have.

use std::fs;

use sandboxc::{
    Compilation, ImportOptions, Options, PodSecurityLevel, Severity, Workspace, compile,
    emit_stream, import, migrate,
};
use serde::Deserialize;
use serde_json::Value;

use crate::support::{compared, difference, fixtures, sampled};
use crate::unpacked::unpacked;

/// The definitions of resources.
fn definitions(input: &str) -> String {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", input);
    let imported = import(&workspace, &ImportOptions::default());
    let errors = imported.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|it| &it.details().message).collect();
    assert!(errors.is_empty(), "{errors:?}\n{input}");
    emit_stream(&imported.objects)
}

fn built(text: &str, options: &Options) -> Compilation {
    let mut workspace = Workspace::new();
    workspace.add("a.yaml", text);
    compile(&workspace, options)
}

fn documents(text: &str) -> Vec<Value> {
    serde_yaml::Deserializer::from_str(text).map(|it| Value::deserialize(it).unwrap()).collect()
}

/// Whether the Pods of the objects satisfy a level.
fn satisfies(objects: &str, level: &str) -> bool {
    let mut options = Options::default();
    options.policy = PodSecurityLevel::parse(level);
    let found = built(objects, &options).diagnostics;
    !found.iter().any(|it| it.rule.name.starts_with("pod-security-"))
}

/// The strictest level that the Pods of the objects satisfy.
fn strictest(objects: &str) -> &'static str {
    let mut levels = ["restricted", "baseline"].into_iter();
    levels.find(|it| satisfies(objects, it)).unwrap_or("privileged")
}

/// The objects that the fixtures of a system are compiled to, for its controller.
fn resources(folder: &str, group: &str) -> Vec<(String, Vec<Value>)> {
    let mut inputs = Vec::new();
    for mut fixture in fixtures(folder) {
        if folder.ends_with("kelos") {
            fixture.options.set("kelos", "target", "resources").unwrap();
        }
        let compilation = built(&String::from_utf8(fixture.bytes).unwrap(), &fixture.options);
        if compilation.has_errors() {
            continue;
        }
        let mut objects = documents(&emit_stream(&compilation.objects));
        objects.retain(|it| it["apiVersion"].as_str().is_some_and(|it| it.contains(group)));
        if !objects.is_empty() {
            inputs.push((fixture.name, objects));
        }
    }
    assert!(inputs.len() > 4, "{folder}: {}", inputs.len());
    inputs
}

fn stream(objects: &[Value]) -> String {
    let texts: Vec<_> = objects.iter().map(|it| serde_yaml::to_string(it).unwrap()).collect();
    texts.join("---\n")
}

/// What an import changes, and the references that it leaves without an object.
fn faults(input: &str) -> Vec<String> {
    let definitions = definitions(input);
    let compilation = built(&definitions, &Options::default());
    let absent = compilation
        .diagnostics
        .iter()
        .filter(|it| it.severity == Severity::Error && it.rule.name.ends_with("-not-found"));
    let mut faults: Vec<_> = absent.map(|it| it.details().message.as_prose().to_string()).collect();
    for object in compared(input, &definitions).objects {
        faults.extend(
            object.fields.iter().map(|it| format!("{}: {}", object_name(&object), it.path)),
        );
        if object.fields.is_empty() {
            faults.push(format!("{}: {:?}", object_name(&object), object.fate));
        }
    }
    faults
}

fn object_name(object: &sandboxc::ObjectChange) -> String {
    let either = object.old.as_ref().or(object.new.as_ref());
    either.map_or_else(String::new, |it| format!("{}/{}", it.kind, it.name))
}

#[test]
fn definitions_of_compiled_resources_build_the_same() {
    let mut failures = Vec::new();
    for (folder, group) in
        [("compile/agent_sandbox", "agents.x-k8s.io"), ("compile/kelos", "kelos.dev")]
    {
        for (name, objects) in resources(folder, group) {
            let faults = faults(&stream(&objects));
            failures.extend(faults.into_iter().map(|it| format!("{name}: {it}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_profile_is_the_strictest_that_the_pod_satisfies() {
    let mut failures = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (name, objects) in resources("compile/agent_sandbox", "agents.x-k8s.io") {
        for object in objects.iter().filter(|it| it["spec"]["podTemplate"].is_object()) {
            let input = stream(std::slice::from_ref(object));
            let imported = documents(&definitions(&input));
            let profiles = imported.iter().filter_map(|it| it["spec"]["security"].as_str());
            for profile in profiles {
                seen.insert(profile.to_owned());
                let expected = strictest(&input);
                if profile != expected {
                    failures.push(format!("{name}: {profile}, not {expected}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(seen.len() > 1, "{seen:?}");
}

#[test]
fn a_pod_that_satisfies_a_profile_gets_it() {
    let template = |pod: &str, container: &str| {
        format!(
            "apiVersion: extensions.agents.x-k8s.io/v1beta1\nkind: SandboxTemplate\nmetadata: {{name: a}}\n\
            spec: {{podTemplate: {{spec: {{automountServiceAccountToken: false, {pod}, containers: [\
            {{name: main, image: 'a:1', securityContext: {container}}}]}}}}}}\n"
        )
    };
    let of_pod = "securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}";
    let drops = "{allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}";
    let all = "{runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}, \
        allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}";
    for (pod, container, expected) in [
        (of_pod, drops, "restricted"),
        // The settings of the Pod are not required if all containers have them.
        ("securityContext: {fsGroup: 5}", all, "restricted"),
        (of_pod, "{runAsUser: 0}", "baseline"),
        (of_pod, "{allowPrivilegeEscalation: false}", "baseline"),
        ("hostNetwork: true", drops, "privileged"),
    ] {
        let input = template(pod, container);
        let definitions = definitions(&input);
        assert!(definitions.contains(&format!("  security: {expected}\n")), "{definitions}");
        assert_eq!(strictest(&input), expected);
        assert_eq!(faults(&input), Vec::<String>::new());
    }
}

#[test]
fn a_label_with_a_spec_gets_the_profile_that_it_satisfies() {
    let file = |pod: &str| {
        format!(
            "labels: [{{name: a}}]\nproviders: [{{name: p, driver: kubernetes, pools: [{{name: c, labels: [\
            {{name: a, type: pod, spec: {pod}}}]}}]}}]\n"
        )
    };
    let restricted = "{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, \
        containers: [{name: m, image: 'a:1', \
        securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}";
    assert!(definitions(&file(restricted)).contains("security: restricted\n"));
    let baseline = "{containers: [{name: m, image: 'a:1'}]}";
    assert!(definitions(&file(baseline)).contains("security: baseline\n"));
    let other = "{hostNetwork: true, containers: [{name: m, image: 'a:1'}]}";
    assert!(!definitions(&file(other)).contains("security:"));
}

/// The inputs of the cases of a system in `fixtures/oracles` that its own code accepts.
fn recorded(system: &str) -> Vec<(String, String)> {
    let mut inputs = Vec::new();
    for case in crate::oracles::folders(&unpacked().join("oracles").join(system)) {
        if case.join("output").exists() {
            continue;
        }
        for file in crate::oracles::files(&case) {
            let name = crate::oracles::file_name(&file);
            if name.starts_with("input.") {
                let text = fs::read_to_string(&file).unwrap();
                inputs.push((crate::oracles::file_name(&case), text));
            }
        }
    }
    assert!(inputs.len() > 4, "{system}: {}", inputs.len());
    inputs
}

#[test]
fn an_imported_file_can_be_built() {
    let mut failures = Vec::new();
    for system in ["idegym", "kelos", "nodepool", "osa"] {
        for (name, input) in sampled(recorded(system), 8) {
            let found = built(&definitions(&input), &Options::default()).diagnostics;
            let errors = found.iter().filter(|it| it.severity == Severity::Error);
            // The configuration of the orchestrator is another file.
            let errors = errors.filter(|it| it.rule.name != "snapshots-not-enabled");
            failures
                .extend(errors.map(|it| format!("{system}/{name}: {:?}", it.details().message)));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A resource of kelos.
fn of_kelos(kind: &str, spec: &str) -> String {
    format!("apiVersion: kelos.dev/v1alpha2\nkind: {kind}\nmetadata: {{name: t}}\nspec: {spec}\n")
}

#[test]
fn references_to_the_cluster_are_declared() {
    let input = of_kelos(
        "Task",
        "{prompt: x, worker: {type: claude-code, credentials: {type: api-key, secretRef: {name: key}}, \
        workspaceRef: {name: ws}, agentConfigRefs: [{name: config}]}}",
    );
    let definitions = definitions(&input);
    let project: Value =
        serde_yaml::from_str(definitions.split("\n---\n").next().unwrap()).unwrap();
    assert_eq!(project["kind"], "Project");
    assert_eq!(project["spec"]["kelos"], serde_json::json!({"target": "resources"}));
    let kelos = "kelos.dev/v1alpha2";
    let external = serde_json::json!([
        {"apiVersion": kelos, "kind": "AgentConfig", "name": "config"},
        {"kind": "Secret", "name": "key"},
        {"apiVersion": kelos, "kind": "Workspace", "name": "ws"},
    ]);
    assert_eq!(project["spec"]["external"], external);
    assert_eq!(faults(&input), Vec::<String>::new());
}

#[test]
fn variables_in_strings_survive() {
    let worker = "worker: {type: claude-code, credentials: {type: none}}";
    for text in ["$(X) and $$", "$$(X)", "$5 $HOME", "$$$$(X)", "$(git rev-parse HEAD)"] {
        for input in [
            of_kelos("Task", &format!("{{prompt: '{text}', {worker}}}")),
            of_kelos(
                "Workspace",
                &format!("{{repo: 'https://a.example/b', setupCommand: [sh, -c, '{text}']}}"),
            ),
            of_kelos("AgentConfig", &format!("{{agentsMD: '{text}'}}")),
            of_kelos(
                "TaskSpawner",
                &format!(
                    "{{when: {{cron: {{schedule: '0 9 * * 1'}}}}, taskTemplate: {{promptTemplate: '{text}', {worker}}}}}"
                ),
            ),
            of_kelos(
                "Task",
                &format!(
                    "{{prompt: a, worker: {{type: claude-code, credentials: {{type: none}}, podOverrides: \
                {{env: [{{name: A, value: '{text}'}}], extraInitContainers: [{{name: a, image: 'a:1', command: ['{text}'], args: ['{text}']}}]}}}}}}"
                ),
            ),
        ] {
            assert_eq!(faults(&input), Vec::<String>::new(), "{input}");
        }
    }
}

#[test]
fn a_definition_keeps_escaped_variables_as_text() {
    let input =
        of_kelos("Task", "{prompt: 'a $$(X)', worker: {type: codex, credentials: {type: none}}}");
    assert!(definitions(&input).contains("  prompt: a $(X)\n"));
    let input =
        of_kelos("Task", "{prompt: 'a $(X)', worker: {type: codex, credentials: {type: none}}}");
    assert!(
        definitions(&input).contains("kind: Task\n")
            && !definitions(&input).contains("sandboxc.dev")
    );
}

#[test]
fn comments_of_prompt_templates_are_kept_for_kelos_and_rendered_in_jobs() {
    let first = of_kelos("Task", "{prompt: x, worker: {type: codex, credentials: {type: none}}}");
    let second = of_kelos(
        "Task",
        "{prompt: \"a\\n{{- /* no */ -}}\\n b\", dependsOn: [t], worker: {type: codex, credentials: {type: none}}}",
    );
    let input = format!("{first}---\n{}", second.replace("{name: t}", "{name: second}"));
    assert_eq!(faults(&input), Vec::<String>::new());
    let definitions = definitions(&input).replace("target: resources", "target: jobs");
    let objects = documents(&emit_stream(&built(&definitions, &Options::default()).objects));
    let second = objects.iter().find(|it| it["metadata"]["name"] == "second").unwrap();
    let args = &second["spec"]["template"]["spec"]["containers"][0]["args"];
    assert_eq!(args[0], "ab");
}

#[test]
fn old_resources_of_kelos_build_what_migrate_gives() {
    let template = "taskTemplate: {promptTemplate: x, workspaceRef: {name: w}, type: codex, credentials: {type: none}}";
    for when in [
        "githubIssues: {triggerComment: /fix, excludeComments: [/stop]}",
        "githubPullRequests: {excludeComments: [/stop], commentPolicy: {triggerComment: /a}}",
        "jira: {baseUrl: 'https://a.example', project: A, secretRef: {name: s}}",
        "jira: {baseUrl: 'https://a.example', project: A, secretRef: {name: s}, pollInterval: 1m}",
        "cron: {schedule: '0 9 * * 1'}",
    ] {
        let spec = format!("{{when: {{{when}}}, pollInterval: 10m, {template}}}");
        let old = of_kelos("TaskSpawner", &spec).replace("v1alpha2", "v1alpha1");
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", old.as_str());
        let migrated = migrate(&workspace, &Options::default()).edited.workspace;
        let file = migrated.ids().next().unwrap();
        let current = migrated
            .file(file)
            .text()
            .replace(
                "type: codex, credentials: {type: none}",
                "worker: {type: codex, credentials: {type: none}}",
            )
            .replace("workspaceRef: {name: w}, worker: {", "worker: {workspaceRef: {name: w}, ");
        assert_eq!(difference(&current, &definitions(&old)), "", "{old}");
    }
}

#[test]
fn what_import_drops_is_named() {
    let spec = "{when: {cron: {schedule: '0 9 * * 1'}}, pollInterval: 10m, taskTemplate: {promptTemplate: x, type: codex, credentials: {type: none}}}";
    let old = of_kelos("TaskSpawner", spec).replace("v1alpha2", "v1alpha1");
    let legacy = of_kelos(
        "Task",
        "{prompt: x, model: a, worker: {type: codex, model: b, credentials: {type: none}}}",
    );
    let nodepool = "zookeeper-servers: [{host: a}]\nlabels: [{name: a}]\nproviders: [{name: p, driver: aws}]\n";
    let idegym =
        "orchestrator: {pod_snapshot: {enabled: true}, registry: a}\nenvironment: {OTHER: a}\n";
    let osa =
        "name: a\nrunner: {backend: k8s, k8s: {namespace: osa, data_pvc_name: d, s3_bucket: b}}\n";
    for (input, expected) in [
        (old.as_str(), &["`pollInterval` of the spawner is not used by its source"][..]),
        (legacy.as_str(), &["`model` has no effect next to `worker.model`"]),
        (
            nodepool,
            &["`zookeeper-servers`: settings of the launcher", "provider `p` of driver `aws`"],
        ),
        (
            idegym,
            &["`environment.OTHER`, `orchestrator.registry`: settings that no server depends on"],
        ),
        (osa, &["`name`: other parts of the server"]),
    ] {
        let mut workspace = Workspace::new();
        workspace.add("a.yaml", input);
        assert_eq!(import(&workspace, &ImportOptions::default()).left_out, expected, "{input}");
    }
}

#[test]
fn a_definition_without_objects_is_not_declared() {
    let digest = "0".repeat(64);
    let hook = format!(
        "hooks: [{{name: a, runtime: {{type: oci, image: 'a.example/b:v1', digest: 'sha256:{digest}'}}}}]\n"
    );
    let definitions = definitions(&hook);
    assert!(
        definitions.contains("runner: osa") && !definitions.contains("external"),
        "{definitions}"
    );
}
