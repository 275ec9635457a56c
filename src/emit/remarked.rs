//! Output of objects with remarks: as YAML with comments, and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::stream::{print_object, write_stream_with};
use super::{EmittedFile, files_with};
use crate::kube::{Object, Remark, Remarks};
use crate::markup::pretty_json;
use crate::tree::Node;
use crate::yaml;

/// The version of the JSON format. Compatible changes only add fields.
const FORMAT: u32 = 1;

/// Writes objects as [`write_stream`](crate::write_stream) does, with the remark on an object as a
/// comment above it.
///
/// # Errors
/// If writing to `out` fails.
pub fn write_remarked(
    objects: &[Object],
    remarks: &Remarks,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_stream_with(objects, |object, text| print(object, remarks, text), out)
}

/// Splits objects into files as [`emit_files`](crate::emit_files) does, with the remark on an
/// object as a comment above it.
#[must_use]
pub fn remarked_files(objects: &[Object], remarks: &Remarks) -> Vec<EmittedFile> {
    files_with(objects, |object, text| print(object, remarks, text))
}

fn print(object: &Object, remarks: &Remarks, out: &mut String) {
    if let Some(remark) = remarks.on(object) {
        yaml::print_comment(&remark.reason, out);
    }
    print_object(object, out);
}

#[derive(Serialize)]
struct Listing<'o> {
    format: u32,
    objects: Vec<Listed<'o>>,
}

#[derive(Serialize)]
struct Listed<'o> {
    remark: Option<&'o Remark>,
    object: &'o Node,
}

/// Returns the objects as one JSON object: `format`, and `objects`, a list of items with `object`
/// and `remark`, which can be null.
#[must_use]
pub fn render_remarked_json(objects: &[Object], remarks: &Remarks) -> String {
    let listed = |object| Listed { remark: remarks.on(object), object: object.root() };
    let listing = Listing { format: FORMAT, objects: objects.iter().map(listed).collect() };
    pretty_json(&listing)
}
