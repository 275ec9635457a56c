//! Output of objects with remarks: as YAML with comments, and as JSON.

use std::io::{self, Write};

use serde::Serialize;

use super::{EmittedFile, emit_files, emit_stream};
use crate::kube::{Object, Remark, Remarks};
use crate::tree::Node;

/// The number of objects that are printed at a time.
const BATCH: usize = 64;
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
    let mut is_first = true;
    // The objects before the next one with a remark are written together.
    for batch in objects.chunks(BATCH) {
        for part in batch.chunk_by(|_, next| remarks.on(next).is_none()) {
            if !is_first {
                out.write_all(b"---\n")?;
            }
            is_first = false;
            out.write_all(comment(part.first(), remarks).as_bytes())?;
            out.write_all(emit_stream(part).as_bytes())?;
        }
    }
    Ok(())
}

/// Splits objects into files as [`emit_files`] does, with the remark on an
/// object as a comment above it.
#[must_use]
pub fn remarked_files(objects: &[Object], remarks: &Remarks) -> Vec<EmittedFile> {
    let mut files = emit_files(objects);
    for (file, object) in files.iter_mut().zip(objects) {
        file.content.insert_str(0, &comment(Some(object), remarks));
    }
    files
}

fn comment(object: Option<&Object>, remarks: &Remarks) -> String {
    let remark = object.and_then(|it| remarks.on(it));
    // Only an invalid name can contain a line break.
    remark.map_or_else(String::new, |it| format!("# {}\n", it.reason.escape_debug()))
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
    let listed = |it| Listed { remark: remarks.on(it), object: it.root() };
    let listing = Listing { format: FORMAT, objects: objects.iter().map(listed).collect() };
    // Serialization only fails for a map with keys that are not strings, or a failing `Serialize`.
    let mut text = serde_json::to_string_pretty(&listing).unwrap_or_default();
    text.push('\n');
    text
}
