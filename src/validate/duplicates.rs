//! Two objects with one name.

use crate::diag::{Diagnostic, Sink, declare_rules};
use crate::kube::{Object, ObjectSet};

declare_rules! {
    OBJECT_DUPLICATE = "object-duplicate", Error;
}

/// Reports each object whose kind, namespace and name an earlier one has. The version does not
/// count: the API server serves one object in all of them.
pub(super) fn check(set: &ObjectSet<'_>, sink: &mut Sink) {
    for mut objects in set.repeated() {
        // The first is the first that the author wrote: definitions come behind objects otherwise.
        objects.sort_by_key(|it| it.name_span());
        let Some((first, others)) = objects.split_first() else { continue };
        // With `generateName` the API server gives each a name of its own.
        for object in others.iter().filter(|it| !it.name.is_empty()) {
            sink.report(finding(first, object));
        }
    }
}

fn finding(first: &Object, second: &Object) -> Diagnostic {
    let (here, there) = (second.name_span(), first.name_span());
    let message = match (first.is_compiled(), second.is_compiled()) {
        (true, true) => format!("two definitions compile to {}", second.describe()),
        (false, false) => format!("there are two objects {}", second.describe()),
        _ => format!("a definition compiles to {}, which is written out too", second.describe()),
    };
    let diagnostic = Diagnostic::new(&OBJECT_DUPLICATE, here, message).path(&"metadata.name");
    if here == there {
        return diagnostic
            .at("gives the same name more than once")
            .help("use `{{ index }}`, `{{ item }}` or `{{ matrix }}` in `metadata.name`");
    }
    diagnostic.at("the second").label(there, "the first").help("rename one of them, or delete it")
}
