//! What the editor watches for the server: the files that a check reads, and the folders with them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use gen_lsp_types as lsp;
use serde_json::{Value, json};

use super::address::{path_of, uri_of};
use super::client::Client;

/// The files that a check reads.
const FILES: &str = "**/*.{yaml,yml,json}";

/// The ID of the registration of places that Projects name.
const NAMED: &str = "sandboxc-named";

/// The kinds of changes of what is created and deleted, which includes what is moved.
const CREATED_OR_DELETED: u32 = 1 | 4;

/// Asks the editor to watch files and folders. A folder that is deleted or moved is one change: the files in
/// it have none.
pub(super) fn register(client: &Client) {
    let folders = json!({"globPattern": "**/*", "kind": CREATED_OR_DELETED});
    add(client, "sandboxc-files", &[json!({"globPattern": FILES}), folders]);
}

/// Asks the editor to watch these files and directories, which are in none of its folders, in place of those
/// before.
pub(super) fn register_named(client: &Client, places: &BTreeSet<PathBuf>, has_some: bool) {
    if has_some {
        let old = json!({"id": NAMED, "method": "workspace/didChangeWatchedFiles"});
        // The protocol has this typo.
        client.request("client/unregisterCapability", json!({"unregisterations": [old]}));
    }
    if !places.is_empty() {
        let patterns: Vec<_> = places.iter().map(|place| pattern_of(place)).collect();
        add(client, NAMED, &patterns);
    }
}

fn add(client: &Client, id: &str, watchers: &[Value]) {
    let registration = json!({
        "id": id,
        "method": "workspace/didChangeWatchedFiles",
        "registerOptions": {"watchers": watchers},
    });
    client.request("client/registerCapability", json!({"registrations": [registration]}));
}

/// The pattern of a file, or of all files below a directory.
fn pattern_of(place: &Path) -> Value {
    let (base, pattern) = match (place.parent(), place.file_name()) {
        (Some(parent), Some(name)) if !place.is_dir() => {
            let is_special = |it: char| "*?[]{}!".contains(it);
            (parent, name.to_string_lossy().replace(is_special, "?"))
        }
        _ => (place, FILES.to_owned()),
    };
    json!({"globPattern": {"baseUri": uri_of(base), "pattern": pattern}})
}

/// The notifications of files that the editor itself deletes or moves, folders included.
pub(super) fn file_operations() -> lsp::FileOperationOptions {
    let all = || {
        let pattern =
            lsp::FileOperationPattern { glob: "**".to_owned(), matches: None, options: None };
        let filter = lsp::FileOperationFilter { scheme: Some("file".to_owned()), pattern };
        Some(lsp::FileOperationRegistrationOptions { filters: vec![filter] })
    };
    lsp::FileOperationOptions {
        did_create: all(),
        did_rename: all(),
        did_delete: all(),
        ..lsp::FileOperationOptions::default()
    }
}

/// The paths of files that the editor has created, moved or deleted.
pub(super) fn moved(params: &Value) -> Vec<PathBuf> {
    let files = params.get("files").and_then(Value::as_array);
    let uris = files.into_iter().flatten().flat_map(|file| {
        ["uri", "oldUri", "newUri"].into_iter().filter_map(|key| file.get(key)?.as_str())
    });
    uris.filter_map(path_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_moved_has_two_paths() {
        let params = json!({"files": [{"oldUri": "file:///a", "newUri": "file:///b"}, {"uri": "file:///c"}, 3]});
        assert_eq!(moved(&params), ["/a", "/b", "/c"].map(PathBuf::from));
    }

    #[test]
    fn a_name_with_signs_of_patterns_is_matched() {
        let pattern = pattern_of(Path::new("/nowhere/a[1]*.yaml"));
        let expected = json!({"baseUri": "file:///nowhere", "pattern": "a?1??.yaml"});
        assert_eq!(pattern["globPattern"], expected);
    }
}
