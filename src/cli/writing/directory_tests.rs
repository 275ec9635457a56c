//! A failure at every step, and the resulting directory.

use std::collections::BTreeMap;

use std::fs;

use super::*;
use crate::cli::writing::guard::{fail_at, kill_at};

fn find(directory: &Path) -> OutputDirectory {
    OutputDirectory::find(&Places::of(&[]), directory).unwrap()
}

fn files(names: &[(&str, &str)]) -> Vec<File> {
    let file = |(name, content): &(&str, &str)| File {
        name: (*name).to_owned(),
        content: content.as_bytes().to_vec(),
    };
    names.iter().map(file).collect()
}

/// Retried while a process that another test starts still has a copy of the lock, until its `exec`.
fn replace(directory: &Path, files: &[File], edited: Edited) -> Result<Changes, Failure> {
    for _ in 0..500 {
        match find(directory).replace(files, edited) {
            Err(error) if error.to_string().starts_with("another run is writing") => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            outcome => return outcome,
        }
    }
    find(directory).replace(files, edited)
}

/// The files of a directory, without the manifest; a temporary one is a failure.
fn found(directory: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        assert!(!name.starts_with(TEMPORARY), "{name} was left behind");
        if name != manifest::FILE_NAME {
            found.insert(name, fs::read_to_string(&path).unwrap());
        }
    }
    found
}

fn contents(files: &[File]) -> BTreeMap<String, String> {
    let content = |file: &File| String::from_utf8(file.content.clone()).unwrap();
    files.iter().map(|file| (file.name.clone(), content(file))).collect()
}

/// The files of two runs: one file changes, one is unchanged, one is removed, and one is added; and
/// more that change.
fn before_and_after(more: usize) -> [Vec<File>; 2] {
    let mut runs = [
        files(&[("a.yaml", "old a"), ("b.yaml", "b"), ("c.yaml", "old c")]),
        files(&[("a.yaml", "new a"), ("b.yaml", "b"), ("d.yaml", "new d")]),
    ];
    for (run, content) in runs.iter_mut().zip(["old", "new"]) {
        run.extend((0..more).flat_map(|it| files(&[(&format!("{it}.yaml"), content)])));
    }
    runs
}

#[test]
fn after_a_failure_at_any_step_the_next_run_recovers() {
    let [old, new] = before_and_after(0);
    let mut failures = 0;
    for step in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        replace(&target, &old, Edited::Keep).unwrap();
        fs::write(target.join("foreign.txt"), "mine").unwrap();
        fail_at(Some(step));
        let outcome = replace(&target, &new, Edited::Keep);
        fail_at(None);
        let mut there = found(&target);
        assert_eq!(there.remove("foreign.txt").as_deref(), Some("mine"), "step {step}");
        assert!([contents(&old), contents(&new)].contains(&there), "step {step}: {there:?}");
        if outcome.is_ok() {
            assert_eq!(there, contents(&new));
            break;
        }
        failures += 1;
        // No file is rejected as edited or foreign, and both updates still succeed.
        let next = if step % 2 == 0 { &new } else { &old };
        replace(&target, next, Edited::Keep).unwrap_or_else(|it| panic!("step {step}: {it}"));
        fs::remove_file(target.join("foreign.txt")).unwrap();
        assert_eq!(found(&target), contents(next), "step {step}");
    }
    assert!(failures > 7, "writes, syncs and a rename: {failures}");
}

/// A directory that cannot be exchanged, as it has another in it.
#[test]
fn after_a_failure_at_any_step_a_directory_with_others_in_it_recovers() {
    let [old, new] = before_and_after(0);
    let mut failures = 0;
    for step in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        replace(&target, &old, Edited::Keep).unwrap();
        fs::create_dir(target.join("sub")).unwrap();
        fail_at(Some(step));
        let outcome = replace(&target, &new, Edited::Keep);
        fail_at(None);
        fs::remove_dir(target.join("sub")).unwrap();
        for (name, content) in &found(&target) {
            let known = [contents(&old), contents(&new)];
            assert!(known.iter().any(|it| it.get(name) == Some(content)), "step {step}: {name}");
        }
        if outcome.is_ok() {
            assert_eq!(found(&target), contents(&new));
            break;
        }
        failures += 1;
        // Nothing is rejected as edited or foreign, and both directions are open.
        let next = if step % 2 == 0 { &new } else { &old };
        replace(&target, next, Edited::Keep).unwrap_or_else(|it| panic!("step {step}: {it}"));
        assert_eq!(found(&target), contents(next), "step {step}");
    }
    assert!(failures > 12, "writes, syncs, renames and a removal: {failures}");
}

/// The variables that start the child of the test below.
const KILLED: [&str; 3] = ["SANDBOXC_KILLED_AT", "SANDBOXC_KILLED_IN", "SANDBOXC_KILLED_WITH"];

/// The next test starts it as a process of its own; without that it has nothing to do.
#[test]
fn child_that_is_killed() {
    let [Ok(step), Ok(target), Ok(more)] = KILLED.map(std::env::var) else { return };
    let [_, new] = before_and_after(more.parse().unwrap());
    kill_at(step.parse().unwrap());
    replace(Path::new(&target), &new, Edited::Keep).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_kill_at_any_step_leaves_exactly_the_old_directory_or_the_new_one() {
    let seen = after_kills(0, 0..);
    assert!(seen[&false] > 7 && seen[&true] > 1, "kills before and after the exchange: {seen:?}");
}

/// Their contents are written to the disk together.
#[cfg(target_os = "linux")]
#[test]
fn a_kill_while_many_files_are_replaced_leaves_the_old_directory_or_the_new_one() {
    // All files and the manifest are written, then their contents to the disk, then the directory.
    let writes = MANY + 3;
    let seen = after_kills(MANY, [0, writes / 2].into_iter().chain(writes - 1..));
    assert_eq!((seen[&false], seen[&true]), (6, 3), "kills before and after the exchange");
}

/// The number of files that are written to the disk together.
const MANY: usize = 120;

/// Kills a run at each of these steps until it succeeds. Returns how often the directory had its
/// old and its new contents.
#[cfg(target_os = "linux")]
fn after_kills(more: usize, steps: impl Iterator<Item = usize>) -> BTreeMap<bool, usize> {
    let [old, new] = before_and_after(more);
    let mut seen = BTreeMap::new();
    for step in steps {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        replace(&target, &old, Edited::Keep).unwrap();
        fs::write(target.join("foreign.txt"), "mine").unwrap();
        let name = "cli::writing::directory::tests::child_that_is_killed";
        let outcome = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .envs(KILLED.into_iter().zip([
                step.to_string().as_str(),
                target.to_str().unwrap(),
                more.to_string().as_str(),
            ]))
            .output()
            .unwrap();
        let mut there = found(&target);
        assert_eq!(there.remove("foreign.txt").as_deref(), Some("mine"), "step {step}");
        let is_new = there == contents(&new);
        assert!(is_new || there == contents(&old), "step {step}: {there:?}");
        *seen.entry(is_new).or_insert(0) += 1;
        // The next run sees no fault, and leaves nothing of the killed one.
        replace(&target, &old, Edited::Keep).unwrap_or_else(|it| panic!("step {step}: {it}"));
        fs::remove_file(target.join("foreign.txt")).unwrap();
        assert_eq!(found(&target), contents(&old), "step {step}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "step {step}");
        if outcome.status.success() {
            break;
        }
    }
    seen
}

#[cfg(unix)]
#[test]
fn files_that_were_not_generated_are_unchanged() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    replace(&target, &files(&[("a.yaml", "a"), ("b.yaml", "b")]), Edited::Keep).unwrap();
    fs::write(target.join("foreign.txt"), "mine").unwrap();
    std::os::unix::fs::symlink("foreign.txt", target.join("link")).unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o2750)).unwrap();
    let inode = |name: &str| fs::symlink_metadata(target.join(name)).unwrap().ino();
    let before = [inode("foreign.txt"), inode("b.yaml")];
    replace(&target, &files(&[("a.yaml", "new"), ("b.yaml", "b")]), Edited::Keep).unwrap();
    assert_eq!([inode("foreign.txt"), inode("b.yaml")], before);
    assert_eq!(fs::read_link(target.join("link")).unwrap(), Path::new("foreign.txt"));
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o2750);
}

#[test]
fn a_new_directory_is_complete_or_absent() {
    let new = files(&[("a.yaml", "a"), ("b.yaml", "b")]);
    for step in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        fail_at(Some(step));
        let outcome = replace(&target, &new, Edited::Keep);
        fail_at(None);
        if target.exists() {
            assert_eq!(found(&target), contents(&new), "step {step}");
        }
        assert!(fs::read_dir(folder.path()).unwrap().count() <= 1, "step {step}");
        if outcome.is_ok() {
            break;
        }
        replace(&target, &new, Edited::Keep).unwrap();
        assert_eq!(found(&target), contents(&new), "step {step}");
    }
}

#[test]
fn many_files_are_written_to_the_disk_together() {
    let names: Vec<_> = (0..300).map(|it| format!("{it}.yaml")).collect();
    let new: Vec<_> = names.iter().map(|it| (it.as_str(), "a")).collect();
    let new = files(&new);
    // After 300 writes, one step writes their contents to the disk.
    for (step, is_done) in [(300, false), (310, true)] {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        fail_at(Some(step));
        let outcome = replace(&target, &new, Edited::Keep);
        fail_at(None);
        assert_eq!((outcome.is_ok(), target.exists()), (is_done, is_done), "step {step}");
    }
}

/// The working directory cannot be exchanged, and a directory with another in it neither.
#[test]
fn many_files_of_a_directory_with_others_in_it_are_written_together() {
    let [old, new] = before_and_after(MANY);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    replace(&target, &old, Edited::Keep).unwrap();
    fs::create_dir(target.join("sub")).unwrap();
    // After the writes, one step writes all contents to the disk: nothing has been replaced yet.
    fail_at(Some(MANY + 2));
    let outcome = replace(&target, &new, Edited::Keep);
    fail_at(None);
    fs::remove_dir(target.join("sub")).unwrap();
    assert_eq!((outcome.is_ok(), found(&target)), (false, contents(&old)));
}

#[test]
fn leftovers_of_a_killed_run_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    let left = folder.path().join(format!("{TEMPORARY}out-x"));
    let of_another = folder.path().join(format!("{TEMPORARY}other-x"));
    fs::create_dir(&left).unwrap();
    fs::create_dir(&of_another).unwrap();
    replace(&target, &files(&[("a.yaml", "a")]), Edited::Keep).unwrap();
    assert!(!left.exists() && of_another.exists());
    fs::write(target.join(format!("{TEMPORARY}y")), "half").unwrap();
    replace(&target, &files(&[("a.yaml", "b")]), Edited::Keep).unwrap();
    assert_eq!(found(&target), contents(&files(&[("a.yaml", "b")])));
}

#[cfg(unix)]
#[test]
fn one_run_at_a_time_writes_into_a_directory() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out");
    replace(&target, &files(&[("a.yaml", "a")]), Edited::Keep).unwrap();
    let other = find(&target).lock().unwrap_or_else(|it| panic!("{it}"));
    let refused = replace(&target, &files(&[("a.yaml", "b")]), Edited::Keep).unwrap_err();
    assert!(refused.to_string().contains("another run is writing into"), "{refused}");
    drop(other);
    replace(&target, &files(&[("a.yaml", "b")]), Edited::Keep).unwrap();
}
