//! `migrate`, `--check` and `--diff`.

use super::Folder;

const OLD: &str =
    "apiVersion: batch/v1beta1 # since 2019\r\nkind: CronJob\r\nmetadata: {name: a}\r\n";
const REMOVED: &str =
    "apiVersion: policy/v1beta1\nkind: PodSecurityPolicy\nmetadata: {name: a}\nspec: {}\n";

fn new() -> String {
    OLD.replace("v1beta1", "v1")
}

#[test]
fn files_are_written_once() {
    let folder = Folder::new(&[("a/job.yaml", OLD), ("c.txt", OLD)]);
    let (stdout, stderr) = folder.run(&["migrate", "."]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", "migrated 1 object in 1 file\n"));
    assert_eq!((folder.read("a/job.yaml"), folder.read("c.txt")), (new(), OLD.to_owned()));
    let (stdout, stderr) = folder.run(&["migrate", "."]).expect(0);
    assert_eq!((stdout.as_str(), stderr.as_str()), ("", ""));
}

#[test]
fn check_and_diff_change_no_file() {
    let folder = Folder::new(&[("job.yaml", OLD)]);
    let (stdout, stderr) = folder.run(&["migrate", "--check", "."]).expect(1);
    assert_eq!(
        (stdout.as_str(), stderr.as_str()),
        ("job.yaml\n", "would migrate 1 object in 1 file\n")
    );
    let (stdout, _) = folder.run(&["migrate", "--diff", "."]).expect(1);
    assert!(stdout.contains("\n-apiVersion: batch/v1beta1 # since 2019"), "{stdout}");
    assert!(stdout.contains("\n+apiVersion: batch/v1 # since 2019"), "{stdout}");
    assert_eq!(folder.read("job.yaml"), OLD);
}

#[test]
fn standard_input_is_printed() {
    let folder = Folder::new(&[]);
    let (stdout, _) = folder.run_with_stdin(&["migrate", "-"], OLD).expect(0);
    assert_eq!(stdout, new());
    let (stdout, stderr) = folder.run_with_stdin(&["migrate", "-"], REMOVED).expect(1);
    assert_eq!(stdout, "");
    assert!(
        stderr.contains("error[not-migrated]: `PodSecurityPolicy/a` is not migrated"),
        "{stderr}"
    );
}

#[test]
fn the_target_version_decides() {
    let claim =
        "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {}\n";
    let folder = Folder::new(&[("claim.yaml", claim)]);
    folder.run(&["migrate", "--kubernetes", "1.33", "."]).expect(0);
    assert_eq!(folder.read("claim.yaml"), claim);
    folder.run(&["migrate", "--kubernetes", "1.36", "."]).expect(0);
    assert_eq!(folder.read("claim.yaml"), claim.replace("v1beta1", "v1"));
}
