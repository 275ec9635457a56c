//! A failure at every step, directories that are swapped for links, and the resulting files.

use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;
use crate::cli::writing::guard::{fail_at, fail_once_at};

/// More directories than are locked at once.
const MANY: usize = LOCKED_AT_ONCE + 1;

/// A repository with directories of two files each.
fn folder(directories: usize) -> (TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("repo/.git")).unwrap();
    fs::create_dir_all(folder.path().join("outside")).unwrap();
    let mut files = Vec::new();
    for at in 0..directories {
        let directory = folder.path().join(format!("repo/{at:02}"));
        fs::create_dir_all(&directory).unwrap();
        files.extend(["a.yaml", "b.yaml"].map(|it| directory.join(it)));
    }
    for file in &files {
        fs::write(file, "old").unwrap();
    }
    (folder, files)
}

fn replacements(files: &[PathBuf]) -> Vec<Replacement<'_>> {
    let replacement = |path: &PathBuf| Replacement {
        path: path.clone(),
        origin: Origin::Directory,
        expected: Some(b"old"),
        content: b"new",
    };
    files.iter().map(replacement).collect()
}

fn places() -> Places {
    Places::of(&[])
}

fn assert_contents(files: &[PathBuf], expected: &str) {
    for file in files {
        assert_eq!(fs::read_to_string(file).unwrap(), expected, "{}", file.display());
        let names = fs::read_dir(file.parent().unwrap()).unwrap();
        assert_eq!(names.count(), 2, "nothing temporary is left");
    }
}

#[test]
fn a_failure_at_any_step_leaves_all_old_files() {
    for (directories, distance) in [(2, 1), (MANY, 23)] {
        for step in (0..).step_by(distance) {
            let (_folder, files) = folder(directories);
            fail_once_at(step);
            let outcome = replace_files(&places(), &replacements(&files));
            fail_at(None);
            if outcome.is_ok() {
                assert_contents(&files, "new");
                assert!(step > files.len() * 2, "writes, syncs and renames: {step}");
                break;
            }
            assert_contents(&files, "old");
        }
    }
}

/// Neither can the old contents be restored.
#[test]
fn files_that_were_replaced_are_named_if_nothing_can_be_written() {
    let (_folder, files) = folder(1);
    // Two files are written and synced, and the first of two is renamed.
    fail_at(Some(5));
    let failure = replace_files(&places(), &replacements(&files)).unwrap_err();
    fail_at(None);
    let text = failure.to_string();
    assert!(text.contains("a.yaml` was already replaced"), "{text}");
}

#[test]
fn a_file_that_changed_since_it_was_read_is_kept_with_all_others() {
    let (_folder, files) = folder(2);
    fs::write(&files[3], "other").unwrap();
    let failure = replace_files(&places(), &replacements(&files)).unwrap_err();
    let text = failure.in_one_line();
    assert!(text.ends_with("b.yaml`: the file was changed while it was checked"), "{text}");
    assert_contents(&files[..3], "old");
}

#[test]
fn a_directory_that_was_swapped_for_a_link_leads_nowhere() {
    for is_prepared in [false, true] {
        let (folder, files) = folder(1);
        let outside = folder.path().join("outside");
        fs::write(outside.join("a.yaml"), "old").unwrap();
        fs::write(outside.join("b.yaml"), "old").unwrap();
        let all = replacements(&files);
        let mut folders = find_folders(&places(), &all).unwrap();
        if is_prepared {
            folders[0].prepare(2).unwrap();
        }
        let directory = folder.path().join("repo/00");
        fs::rename(&directory, folder.path().join("moved")).unwrap();
        symlink(&outside, &directory).unwrap();
        let outcome = if is_prepared { folders[0].replace() } else { replace_all(&mut folders) };
        // An open directory is still the same one.
        assert_eq!(outcome.is_ok(), is_prepared);
        let moved = ["a.yaml", "b.yaml"].map(|name| folder.path().join("moved").join(name));
        assert_contents(&moved, if is_prepared { "new" } else { "old" });
        assert_contents(&["a.yaml", "b.yaml"].map(|it| outside.join(it)), "old");
    }
}

#[test]
fn a_file_that_was_swapped_for_a_link_is_not_followed() {
    let (folder, files) = folder(1);
    let outside = folder.path().join("outside/target");
    fs::write(&outside, "old").unwrap();
    let all = replacements(&files);
    let mut folders = find_folders(&places(), &all).unwrap();
    fs::remove_file(&files[0]).unwrap();
    symlink(&outside, &files[0]).unwrap();
    assert!(replace_all(&mut folders).is_err());
    assert_eq!(fs::read_to_string(&outside).unwrap(), "old");
}
