//! Output of objects with the origin of each line in a comment.

use std::fmt;
use std::io::{self, Write};
use std::ptr;

use super::places::{Comments, Places};
use super::{Explanation, QueryError, SECRET, SetBy, explain_all, route};
use crate::compile::{Compilation, Options};
use crate::emit::{EmittedFile, files_with, write_stream_with};
use crate::kube::Object;
use crate::sorted::SortedMap;
use crate::source::Workspace;
use crate::tree::{Node, Value};
use crate::yaml;

/// Writes the objects of a compilation with comments.
pub struct Annotations<'w> {
    places: Places<'w>,
}

impl fmt::Debug for Annotations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Annotations").finish_non_exhaustive()
    }
}

impl<'w> Annotations<'w> {
    /// Creates annotations for the objects of a compilation of this workspace.
    #[must_use]
    pub fn new(workspace: &'w Workspace, compilation: &'w Compilation) -> Self {
        Self { places: Places::new(workspace, compilation) }
    }

    /// Writes objects as [`write_stream`](crate::write_stream) does, with comments.
    ///
    /// # Errors
    /// If writing to `out` fails.
    pub fn write_stream(&self, objects: &[Object], out: &mut dyn Write) -> io::Result<()> {
        write_stream_with(objects, |object, text| self.print(object, text), out)
    }

    /// Splits objects into files as [`emit_files`](crate::emit_files) does, with comments.
    #[must_use]
    pub fn emit_files(&self, objects: &[Object]) -> Vec<EmittedFile> {
        files_with(objects, |object, text| self.print(object, text))
    }

    fn print(&self, object: &Object, out: &mut String) {
        let comments = Comments::new(&self.places, object);
        yaml::print_commented(&object.root, &|_, origin| comments.of(origin), out);
    }

    /// Returns one object. The comment on a line whose value replaced others also has these values
    /// and their origins. Secret values are not shown. `options` must be those of the compilation.
    ///
    /// # Errors
    /// If the object is compiled from a definition and has too many fields.
    pub fn explain_object(&self, options: &Options, object: &Object) -> Result<String, QueryError> {
        let mut shown = object.clone();
        hide_secrets(&self.places, &mut shown.root);
        let mut replaced: SortedMap<*const Node, String> = SortedMap::new();
        // Objects of the input do not override anything.
        let explained = if self.places.is_compiled(object) {
            explain_all(&self.places, options, object)?
        } else {
            Vec::new()
        };
        for Explanation { path, layers, .. } in explained {
            let below: Vec<_> = layers.iter().rev().skip(1).map(SetBy::short).collect();
            if !below.is_empty() {
                let node = route::follow(&shown.root, &path).node;
                replaced.insert(ptr::from_ref(node), format!(", replaces {}", below.join(", ")));
            }
        }
        let comments = Comments::new(&self.places, object);
        let comment = |node: &Node, origin| {
            let mut comment = comments.of(origin);
            comment.extend(replaced.get(&ptr::from_ref(node)).map(String::as_str));
            comment
        };
        let mut text = String::new();
        yaml::print_commented(&shown.root, &comment, &mut text);
        Ok(text)
    }
}

fn hide_secrets(places: &Places<'_>, node: &mut Node) {
    let is_secret = node.origin().layer().is_none() && places.is_secret(node.span());
    let has_secret_key = node.entries().iter().any(|entry| places.has_secret_key(entry));
    match &mut node.value {
        value if has_secret_key => *value = Value::String(SECRET.into()),
        Value::Map(map) => {
            map.fields_mut().for_each(|field| hide_secrets(places, field.value));
        }
        Value::List(items) => items.iter_mut().for_each(|item| hide_secrets(places, item)),
        value if is_secret => *value = Value::String(SECRET.into()),
        _ => {}
    }
}
