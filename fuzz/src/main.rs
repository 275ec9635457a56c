//! Runs one target of `sandboxc::fuzzing`, named by `SANDBOXC_FUZZ`, under libFuzzer.
#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use sandboxc::fuzzing::{TARGETS, Target, target};

#[allow(dead_code, reason = "the command uses the rest")]
#[path = "../../src/cli/manifest.rs"]
mod manifest;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("SANDBOXC_FUZZ").unwrap_or_default();
    if name == "manifest" {
        return manifests;
    }
    target(&name).unwrap_or_else(|| {
        let names: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        panic!("set SANDBOXC_FUZZ to one of {}, manifest", names.join(", "))
    })
});

fuzz_target!(|data: &[u8]| (*TARGET)(data));

/// A manifest that can be read is written as it was read, and names no path.
fn manifests(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Ok(read) = manifest::Manifest::parse(&text) else { return };
    for name in read.names() {
        assert!(!name.contains(['/', '\\', '\0']) && !name.starts_with('.') && !name.is_empty());
    }
    assert_eq!(manifest::Manifest::parse(&read.to_text()), Ok(read));
}
