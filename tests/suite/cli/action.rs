//! The steps of `action.yml`, as a runner of GitHub runs them, in repositories that are hostile.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::runner::{Runner, Step};
use super::{BROKEN, Folder, OBJECT};
use crate::support::root;

/// Checks the exit status of a step, and that the runner has obeyed nothing but annotations.
#[track_caller]
fn expect(step: Step, status: i32) -> Step {
    assert_eq!(step.status, status, "{}", step.output);
    let is_annotation = |it: &String| matches!(&**it, "error" | "warning" | "notice");
    assert!(step.commands.iter().all(is_annotation), "{:?}: {}", step.commands, step.output);
    step
}

fn runner(files: &[(&str, &str)]) -> Runner {
    Runner::new(Folder::new(files))
}

#[test]
fn the_action_fails_as_the_check_does() {
    let mut runner = runner(&[("definitions/a.yaml", BROKEN), ("good/a b.yaml", OBJECT)]);
    runner.set("inputs.paths", "definitions/a.yaml\n");
    runner.set("inputs.sarif-file", "a.sarif");
    let step = expect(runner.run("Check"), 1);
    assert!(step.output.contains("\n::error file=definitions/a.yaml,"), "{}", step.output);
    assert_eq!(step.commands, ["error"]);
    assert!(step.summary.contains("| error | `definitions/a.yaml:1:6` |"), "{}", step.summary);
    assert!(runner.workspace.read("a.sarif").contains("unclosed-bracket"));
    runner.set("inputs.paths", "good nowhere");
    let step = expect(runner.run("Check"), 2);
    assert!(step.output.contains("cannot read `nowhere`"), "{}", step.output);
    runner.set("inputs.paths", "good");
    runner.set("inputs.graph", "true");
    let step = expect(runner.run("Check"), 0);
    assert!(step.summary.contains("checked 1 object"), "{}", step.summary);
    assert!(step.summary.contains("```mermaid\nflowchart"), "{}", step.summary);
    runner.set("inputs.paths", ".");
    runner.set("inputs.working-directory", "good");
    runner.set("inputs.summary", "false");
    runner.set("inputs.graph", "false");
    let step = expect(runner.run("Check"), 0);
    assert_eq!(step.summary, "");
}

/// Names of files which are options, commands of a shell, and commands of the runner.
const NAMES: &[&str] = &[
    "--fail-on=never",
    "--fail-on=never.yaml",
    "-o.yaml",
    "$(touch pwned).yaml",
    "`touch pwned`.yaml",
    "; touch pwned;.yaml",
    "a\n::add-mask::a.yaml",
    "a\r::add-mask::a.yaml",
    "::add-path::bin.yaml",
    "##[add-matcher]a.yaml",
    "%0A::add-mask::a.yaml",
];

#[test]
fn names_and_lines_of_files_are_neither_options_nor_commands() {
    let lines = "apiVersion: v1\nkind: Pod\na: [\n::add-mask::a\n   ::add-path::bin\n##[add-matcher]a\n::stop-commands::a\n\
        ::set-env name=A::b\n::a::\n";
    let mut runner = runner(&[("z.yaml", &format!("apiVersion: v1\n{BROKEN}"))]);
    for name in NAMES {
        runner.workspace.write(name, lines);
        runner.workspace.write(&format!("below/{name}"), lines);
    }
    for paths in ["*", ".", "below", "below/*", "--fail-on=never.yaml z.yaml", "-- z.yaml"] {
        runner.set("inputs.paths", paths);
        let step = runner.run("Check");
        // A file with the name of an option is one that is checked; `--` is no file.
        expect(step, if paths.starts_with("-- ") { 2 } else { 1 });
    }
    runner.set("inputs.paths", "z.yaml");
    for (input, value) in [
        ("inputs.fail-on", "never\n::add-mask::a"),
        ("inputs.fail-on", "--fail-on=never"),
        ("inputs.arguments", "--no-such-option ::add-mask::a"),
        ("inputs.arguments", "$(touch pwned)"),
        ("inputs.working-directory", "::add-mask::a"),
        ("inputs.working-directory", "a\n::add-mask::a"),
        ("inputs.paths", "::add-mask::a ##[add-matcher]a"),
        ("inputs.sarif-file", "a/b\n::add-mask::a"),
    ] {
        runner.set(input, value);
        expect(runner.run("Check"), 2);
        runner.values.remove(input);
        runner.set("inputs.paths", "z.yaml");
    }
    assert!(!runner.workspace.has("pwned") && !runner.workspace.has("below/pwned"));
}

#[test]
fn links_out_of_the_repository_are_not_followed() {
    let outside = Folder::new(&[("a.yaml", "secret: word\nb: [\n"), ("report", "kept")]);
    let mut runner = runner(&[("good/a.yaml", OBJECT)]);
    let link = |target: &Path, name: &str| {
        symlink(target, runner.workspace.path().join(name)).unwrap();
    };
    link(outside.path(), "folder");
    link(&outside.path().join("a.yaml"), "a.yaml");
    link(Path::new("a.yaml"), "b.yaml");
    link(&outside.path().join("report"), "report");
    link(&outside.path().join("new"), "new");
    link(Path::new("good"), "inside");
    for (input, values) in [
        (
            "inputs.paths",
            &["folder", "./folder", "good folder/a.yaml", "a.yaml", "b.yaml", "../x"][..],
        ),
        ("inputs.working-directory", &["folder", "inside/../folder"]),
        ("inputs.sarif-file", &["report", "new", "folder/new", "inside/../folder/new"]),
    ] {
        for value in values {
            runner.set(input, value);
            let step = expect(runner.run("Check"), 2);
            assert!(step.output.contains("::error title=sandboxc::`"), "{value}: {}", step.output);
            assert!(!step.output.contains("word"), "{}", step.output);
        }
        runner.values.remove(input);
    }
    assert_eq!((outside.read("report"), outside.list(".").len()), ("kept".to_owned(), 2));
    // A link inside is followed.
    runner.set("inputs.paths", "inside");
    expect(runner.run("Check"), 0);
}

/// A copy of the action below a workspace, as `uses: ./sandboxc` runs it, without the program in the path. The cargo
/// of the path reports where it is called.
fn installer() -> Runner {
    let mut runner = runner(&[("sandboxc/src/main.rs", "")]);
    let action = runner.workspace.path().join("sandboxc");
    fs::create_dir_all(action.join("integrations/github")).unwrap();
    fs::copy(root().join("action.yml"), action.join("action.yml")).unwrap();
    for name in ["environment.sh", "install.sh"] {
        let script = Path::new("integrations/github").join(name);
        fs::copy(root().join(&script), action.join(script)).unwrap();
    }
    runner.action = action;
    fs::remove_file(runner.own.path().join("bin/sandboxc")).unwrap();
    runner.own.program(
        "cargo",
        "#!/usr/bin/env bash\nset -e\n{ env; pwd; printf '%s\\n' \"$@\"; } >\"$HOME/called\"\n\
        ls src/main.rs >/dev/null\nroot=${!#}\nmkdir -p \"$root/bin\"\n\
        printf '#!/bin/sh\\necho built\\n' >\"$root/bin/sandboxc\"\nchmod +x \"$root/bin/sandboxc\"\n",
    );
    runner.own.program("rustup", "#!/bin/sh\necho 'stable-of-the-machine (default)'\n");
    runner
}

#[test]
fn the_repository_does_not_choose_the_compiler() {
    let mut runner = installer();
    let pwn = format!("#!/bin/sh\ntouch '{}/pwned'\n", runner.own.path().display());
    for folder in ["", "sandboxc/"] {
        let toolchain = "[toolchain]\npath = \"./toolchain\"\n";
        runner.workspace.write(&format!("{folder}rust-toolchain.toml"), toolchain);
        let wrapper = "[build]\nrustc-wrapper = \"./wrapper\"\n";
        runner.workspace.write(&format!("{folder}.cargo/config.toml"), wrapper);
    }
    runner.workspace.program("sandboxc", &pwn);
    runner.workspace.program("cargo", &pwn);
    let workspace = runner.workspace.path().display().to_string();
    // Relative directories of the path, and variables that lead into the repository.
    let path = std::env::var("PATH").unwrap();
    let path = format!("bin::.:./bin:{}/bin:{path}", runner.own.path().display());
    let home = format!("{workspace}/.cargo");
    let environment = [
        ("PATH", &*path),
        ("CARGO_HOME", &home),
        ("RUSTUP_HOME", ".rustup"),
        ("RUSTUP_TOOLCHAIN", "./toolchain"),
        ("CARGO_BUILD_RUSTC_WRAPPER", "./wrapper"),
        ("RUSTC_WRAPPER", "./wrapper"),
        ("RUSTFLAGS", "-Clinker=./linker"),
        ("CARGO_NET_RETRY", "1"),
    ];
    runner.environment =
        environment.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let step = expect(runner.run("Install sandboxc"), 0);
    assert!(step.output.contains("\nbuilt\n"), "{}", step.output);
    let called = runner.own.read("home/called");
    let folder = called.lines().find(|line| line.starts_with('/')).unwrap();
    assert!(!folder.starts_with(&workspace), "{called}");
    for above in Path::new(folder).ancestors().skip(1) {
        assert!(!above.join("rust-toolchain.toml").exists() && !above.join(".cargo").exists());
    }
    let expected = "RUSTUP_TOOLCHAIN=stable-of-the-machine\n";
    assert!(called.contains(expected) && called.contains("CARGO_NET_RETRY=1\n"), "{called}");
    for hostile in ["wrapper", "linker", "CARGO_HOME", "RUSTUP_HOME", "./toolchain"] {
        assert!(!called.contains(hostile), "{hostile}: {called}");
    }
    assert!(!runner.own.has("pwned"));
    // The program that the next steps run.
    let program = &runner.values["steps.install.outputs.program"];
    assert!(program.starts_with(&*runner.own.path().join("temp").to_string_lossy()), "{program}");
}

#[test]
fn an_archive_of_a_release_must_have_its_digest() {
    let mut runner = installer();
    let target = match std::env::consts::ARCH {
        "x86_64" => "x86_64-unknown-linux-musl",
        "aarch64" => "aarch64-unknown-linux-musl",
        _ => return,
    };
    if !cfg!(target_os = "linux") {
        return;
    }
    let name = format!("sandboxc-v1.2.3-{target}");
    let own = runner.own.path().to_owned();
    runner.own.write(&format!("{name}/sandboxc"), "#!/bin/sh\necho released\n");
    let script = format!(
        "cd '{}' && chmod +x '{name}/sandboxc' && tar -czf archive '{name}' && sha256sum archive | cut -c 1-64",
        own.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let digest = String::from_utf8(output.stdout).unwrap();
    let digest = digest.trim();
    assert_eq!(digest.len(), 64, "{digest}");
    runner.own.program(
        "curl",
        &format!(
            "#!/usr/bin/env bash\nset -e\n[ \"${{!#}}\" = 'https://example.com/v1.2.3/{name}.tar.gz' ]\n\
            cp '{}/archive' \"${{@: -3:1}}\"\n",
            own.display()
        ),
    );
    let release = "sandboxc/integrations/github/release.txt";
    let list = |digest: &str| {
        let other = "0".repeat(64);
        format!(
            "https://example.com/v1.2.3\n{other}  sandboxc-v1.2.3-other.tar.gz\n{digest}  {name}.tar.gz\n"
        )
    };
    runner.workspace.write(release, &list(digest));
    let step = expect(runner.run("Install sandboxc"), 0);
    assert!(step.output.contains("\nreleased\n"), "{}", step.output);
    runner.workspace.write(release, &list(&digest.replace(['0', '1', '2'], "3")));
    let step = expect(runner.run("Install sandboxc"), 2);
    assert!(step.output.contains("which is not that of the release"), "{}", step.output);
    assert!(!runner.own.has("home/called"), "nothing is built instead");
}
