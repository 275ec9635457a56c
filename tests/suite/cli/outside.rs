//! Nothing outside is read: links, and paths that the input names, lead nowhere but into the repository.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{Folder, OBJECT, Run};

/// A word that only files outside of the repository contain, and the environment of the runs.
const SECRET: &str = "s3cr3t-w0rd";

/// A run that ends in a fraction of a second must not wait forever.
const LONGEST: Duration = Duration::from_mins(1);

/// A repository `repo` with files, next to which are files with a secret.
fn repository(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(files);
    fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
    folder.write("repo/.git/config", &format!("kind: {SECRET}\napiVersion: {SECRET}\n"));
    folder.write("outside/secret.yaml", &format!("{OBJECT}data: {{a: [{SECRET}]}}\n"));
    folder.write("outside/crd.yaml", &format!("kind: CustomResourceDefinition\na: {SECRET}\n"));
    folder
}

fn project(spec: &str) -> String {
    format!(
        "apiVersion: sandboxc.dev/v1alpha1\nkind: Project\nmetadata: {{name: p}}\nspec: {spec}\n"
    )
}

/// Runs the command with a secret in the environment, and ends it if it waits. The secret never appears.
#[track_caller]
fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(arguments);
    command.env("TOKEN", SECRET).stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = Run::from(finished(command.spawn().unwrap()).wait_with_output().unwrap());
    assert!(!run.stdout.contains(SECRET), "{arguments:?}\n{}", run.stdout);
    assert!(!run.stderr.contains(SECRET), "{arguments:?}\n{}", run.stderr);
    run
}

#[track_caller]
fn finished(mut child: Child) -> Child {
    let end = Instant::now() + LONGEST;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            child.kill().unwrap();
            panic!("the command waits");
        }
        thread::sleep(Duration::from_millis(10));
    }
    child
}

fn is_yaml(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "yaml")
}

fn pipe(path: &Path) {
    rustix::fs::mkfifoat(rustix::fs::CWD, path, 0o600.into()).unwrap();
}

#[test]
fn a_link_that_was_found_does_not_lead_out() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    let (repo, outside) = (folder.path().join("repo"), folder.path().join("outside/secret.yaml"));
    symlink("../outside/secret.yaml", repo.join("relative.yaml")).unwrap();
    symlink(&outside, repo.join("absolute.yaml")).unwrap();
    symlink("/proc/self/environ", repo.join("environ.yaml")).unwrap();
    symlink("/dev/zero", repo.join("zero.yaml")).unwrap();
    symlink("a.yaml", repo.join("inside.yaml")).unwrap();
    symlink("../outside", repo.join("directory")).unwrap();
    for arguments in [
        &["check", "repo"][..],
        &["check", "repo/*.yaml"],
        &["check", "repo/a.yaml", "repo"],
        &["check", "--format", "json", "repo"],
        &["build", "repo"],
        &["fmt", "--diff", "repo"],
        &["graph", "repo"],
    ] {
        let run = run(&folder, arguments);
        assert_eq!(run.status, 1, "{arguments:?} {}", run.stderr);
        let text = run.stdout + &run.stderr;
        for name in ["relative", "absolute", "environ", "zero"] {
            let expected =
                format!("cannot read `repo/{name}.yaml`: it leads out of the repository");
            assert!(text.contains(&expected), "{arguments:?} {text}");
        }
        assert!(!text.contains("cannot read `repo/inside.yaml`"), "{text}");
    }
    run(&folder, &["split", "repo"]).expect(1);
}

#[test]
fn a_link_does_not_lead_to_the_files_of_git() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    symlink(".git/config", folder.path().join("repo/config.yaml")).unwrap();
    let (_, stderr) = run(&folder, &["check", "repo"]).expect(1);
    assert!(stderr.contains("cannot read `repo/config.yaml`: it belongs to git"), "{stderr}");
}

/// Volumes of Kubernetes have these links.
#[test]
fn links_inside_work() {
    let folder = Folder::new(&[("mounted/..2026/a.yaml", OBJECT)]);
    let mounted = folder.path().join("mounted");
    symlink("..2026", mounted.join("..data")).unwrap();
    symlink("..data/a.yaml", mounted.join("a.yaml")).unwrap();
    symlink(mounted.join("..2026/a.yaml"), mounted.join("b.yaml")).unwrap();
    for input in ["mounted", "mounted/a.yaml", "mounted/*.yaml"] {
        let (_, stderr) = run(&folder, &["check", input]).expect(0);
        assert!(stderr.contains("checked 1 object in 1 file"), "{input} {stderr}");
    }
}

#[test]
fn a_directory_is_the_limit_without_a_repository() {
    let folder = Folder::new(&[("defs/a.yaml", OBJECT), ("b.yaml", OBJECT)]);
    symlink("../b.yaml", folder.path().join("defs/b.yaml")).unwrap();
    let (_, stderr) = run(&folder, &["check", "defs"]).expect(1);
    assert!(
        stderr.contains("cannot read `defs/b.yaml`: it leads out of the directory"),
        "{stderr}"
    );
    run(&folder, &["check", "."]).expect(0);
}

/// A change can replace a directory that the settings of CI name by a link.
#[test]
fn a_named_link_of_a_repository_does_not_lead_out_either() {
    let folder = repository(&[("repo/sandboxc.yaml", &project("{}"))]);
    let repo = folder.path().join("repo");
    symlink("../outside", repo.join("deploy")).unwrap();
    symlink("../outside/secret.yaml", repo.join("secret.yaml")).unwrap();
    for input in
        ["repo/deploy", "repo/secret.yaml", "repo/deploy/secret.yaml", "repo/deploy/*.yaml"]
    {
        let (_, stderr) = run(&folder, &["check", input]).expect(2);
        assert!(stderr.contains("it leads out of the repository"), "{input} {stderr}");
    }
    let (_, stderr) = run(&folder, &["check", "repo", "--crd", "repo/deploy"]).expect(2);
    assert!(stderr.contains("it leads out of the repository"), "{stderr}");
    // The way to the repository can have links, and so can other directories.
    symlink("repo", folder.path().join("link")).unwrap();
    symlink("outside/crd.yaml", folder.path().join("crd.yaml")).unwrap();
    folder.write("repo/a.yaml", OBJECT);
    fs::remove_file(repo.join("secret.yaml")).unwrap();
    run(&folder, &["check", "link/a.yaml"]).expect(0);
    run(&folder, &["check", "link/a.yaml", "--crd", "crd.yaml"]).expect(0);
}

#[test]
fn a_project_names_only_files_of_its_repository() {
    for field in ["crds", "external"] {
        for path in [
            "/proc/self/environ",
            "../outside/crd.yaml",
            "../outside",
            "../outside/*.yaml",
            "/dev/zero",
            "./../outside/crd.yaml",
            "link/crd.yaml",
            "link",
        ] {
            let is_file = is_yaml(path) && !path.contains('*');
            if field == "external" && !is_file {
                continue;
            }
            let folder = repository(&[("repo/a.yaml", OBJECT)]);
            symlink("../outside", folder.path().join("repo/link")).unwrap();
            folder.write("repo/sandboxc.yaml", &project(&format!("{{{field}: ['{path}']}}")));
            let (_, stderr) = run(&folder, &["check", "repo"]).expect(1);
            assert!(stderr.contains("it leads out of the repository"), "{field} {path} {stderr}");
        }
    }
}

#[test]
fn a_project_names_what_is_above_it_only_inside_the_repository() {
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    let folder = Folder::new(&[
        ("repo/crds/a.yaml", crd),
        ("repo/deploy/sandboxc.yaml", &project("{crds: [../crds]}")),
        ("repo/deploy/a.yaml", OBJECT),
    ]);
    let (_, stderr) = run(&folder, &["check", "repo/deploy"]).expect(1);
    assert!(stderr.contains("it leads out of the project"), "{stderr}");
    // The command line names what contains both, or they are in one repository.
    let (_, stderr) = run(&folder, &["check", "repo"]).expect(1);
    assert!(stderr.contains("crds/a.yaml:"), "{stderr}");
    fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
    let (_, stderr) = run(&folder, &["check", "repo/deploy"]).expect(1);
    assert!(stderr.contains("crds/a.yaml:"), "{stderr}");
}

/// Files that the steps of a workflow leave in its working directory are no manifests.
#[test]
fn what_a_project_names_and_is_no_manifest_is_not_shown() {
    let credentials = format!("{{\"type\": \"service_account\", \"key\": \"{SECRET}\", }}");
    for field in ["crds", "external"] {
        for path in ["credentials.json", ".env", ".git/config"] {
            if field == "external" && path != "credentials.json" {
                continue;
            }
            let folder = repository(&[("repo/a.yaml", OBJECT)]);
            folder.write("repo/credentials.json", &credentials);
            folder.write("repo/.env", &format!("TOKEN={SECRET}\nKEY: [{SECRET}\n"));
            folder.write("repo/sandboxc.yaml", &project(&format!("{{{field}: ['./{path}']}}")));
            for input in ["repo/a.yaml", "repo/sandboxc.yaml"] {
                let run = run(&folder, &["check", input]);
                // A file of the directory that is not a manifest is skipped.
                let is_found = field == "crds" && path == "credentials.json";
                assert_eq!(run.status, i32::from(!is_found), "{field} {path} {}", run.stderr);
                assert!(is_found || run.stderr.contains(path), "{field} {path} {}", run.stderr);
            }
        }
    }
}

#[test]
fn pipes_and_devices_are_not_read() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    pipe(&folder.path().join("repo/pipe"));
    pipe(&folder.path().join("repo/found.yaml"));
    symlink("pipe", folder.path().join("repo/link.yaml")).unwrap();
    run(&folder, &["check", "repo"]).expect(0);
    for field in ["crds", "external"] {
        folder.write("repo/sandboxc.yaml", &project(&format!("{{{field}: [./found.yaml]}}")));
        let (_, stderr) = run(&folder, &["check", "repo"]).expect(1);
        assert!(stderr.contains("it is not a regular file"), "{field} {stderr}");
    }
    // The command line can name a pipe.
    let path = folder.path().join("repo/pipe");
    let writer = thread::spawn(move || fs::write(path, OBJECT).unwrap());
    fs::remove_file(folder.path().join("repo/sandboxc.yaml")).unwrap();
    let (_, stderr) = run(&folder, &["check", "repo/pipe"]).expect(0);
    assert!(stderr.contains("checked 1 object"), "{stderr}");
    writer.join().unwrap();
}

#[test]
fn an_ignore_file_does_not_lead_out() {
    for name in [".gitignore", ".sandboxcignore"] {
        for target in ["/dev/zero", "../../outside/secret.yaml", "/proc/self/environ", "../.."] {
            for directory in ["repo", "repo/deploy"] {
                let folder = repository(&[("repo/deploy/a.yaml", OBJECT)]);
                symlink(target, folder.path().join(directory).join(name)).unwrap();
                let (_, stderr) = run(&folder, &["check", "repo/deploy"]).expect(1);
                let expected =
                    format!("cannot read `{directory}/{name}`: it leads out of the repository");
                assert!(stderr.contains(&expected), "{stderr}");
            }
        }
        let folder = repository(&[("repo/a.yaml", OBJECT), ("repo/b.yaml", OBJECT)]);
        pipe(&folder.path().join("repo").join(name));
        let (_, stderr) = run(&folder, &["check", "repo"]).expect(1);
        assert!(stderr.contains("it is not a regular file"), "{name} {stderr}");
        fs::remove_file(folder.path().join("repo").join(name)).unwrap();
        folder.write("repo/list", "b.yaml\n");
        symlink("list", folder.path().join("repo").join(name)).unwrap();
        let (_, stderr) = run(&folder, &["check", "repo"]).expect(0);
        assert!(stderr.contains(&format!("1 file skipped: 1 ignored by {name}")), "{stderr}");
    }
}

#[test]
fn the_project_file_does_not_lead_out() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    symlink("/proc/self/environ", folder.path().join("repo/sandboxc.yaml")).unwrap();
    for arguments in [
        &["check", "repo/a.yaml"][..],
        &["check", "repo"],
        &["check", "--project", "repo", "repo/a.yaml"],
    ] {
        let run = run(&folder, arguments);
        assert_ne!(run.status, 0, "{arguments:?}");
        assert!(run.stderr.contains("it leads out of the repository"), "{}", run.stderr);
    }
}

#[test]
fn a_test_names_only_files_of_its_repository() {
    let test = |inputs: &str, expect: &str| {
        format!(
            "apiVersion: sandboxc.dev/v1alpha1\nkind: Test\nmetadata: {{name: t}}\n\
             spec: {{cases: [{{name: c, inputs: ['{inputs}'], expect: {{{expect}}}}}]}}\n"
        )
    };
    for path in ["../outside/secret.yaml", "../outside", "link"] {
        let folder = repository(&[("repo/a.test.yaml", &test(path, "count: {Pod: 1}"))]);
        symlink("../outside/secret.yaml", folder.path().join("repo/link")).unwrap();
        let run = run(&folder, &["test", "repo"]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stdout.contains("it leads out of the repository"), "{path} {}", run.stdout);
    }
    let folder = repository(&[
        ("repo/a.test.yaml", &test("a.yaml", "snapshot: a.snap.yaml")),
        ("repo/a.yaml", OBJECT),
    ]);
    symlink("../outside/secret.yaml", folder.path().join("repo/a.snap.yaml")).unwrap();
    let run = run(&folder, &["test", "repo"]);
    assert_ne!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("it leads out of the repository"), "{}", run.stderr);
}

#[test]
fn a_function_names_only_files_below_the_working_directory() {
    for path in ["/proc/self/environ", "../outside/secret.yaml", "../outside", "/etc/passwd"] {
        let folder = repository(&[]);
        let list = format!(
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig:\n  \
             apiVersion: functions.sandboxc.dev/v1alpha1\n  kind: Build\n  \
             metadata: {{name: f}}\n  spec: {{files: ['{path}']}}\n"
        );
        folder.write("list.yaml", &list);
        let mut command = folder.command(&["krm"]);
        command.current_dir(folder.path().join("repo")).env("TOKEN", SECRET);
        command.stdin(fs::File::open(folder.path().join("list.yaml")).unwrap());
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stderr.contains("it leads out of the repository"), "{path} {}", run.stderr);
        assert!(!(run.stdout + &run.stderr).contains(SECRET));
    }
}

#[test]
fn committed_output_does_not_lead_out() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    folder.run(&["build", "repo/a.yaml", "-o", "repo/out"]).expect(0);
    let name = folder.list("repo/out").into_iter().find(|it| is_yaml(it)).unwrap();
    let path = folder.path().join("repo/out").join(name);
    fs::remove_file(&path).unwrap();
    for target in ["../../outside/secret.yaml", "/proc/self/environ"] {
        symlink(target, &path).unwrap();
        let (_, stderr) = run(&folder, &["build", "repo/a.yaml", "--check", "repo/out"]).expect(2);
        assert!(stderr.contains("it leads out of the repository"), "{stderr}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn collected_definitions_do_not_lead_out() {
    let folder = repository(&[("repo/a.yaml", OBJECT)]);
    symlink("../outside/crd.yaml", folder.path().join("repo/crd.yaml")).unwrap();
    symlink("../outside/chart.tgz", folder.path().join("repo/chart.tgz")).unwrap();
    let run = run(&folder, &["crds", "collect", "repo"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    for name in ["crd.yaml", "chart.tgz"] {
        let expected = format!("cannot read `repo/{name}`: it leads out of the repository");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
}

#[test]
fn what_is_skipped_is_counted_and_can_be_denied() {
    let folder = repository(&[
        ("repo/a.yaml", OBJECT),
        ("repo/ignored.yaml", "kind: Nothing\n"),
        ("repo/ignored/b.yaml", "kind: Nothing\n"),
        ("repo/ignored/deep/c.json", "kind: Nothing\n"),
        ("repo/ignored/README.md", ""),
        ("repo/ignored/.hidden.yaml", ""),
        ("repo/out/d.yaml", "kind: Nothing\n"),
        ("repo/out/.sandboxc-files", ""),
        ("repo/e.yaml", "kind: Nothing\n"),
        ("repo/.sandboxcignore", "ignored*\n"),
        ("repo/.gitignore", "/e.yaml\n.cache\n"),
        ("repo/.cache/f.yaml", ""),
    ]);
    let line =
        "5 files skipped: 3 ignored by .sandboxcignore, 1 ignored by .gitignore, 1 generated";
    let (_, stderr) = run(&folder, &["check", "repo"]).expect(0);
    assert!(stderr.contains(&format!("{line}\n")), "{stderr}");
    let (_, stderr) = run(&folder, &["build", "repo"]).expect(0);
    assert_eq!(stderr, "", "a build without findings is silent");
    for verb in ["check", "build"] {
        for more in [&["--quiet"][..], &["--format", "json"], &["--format", "github"]] {
            let arguments = [&[verb, "repo", "--deny", "skipped"], more].concat();
            let (_, stderr) = run(&folder, &arguments).expect(1);
            assert!(stderr.contains(&format!("{line}; skipped files are denied\n")), "{stderr}");
        }
        // What the command line excludes is not skipped in silence.
        let deny = [verb, "repo", "--deny", "skipped"];
        let exclude = [&deny[..], &["--exclude", "ignored*", "--exclude", "out"]].concat();
        let (_, stderr) = run(&folder, &exclude).expect(1);
        assert!(stderr.contains("1 file skipped: 1 ignored by .gitignore;"), "{stderr}");
        run(&folder, &[verb, "repo/a.yaml", "--deny", "skipped"]).expect(0);
    }
}
