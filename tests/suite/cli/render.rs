//! `check --render`, with programs in the path that print what they got.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::revisions::{commit, git};
use super::{Folder, Run};

const TEMPLATES: &str = "---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: ConfigMap\n\
    metadata: {name: a, namespace: b}\ndata: {x: 1}\n";

const WIDGETS: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
    metadata: {name: widgets.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  \
    names: {kind: Widget, plural: widgets, singular: widget}\n  versions:\n  \
    - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  \
    - {name: v1alpha1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}\n";

/// A chart and a kustomization, and programs in `bin`: shell scripts.
fn folder(programs: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[
        ("charts/web/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n"),
        ("charts/web/templates/a.yaml", "{{ .Values.x }}\n"),
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("rendered.yaml", TEMPLATES),
        ("bin/.keep", ""),
    ]);
    for (name, script) in programs {
        let path = format!("bin/{name}");
        folder.write(&path, &format!("#!/bin/sh\necho {name} \"$@\" >>calls\n{script}\n"));
        let path = folder.path().join(path);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}

fn check(folder: &Folder, arguments: &[&str]) -> Run {
    run(folder, &[&["check", "--render"], arguments].concat())
}

/// The programs alone are in the path, with those of the shell.
fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(arguments);
    // These, without the programs that may be installed.
    for name in ["cat", "git", "sh"] {
        let link = folder.path().join("bin").join(name);
        let found = env::split_paths(&env::var_os("PATH").unwrap())
            .map(|it| it.join(name))
            .find(|it| it.is_file());
        if !link.exists() {
            std::os::unix::fs::symlink(found.unwrap(), link).unwrap();
        }
    }
    command.env("PATH", folder.path().join("bin"));
    Run::from(command.output().unwrap())
}

#[test]
fn a_chart_is_rendered_and_its_templates_are_named() {
    let folder =
        folder(&[("helm", "echo 'walk.go:75: found symbolic link' >&2\ncat rendered.yaml")]);
    let arguments = ["charts/web", "--values", "a.yaml", "--values=b.yaml", "--set", "a.b=1"];
    let (stdout, stderr) = check(&folder, &arguments).expect(1);
    assert_eq!(stdout, "");
    let calls = "helm template --include-crds --values=./a.yaml --values=./b.yaml --set=a.b=1 \
        --kube-version=1.37 -- ./charts/web\n";
    assert_eq!(folder.read("calls"), calls);
    assert!(
        stderr.starts_with("helm: walk.go:75: found symbolic link\nerror[wrong-type]"),
        "{stderr}"
    );
    assert!(stderr.contains("--> charts/web (rendered):6:11"), "{stderr}");
    assert!(
        stderr.contains("the document is rendered from `charts/web/templates/a.yaml`"),
        "{stderr}"
    );
    let report = ["charts/web", "--format", "github", "--kubernetes", "1.35"];
    let (stdout, _) = check(&folder, &report).expect(1);
    assert!(stdout.starts_with("::error file=charts/web/templates/a.yaml,title="), "{stdout}");
    assert!(folder.read("calls").ends_with("--include-crds --kube-version=1.35 -- ./charts/web\n"));
}

/// A chart asks for the API versions of its cluster.
#[test]
fn a_chart_knows_the_versions_of_the_command_line() {
    let folder = folder(&[("helm", "cat rendered.yaml")]);
    folder.write("crds/widgets.yaml", WIDGETS);
    let arguments = ["charts/web", "--api-versions", "a.example/v1,b.example/v1", "--crd", "crds"];
    check(&folder, &arguments).expect(1);
    let versions = "--api-versions=a.example/v1 --api-versions=b.example/v1 \
        --api-versions=example.com/v1 --api-versions=example.com/v1/Widget";
    let calls = folder.read("calls");
    assert!(calls.contains(versions) && !calls.contains("v1alpha1"), "{calls}");
    let mut command = folder.command(&["check", "--api-versions", "a/v1", "."]);
    let (_, stderr) = Run::from(command.output().unwrap()).expect(2);
    assert!(stderr.contains("--render"), "{stderr}");
}

/// An exception for a file applies to what is rendered from it.
#[test]
fn an_exception_for_a_template_allows_its_findings() {
    let folder = folder(&[("helm", "cat rendered.yaml")]);
    let rendered = "---\n# Source: web/templates/a.yaml\napiVersion: v1\nkind: PersistentVolumeClaim\n\
        metadata: {name: a, annotations: {volume.beta.kubernetes.io/storage-class: x}}\n\
        spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n";
    folder.write("rendered.yaml", rendered);
    for (file, status) in [("charts/web/templates/a.yaml", 0), ("**/a.yaml", 0), ("b.yaml", 1)] {
        let allow = format!("{{rule: annotation-deprecated, file: '{file}', because: planned}}");
        let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nspec:";
        folder.write("sandboxc.yaml", &format!("{project} {{allow: [{allow}]}}\n"));
        check(&folder, &["charts/web", "--deny", "warnings"]).expect(status);
    }
}

/// The overlays of one base are deployments of their own.
#[test]
fn overlays_have_the_same_objects() {
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n";
    let folder = folder(&[("kustomize", "cat object.yaml")]);
    folder.write("object.yaml", object);
    for name in ["dev", "prod"] {
        folder.write(&format!("{name}/kustomization.yaml"), "resources: [../base]\n");
    }
    check(&folder, &["--deny", "warnings", "dev", "prod"]).expect(0);
}

/// The finding is in the file that the annotation of kustomize names, or else in the kustomization.
#[test]
fn a_built_object_has_the_file_of_its_origin() {
    let folder = folder(&[("kustomize", "cat built.yaml")]);
    let object = |name: &str, origin: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    a: b\n{origin}  name: {name}\ndata:\n  x: 1\n"
        )
    };
    let origin = "    config.kubernetes.io/origin: |\n      path: ../base/a.yaml\n";
    folder.write("base/a.yaml", "");
    folder.write("prod/kustomization.yaml", "resources: [../base]\n");
    folder.write("built.yaml", &format!("{}---\n{}", object("a", origin), object("b", "")));
    let (stdout, _) = check(&folder, &["prod", "--format", "github"]).expect(1);
    let files: Vec<_> = stdout.lines().filter_map(|line| line.split("file=").nth(1)).collect();
    assert!(files[0].starts_with("base/a.yaml,"), "{stdout}");
    assert!(files[1].starts_with("prod/kustomization.yaml,"), "{stdout}");
}

#[test]
fn a_chart_is_rendered_for_the_version_of_the_check() {
    let folder = folder(&[("helm", "cat rendered.yaml")]);
    let project = "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\n\
        spec: {kubernetes: NEWEST, environments: {old: {kubernetes: '1.33'}}}\n";
    folder.write("charts/sandboxc.yaml", &project.replace("NEWEST", "\"1.34\""));
    folder.write("other.yaml", &project.replace("NEWEST", "1.33..1.35"));
    for (arguments, version) in [
        (&["charts/web"][..], " --kube-version=1.34"),
        (&["charts/web", "--environment", "old"], " --kube-version=1.33"),
        (&["charts/web", "--kubernetes", "1.36"], " --kube-version=1.36"),
        (&["charts/web", "--kubernetes", "1.34,1.36"], ""),
        (&["charts/web", "--project", "other.yaml"], ""),
        (&["charts/web", "--no-project"], " --kube-version=1.37"),
    ] {
        check(&folder, arguments).expect(1);
        let calls = folder.read("calls");
        let call = format!("helm template --include-crds{version} -- ./charts/web");
        assert_eq!(calls.lines().last(), Some(&*call), "{arguments:?}");
    }
}

#[test]
fn a_kustomization_is_built_by_the_program_that_is_installed() {
    let print = "cat rendered.yaml";
    let both = folder(&[("kustomize", print), ("kubectl", print)]);
    let (_, stderr) = check(&both, &["base"]).expect(1);
    assert!(stderr.contains("--> base (rendered):7:11"), "{stderr}");
    assert_eq!(
        both.read("calls"),
        "kustomize build --load-restrictor=LoadRestrictionsRootOnly -- ./base\n"
    );
    let one = folder(&[("kubectl", print)]);
    check(&one, &["base"]).expect(1);
    assert_eq!(
        one.read("calls"),
        "kubectl kustomize --load-restrictor=LoadRestrictionsRootOnly -- ./base\n"
    );
}

/// All files of a revision are there: a program reads more than manifests.
#[test]
fn both_sides_of_a_difference_are_rendered() {
    let print = "for last; do :; done; cat \"$last/object.txt\"";
    let folder = folder(&[("kustomize", print)]);
    let object = |value: &str| {
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, namespace: b}}\nimmutable: true\ndata: {{x: {value}}}\n"
        )
    };
    folder.write("base/object.txt", &object("old"));
    folder.write("other/kustomization.yaml", "");
    folder.write("other/object.txt", &object("other"));
    git(folder.path(), &["init", "--quiet"]);
    commit(&folder);
    folder.write("base/object.txt", &object("new"));
    let line = |value: &str, place: &str| format!("\n    - {value:33} {place}\n");
    let (stdout, stderr) = run(&folder, &["diff", "--render", "--git=HEAD", "base"]).expect(0);
    assert_eq!(stderr, "");
    assert!(stdout.contains(&line("old", "HEAD:base (rendered):6")), "{stdout}");
    let (stdout, _) = run(&folder, &["diff", "--render", "base", "other"]).expect(0);
    assert!(stdout.contains(&line("new", "base (rendered):6")), "{stdout}");
    let (_, stderr) = run(&folder, &["check", "--render", "--against-git=HEAD", "base"]).expect(1);
    assert!(stderr.contains("error[field-immutable]"), "{stderr}");
    let (_, stderr) = run(&folder, &["check", "--render", "--against=other", "base"]).expect(1);
    assert!(stderr.contains("error[field-immutable]"), "{stderr}");
    // A directory that the revision lacks is new.
    folder.write("new/kustomization.yaml", "");
    folder.write("new/object.txt", &object("new"));
    let (stdout, _) = run(&folder, &["diff", "--render", "--git=HEAD", "new"]).expect(0);
    assert!(stdout.ends_with("\n1 added\n"), "{stdout}");
    // The revision is named if it is the one that cannot be rendered.
    fs::remove_file(folder.path().join("base/object.txt")).unwrap();
    commit(&folder);
    folder.write("base/object.txt", &object("new"));
    let (_, stderr) = run(&folder, &["diff", "--render", "--git=HEAD", "base"]).expect(1);
    assert!(stderr.contains("\nin `HEAD`:\nerror: `kustomize build"), "{stderr}");
    let environments = ["diff", "--render", "--environment=a,b", "base"];
    let (_, stderr) = run(&folder, &environments).expect(2);
    assert!(stderr.starts_with("error: `--render` with two environments"), "{stderr}");
}

#[test]
fn the_error_of_a_program_is_shown_as_a_quote() {
    let message =
        "Error: template: web/templates/a.yaml:1:3: nil pointer evaluating\\n\\nUse --debug";
    let fail = format!("printf '{message}\\n' >&2\nexit 3");
    let folder = folder(&[("helm", &fail), ("kustomize", "kill -9 $$")]);
    let (stdout, stderr) = check(&folder, &["charts/web"]).expect(1);
    assert_eq!(stdout, "");
    let call = "helm template --include-crds --kube-version=1.37 -- ./charts/web";
    let own = format!(
        "error: `{call}` failed: exit status: 3; nothing was rendered\n  help: repair what helm reports, or run it \
         with other options and check its output: `{call} | sandboxc check -`\n"
    );
    let quote = format!("helm: {}\n", message.replace("\\n\\n", "\nhelm:\nhelm: "));
    assert_eq!(stderr, format!("{quote}{own}"));
    let (_, stderr) = check(&folder, &["base"]).expect(1);
    assert!(stderr.contains("-- ./base` failed: signal: 9"), "{stderr}");
}

#[test]
fn a_missing_program_is_named_with_the_way_around_it() {
    let folder = folder(&[]);
    let (_, stderr) = check(&folder, &["charts/web"]).expect(2);
    let expected = "error: `helm` is not installed: it is not in the `PATH`\n  \
        help: install Helm, or render the chart elsewhere: `helm template charts/web | sandboxc check -`\n";
    assert_eq!(stderr, expected);
    let (_, stderr) = check(&folder, &["base"]).expect(2);
    assert!(
        stderr.starts_with("error: neither `kustomize` nor `kubectl` is installed"),
        "{stderr}"
    );
}

#[test]
fn other_inputs_are_refused() {
    let folder = folder(&[]);
    for input in ["charts", "rendered.yaml"] {
        let (_, stderr) = check(&folder, &[input]).expect(2);
        let expected = format!("error: `{input}` is neither a kustomization nor a Helm chart\n");
        assert!(stderr.starts_with(&expected), "{stderr}");
    }
    check(&folder, &[]).expect(2);
    let (_, stderr) = check(&folder, &["nowhere"]).expect(2);
    assert!(stderr.starts_with("error: cannot read `nowhere`"), "{stderr}");
    for option in ["--fix", "--diff", "--watch"] {
        let (_, stderr) = check(&folder, &["base", option]).expect(2);
        assert!(stderr.contains("cannot be used with"), "{stderr}");
    }
}

/// What a program prints can come from the input.
#[test]
fn messages_have_no_effect() {
    let print = r"printf '::error file=a::b\n  ::stop-commands::x\n\033[31mred\n##[group]x\n' >&2";
    let folder = folder(&[("helm", &format!("{print}\ncat rendered.yaml"))]);
    let (_, stderr) = check(&folder, &["charts/web"]).expect(1);
    let quote = "helm: ::error file=a::b\nhelm:   ::stop-commands::x\nhelm: ␛[31mred\nhelm: #\\u{23}[group]x\n";
    assert!(stderr.starts_with(quote), "{stderr}");
}

/// Settings, tokens and plugins of the user do not reach a program.
#[test]
fn programs_have_an_environment_of_their_own() {
    let folder = folder(&[("helm", "export -p >>variables\ncat rendered.yaml")]);
    folder.write("bin/.keep", "");
    let mut command = folder.command(&["check", "--render", "charts/web"]);
    for name in
        ["HELM_PLUGINS", "HELM_KUBETOKEN", "KUBECONFIG", "GITHUB_TOKEN", "HOME", "XDG_DATA_HOME"]
    {
        command.env(name, "/leaked");
    }
    let shell = check(&folder, &["charts/web"]);
    drop(shell);
    let path = format!("{}::.:bin", folder.path().join("bin").display());
    Run::from(command.env("PATH", path).output().unwrap()).expect(1);
    let variables = folder.read("variables");
    assert!(!variables.contains("leaked"), "{variables}");
    let path = format!("PATH='{}'", folder.path().join("bin").display());
    assert!(variables.contains(&path) && variables.contains("HELM_NO_PLUGINS='1'"), "{variables}");
}

/// The directory of a pull request can have the name of an option, and programs in it.
#[test]
fn names_in_a_directory_are_not_options_or_programs() {
    let folder = folder(&[("helm", "cat rendered.yaml"), ("kustomize", "cat rendered.yaml")]);
    let name = "--post-renderer=sh";
    folder.write(&format!("{name}/Chart.yaml"), "apiVersion: v2\nname: a\nversion: 0.1.0\n");
    check(&folder, &["--", name]).expect(1);
    let last = |folder: &Folder| folder.read("calls").lines().last().unwrap().to_owned();
    assert!(last(&folder).ends_with(" -- ./--post-renderer=sh"), "{}", last(&folder));
    folder.write("--enable-helm/kustomization.yaml", "resources: []\n");
    check(&folder, &["--", "--enable-helm"]).expect(1);
    assert!(last(&folder).ends_with(" -- ./--enable-helm"), "{}", last(&folder));
    // Programs in the working directory, which an empty entry of the path means.
    let folder = Folder::new(&[
        ("chart/Chart.yaml", "apiVersion: v2\nname: a\nversion: 0.1.0\n"),
        ("k/kustomization.yaml", "resources: []\n"),
    ]);
    for program in ["helm", "kustomize", "kubectl"] {
        folder.write(program, "#!/bin/sh\ntouch proof\n");
        fs::set_permissions(folder.path().join(program), fs::Permissions::from_mode(0o755))
            .unwrap();
    }
    for (path, input) in [("", "chart"), (".:", "k"), (":./", "chart"), ("..:.", "k")] {
        let mut command = folder.command(&["check", "--render", input]);
        let (_, stderr) = Run::from(command.env("PATH", path).output().unwrap()).expect(2);
        assert!(
            stderr.contains("not in the `PATH`") || stderr.contains("not installed"),
            "{stderr}"
        );
    }
    assert!(!folder.path().join("proof").exists());
}

/// The addresses in all places of kustomizations from which kustomize fetches.
#[test]
fn nothing_is_fetched_for_a_kustomization() {
    let folder = folder(&[("kustomize", "cat rendered.yaml")]);
    let refuse = |text: &str, place: &str, reason: &str| {
        folder.write("base/kustomization.yaml", text);
        let _ = fs::remove_file(folder.path().join("calls"));
        let (stdout, stderr) = check(&folder, &["base"]).expect(1);
        assert_eq!(stdout, "");
        assert!(stderr.contains(&format!("error: {place}: {reason}")), "{text}: {stderr}");
        assert!(!folder.path().join("calls").exists(), "it was not started");
    };
    let address = "`https://example.com/a.yaml` is fetched from the network";
    for (text, line) in [
        ("resources:\n- a.yaml\n- https://example.com/a.yaml\n", 3),
        ("Resources:\n- https://example.com/a.yaml\n", 2),
        ("bases: ['https://example.com/a.yaml']\n", 1),
        ("components: ['https://example.com/a.yaml']\n", 1),
        ("crds: ['https://example.com/a.yaml']\n", 1),
        ("configurations: ['https://example.com/a.yaml']\n", 1),
        ("patchesStrategicMerge: ['https://example.com/a.yaml']\n", 1),
        ("patches: [{path: 'https://example.com/a.yaml'}]\n", 1),
        ("patchesJson6902: [{path: 'https://example.com/a.yaml'}]\n", 1),
        ("replacements: [{path: 'https://example.com/a.yaml'}]\n", 1),
        ("openapi: {path: 'https://example.com/a.yaml'}\n", 1),
        ("configMapGenerator: [{name: a, files: ['b=https://example.com/a.yaml']}]\n", 1),
        ("secretGenerator: [{name: a, envs: ['https://example.com/a.yaml']}]\n", 1),
        ("transformers: ['https://example.com/a.yaml']\n", 1),
    ] {
        refuse(text, &format!("base/kustomization.yaml:{line}"), address);
    }
    let place = "base/kustomization.yaml:1";
    for repository in
        ["github.com/org/repo", "git@example.com:org/repo.git", "ssh://example.com/a", "file:///a"]
    {
        let reason = format!("`{repository}` is fetched from the network");
        refuse(&format!("resources: ['{repository}']\n"), place, &reason);
    }
    refuse(
        "helmCharts: [{name: a, repo: 'https://example.com'}]\n",
        place,
        "`helmCharts` runs Helm",
    );
    folder.write("base/run.yaml", "apiVersion: example.com/v1\nkind: Run\nmetadata: {name: a}\n");
    let run = "`example.com/v1 Run` runs a function or a plugin";
    refuse("generators: [run.yaml]\n", "base/run.yaml:1", run);
    folder.write("plugins/kustomization.yaml", "resources: [../base/run.yaml]\n");
    refuse("validators: [../plugins]\n", "base/run.yaml:1", run);
    // Also in what a kustomization leads to.
    folder.write("more/kustomization.yml", "resources:\n- ../further\n");
    folder.write("further/Kustomization", "\nresources: ['http://example.com']\n");
    let reason = "`http://example.com` is fetched from the network";
    refuse("resources: [../more]\n", "further/Kustomization:2", reason);
    // An address in data is data.
    folder.write(
        "base/kustomization.yaml",
        "resources: [a.yaml]\ncommonAnnotations: {a: 'https://example.com'}\n\
         patches: [{patch: '{\"a\": \"https://example.com\"}'}]\n",
    );
    check(&folder, &["base"]).expect(1);
    assert!(folder.path().join("calls").exists());
}

/// Links that lead out of the repository are not followed by a program, and neither are paths.
#[test]
fn nothing_outside_is_rendered() {
    let outside = Folder::new(&[
        ("kustomization.yaml", "resources: []\n"),
        ("Chart.yaml", "apiVersion: v2\nname: a\nversion: 0.1.0\n"),
        ("secret.txt", "secret\n"),
    ]);
    let print = "cat rendered.yaml";
    let folder = folder(&[("helm", print), ("kustomize", print)]);
    folder.write(".git/HEAD", "");
    let refuse = |input: &str, what: &str, reason: &str| {
        let (_, stderr) = check(&folder, &[input]).expect(2);
        assert!(stderr.contains(&format!("cannot read `{what}`: {reason}")), "{stderr}");
        assert!(!folder.path().join("calls").exists(), "it was not started");
    };
    let link = |target: &str, link: &str| {
        let link = folder.path().join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(outside.path().join(target), link).unwrap();
    };
    link("Chart.yaml", "linked/Chart.yaml");
    refuse("linked", "linked/Chart.yaml", "it leads out of");
    link("secret.txt", "charts/web/files/secret.txt");
    refuse("charts/web", "charts/web/files/secret.txt", "it leads out of");
    fs::remove_dir_all(folder.path().join("charts/web/files")).unwrap();
    link("", "charts/web/charts");
    refuse("charts/web", "charts/web/charts", "it leads out of");
    fs::remove_file(folder.path().join("charts/web/charts")).unwrap();
    std::process::Command::new("mkfifo")
        .arg(folder.path().join("charts/web/pipe"))
        .status()
        .unwrap();
    refuse("charts/web", "charts/web/pipe", "it is not a regular file");
    link("kustomization.yaml", "k/kustomization.yaml");
    refuse("k", "k/kustomization.yaml", "it leads out of");
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    folder.write("base/kustomization.yaml", &format!("resources: [../../{name}]\n"));
    let (_, stderr) = check(&folder, &["base"]).expect(1);
    assert!(stderr.contains("it leads out of"), "{stderr}");
    // A schema can name other files, and addresses.
    fs::remove_file(folder.path().join("charts/web/pipe")).unwrap();
    folder.write("charts/web/values.schema.json", "{\"$ref\": \"file:///etc/hostname\"}");
    let (_, stderr) = check(&folder, &["charts/web"]).expect(1);
    let expected =
        "error: `charts/web/values.schema.json` refers to the schema `file:///etc/hostname`";
    assert!(stderr.starts_with(expected), "{stderr}");
    assert!(!folder.path().join("calls").exists());
}
