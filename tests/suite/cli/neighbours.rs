//! What users of kubectl, cargo and similar programs try first.

use super::{Folder, OBJECT};

#[test]
fn inputs_can_be_named_as_with_kubectl() {
    let folder = Folder::new(&[("a.yaml", OBJECT), ("b.yaml", &OBJECT.replace("web", "db"))]);
    for arguments in [
        &["build", "-f", "a.yaml", "-f", "b.yaml"][..],
        &["build", "a.yaml", "--filename=b.yaml"],
        &["build", "-fa.yaml", "b.yaml"],
    ] {
        let (stdout, _) = folder.run(arguments).expect(0);
        assert!(stdout.contains("name: web") && stdout.contains("name: db"), "{stdout}");
    }
    folder.run(&["why", "-f", "a.yaml", "ConfigMap/web"]).expect(0);
    let (stdout, _) = folder.run_with_stdin(&["build", "-f", "-"], OBJECT).expect(0);
    assert!(stdout.contains("name: web"), "{stdout}");
}

#[test]
fn commands_of_other_programs_lead_to_those_here() {
    let folder = Folder::new(&[]);
    for (verb, meant) in [
        ("lint", "check"),
        ("validate", "check"),
        ("render", "build"),
        ("template", "build"),
        ("fix", "check --fix"),
        ("chek", "check"),
    ] {
        let (_, stderr) = folder.run(&[verb, "."]).expect(2);
        assert!(stderr.contains(&format!("'{meant}'")), "{verb}: {stderr}");
    }
}

#[test]
fn help_and_version_are_commands() {
    let folder = Folder::new(&[]);
    let (help, _) = folder.run(&["help"]).expect(0);
    assert_eq!(folder.run(&["--help"]).expect(0).0, help);
    let (help, _) = folder.run(&["help", "check"]).expect(0);
    assert!(help.contains("Usage: sandboxc check"), "{help}");
    let (version, _) = folder.run(&["version"]).expect(0);
    let lines: Vec<_> = version.lines().collect();
    assert_eq!(lines[0], concat!("sandboxc ", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("Kubernetes 1.33, "), "{version}");
    assert!(lines.contains(&"agent-sandbox 0.5, 1.0"), "{version}");
}

#[test]
fn an_option_exists_where_it_acts() {
    let folder = Folder::new(&[("a.yaml", OBJECT)]);
    for (verb, has, lacks) in [
        ("check", "--policy", "--output"),
        ("build", "--agent-sandbox", "--fix"),
        ("split", "--report", "--policy"),
        ("completions", "--color", "--kubernetes"),
        ("explain", "--quiet", "--environment"),
        ("init", "--ci", "--format"),
        ("crds", "--agent-sandbox", "--values"),
        ("schema", "--kubernetes", "--set"),
    ] {
        let (help, _) = folder.run(&[verb, "--help"]).expect(0);
        assert!(help.contains(has) && !help.contains(lacks), "{verb}: {help}");
        for heading in ["Project options:", "Report options:", "Global options:"] {
            assert!(help.matches(heading).count() <= 1, "{verb}: {help}");
        }
    }
    folder.run(&["--quiet", "check", "a.yaml"]).expect(0);
    folder.run(&["completions", "bash", "--policy", "restricted"]).expect(2);
}

#[test]
fn kinds_that_are_printed_or_read_are_explained() {
    let folder = Folder::new(&[]);
    let explain = |path: &str| folder.run(&["explain", path]).expect(0).0;
    let claim = explain("SandboxClaim");
    assert!(
        claim.starts_with("SandboxClaim (extensions.agents.x-k8s.io/v1beta1, namespaced)"),
        "{claim}"
    );
    assert!(claim.contains("\nspec (object, required)"), "{claim}");
    let pool = explain("sandboxclaims.spec.warmPoolRef");
    assert!(pool.contains("\nname (string"), "{pool}");
    // `Task` is a definition too, which has no field of this name.
    let worker = explain("Task.spec.worker");
    assert!(worker.starts_with("worker ("), "{worker}");
    // Plurals as in kubectl.
    assert_eq!(explain("templates.resources"), explain("Template.resources"));
    for (name, message, help) in [
        ("SandboxClam", "unknown rule or kind `SandboxClam`", "did you mean `SandboxClaim`?"),
        (
            "SandboxClaims.spec.warmPolRef",
            "unknown field `warmPolRef` in `SandboxClaims.spec`",
            "did you mean `SandboxClaims.spec.warmPoolRef`?",
        ),
        (
            "Pools",
            "unknown rule or kind `Pools`",
            "kinds with this word in their names: `NodePool`, ",
        ),
        ("Pool.replicas", "unknown kind `Pool`", "`WarmPool`"),
    ] {
        let (_, stderr) = folder.run(&["explain", name]).expect(2);
        assert!(stderr.contains(message) && stderr.contains(help), "{stderr}");
    }
}

#[test]
fn the_schema_of_one_kind_describes_its_documents() {
    let folder = Folder::new(&[]);
    let schema = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&folder.run(arguments).expect(0).0).unwrap()
    };
    let (one, all) = (schema(&["schema", "--for", "template"]), schema(&["schema"]));
    assert_eq!(one["properties"]["kind"]["const"], "Template");
    assert!(one["$defs"]["Template.spec"].is_object());
    assert!(one["$defs"]["Task.spec"].is_null() && all["$defs"]["Task.spec"].is_object());
    assert_eq!(schema(&["schema", "--for", "Project"])["properties"]["kind"]["const"], "Project");
    let (_, stderr) = folder.run(&["schema", "--for", "Pod"]).expect(2);
    assert!(stderr.contains("`Pod` is not a kind of definition"), "{stderr}");
}

#[test]
fn verbose_runs_name_the_files() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec: {}\n";
    let folder =
        Folder::new(&[("sandboxc.yaml", project), ("a.yaml", OBJECT), ("b.yaml", "a: 1\n")]);
    let (_, stderr) = folder.run(&["check", "-v", "a.yaml", "--values=b.yaml"]).expect(0);
    assert!(
        stderr.starts_with("read a.yaml\nread sandboxc.yaml (the project around the input)\n"),
        "{stderr}"
    );
    assert!(stderr.contains("read b.yaml (values)\n"), "{stderr}");
}

#[test]
fn init_prepares_a_repository() {
    let folder = Folder::new(&[(".git/HEAD", ""), ("infra/.gitkeep", "")]);
    let (_, stderr) = folder.run(&["init", "infra", "--ci", "github"]).expect(0);
    assert_eq!(
        stderr,
        "created a project in infra, and .github/workflows/sandboxc.yml; next: sandboxc build infra\n"
    );
    let workflow = folder.read(".github/workflows/sandboxc.yml");
    assert!(
        workflow.contains("sandboxc check --format github --deny warnings infra\n"),
        "{workflow}"
    );
    let definitions = folder.read("infra/sandboxes.yaml");
    assert!(definitions.starts_with("# yaml-language-server: $schema=.sandboxc.schema.json\n"));
    let schema = folder.read("infra/.sandboxc.schema.json");
    assert_eq!(folder.run(&["schema"]).expect(0).0, schema);
    assert!(folder.read("infra/.gitignore").contains(".sandboxc.schema.json"));
    folder.run(&["check", "infra", "--deny", "warnings"]).expect(0);
    let (_, stderr) = folder.run(&["init", "other", "--ci", "github"]).expect(2);
    assert!(stderr.contains("`.github/workflows/sandboxc.yml` exists"), "{stderr}");
    assert!(stderr.contains("`sandboxc check --format github --deny warnings other`"), "{stderr}");
    folder.run(&["init", "other", "--ci", "gitlab"]).expect(0);
    assert!(folder.read(".gitlab-ci.yml").contains("--deny warnings other\n"));
}

#[cfg(unix)]
#[test]
fn init_quotes_the_directory_in_a_ci_file() {
    use std::process::Command;
    let folder = Folder::new(&[(".git/HEAD", "")]);
    for directory in ["a b", "it's", "$(touch pwned)", "-x", "a#b", "a*", "`touch pwned`"] {
        folder.run(&["init", "--ci", "gitlab", "--", directory]).expect(0);
        let file: serde_json::Value = serde_yaml::from_str(&folder.read(".gitlab-ci.yml")).unwrap();
        let script = file["sandboxc"]["script"][0].as_str().unwrap();
        let function = "sandboxc() { for last; do :; done; printf %s \"$last\"; }\n";
        let output = Command::new("bash")
            .args(["-ec", &format!("{function}{script}")])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let expected = if directory == "-x" { "./-x" } else { directory };
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{script}");
        assert!(!folder.path().join("pwned").exists());
        std::fs::remove_file(folder.path().join(".gitlab-ci.yml")).unwrap();
    }
    for directory in ["${{ github.token }}", "$[[ inputs.a ]]", "a\nb", "a #b", "a: b"] {
        let (_, stderr) = folder.run(&["init", "--ci", "github", "--", directory]).expect(2);
        assert!(stderr.contains("cannot be in a file for CI"), "{stderr}");
        assert!(!folder.path().join(".github").exists());
    }
}

#[test]
fn init_adds_a_ci_file_to_a_project() {
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:\n  namespace: a\n  \
                   environments:\n    dev: {external: [secret/dev]}\n    prod: {external: \
                   [secret/prod]}\n";
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: a, annotations: \
               {sandboxc.dev/expressions: 'true'}}\nspec:\n  containers:\n  - {name: a, image: a, \
               envFrom: [{secretRef: {name: '{{ environment }}'}}]}\n";
    for (server, file) in
        [("github", ".github/workflows/sandboxc.yml"), ("gitlab", ".gitlab-ci.yml")]
    {
        let folder = Folder::new(&[
            (".git/HEAD", ""),
            ("infra/sandboxc.yaml", project),
            ("infra/a.yaml", pod),
        ]);
        let before = folder.list("infra");
        let (_, stderr) = folder.run(&["init", "infra", "--ci", server]).expect(0);
        assert_eq!(stderr, format!("created {file}\n"));
        assert_eq!(folder.list("infra"), before);
        // The command of the file holds in the project.
        let text = folder.read(file);
        let (_, command) = text.split_once("sandboxc check ").unwrap();
        let command = command.lines().next().unwrap();
        assert!(command.ends_with(" --all-environments infra"), "{command}");
        let arguments: Vec<_> = ["check"].into_iter().chain(command.split(' ')).collect();
        let (_, stderr) = folder.run(&arguments).expect(0);
        assert!(!stderr.contains("secret-not-found"), "{stderr}");
        let (_, stderr) = folder.run(&["init", "infra", "--ci", server]).expect(2);
        assert!(stderr.contains("add a step to it: `sandboxc check "), "{stderr}");
    }
    let folder = Folder::new(&[("sandboxc.yaml", &project.replace("environments", "values"))]);
    let (_, stderr) = folder.run(&["init", "--ci", "gitlab"]).expect(0);
    assert_eq!(stderr, "created .gitlab-ci.yml\n");
    assert!(folder.read(".gitlab-ci.yml").contains("--deny warnings .\n"));
    let (_, stderr) = folder.run(&["init"]).expect(2);
    assert!(stderr.contains("is not empty"), "{stderr}");
}
