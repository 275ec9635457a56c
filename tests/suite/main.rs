//! Integration tests: one binary, with one module per interface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "test code"
)]

mod benchmark;
mod cases;
mod cli;
mod comparisons;
mod compile;
mod conformance;
mod crds;
mod diag;
mod diff;
mod effective;
mod examples;
mod findings_alone;
mod fix;
#[allow(unused_imports, reason = "the tests of the rules use the rest")]
#[path = "../support/mod.rs"]
mod fixtures;
mod formats;
mod generated;
mod generated_inputs;
mod hooks;
mod idegym;
mod import;
mod import_agent_sandbox;
mod import_comments;
mod import_faithful;
mod import_keys;
mod import_keys_kelos;
#[cfg(unix)]
mod kelos;
mod language;
mod large_parts;
mod left_out;
mod linear;
mod list_defaults;
#[cfg(feature = "lsp")]
mod lsp;
mod many_duplicates;
mod markup;
mod migrate;
mod migrate_agent_sandbox;
mod migrate_kelos;
mod mutants;
mod nodepool;
mod oracles;
mod outputs;
mod pairs;
mod picture;
mod report;
mod report_formats;
mod report_size;
mod request_size;
mod requirements;
mod rule_pages;
mod rules;
mod same_data;
mod secrets;
mod site;
mod split;
mod suggestions;
mod support;
mod tidy;
mod typos;
mod unpacked;
mod versions;
mod volume;
mod why;
