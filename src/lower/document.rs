//! The envelope of a definition: `apiVersion`, `kind`, `metadata`, `spec`.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Frame;
use crate::decode::{Field, Fields, Record, Shaped, Text, definition, kubernetes_types};
use crate::expand::Expand;
use crate::schema::{Object, Property, Type};
use crate::source::Span;
use crate::tree::Node;

/// The API group of all definitions.
pub(crate) const API_GROUP: &str = "sandboxc.dev";
/// The `apiVersion` of all definitions.
pub(crate) const API_VERSION: &str = "sandboxc.dev/v1alpha1";

/// Whether an object is of the language, by its API group.
pub(crate) fn is_of_language(root: &Node) -> bool {
    let group = root.str_at(&["apiVersion"]).and_then(|it| it.split_once('/'));
    group.is_some_and(|(group, _)| group == API_GROUP)
}

/// Whether a text contains the API group, as each definition does: 0.5 instructions per byte, of more than 100 of a
/// check. Files without it are not read twice.
pub(crate) fn may_have_definitions(text: &str) -> bool {
    // All files of a run are searched, and to prepare the search takes longer than a small file.
    static GROUP: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(API_GROUP));
    GROUP.find(text.as_bytes()).is_some()
}

kubernetes_types! {
    /// Labels of the compiled objects.
    ObjectLabels = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"."labels";
    /// Annotations of the compiled objects.
    ObjectAnnotations = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"."annotations";
}

definition! {
    /// Name, namespace, labels and annotations of the compiled objects.
    pub(crate) struct Metadata in "metadata" {
        /// Name of the objects. With `expand` it must contain an expression such as `{{ index }}`.
        "name" required name: Text,
        /// Namespace of the objects. Defaults to the namespace of the Project.
        "namespace" optional namespace: Text,
        /// Labels of the objects.
        "labels" optional labels: Shaped<ObjectLabels>,
        /// Annotations of the objects.
        "annotations" optional annotations: Shaped<ObjectAnnotations>,
    }
}

/// A definition that was read.
#[derive(Debug)]
pub(crate) struct Definition<S> {
    /// Name, namespace, labels and annotations.
    pub(crate) metadata: Metadata,
    /// The fields of the kind.
    pub(crate) spec: S,
    /// The span of its document.
    pub(crate) document: Span,
}

impl<S: Record + Field> Definition<S> {
    /// The type of the whole document.
    pub(crate) const DOCUMENT: &'static Object<'static> = {
        const fn any(name: &'static str) -> Property<'static> {
            Property::new(name, Type::String(crate::schema::StringFormat::Plain), true)
        }
        &Object::new(
            S::OBJECT.name,
            &[
                any("apiVersion"),
                // Removed before the check; a stray `count` belongs in it.
                Property::new("expand", <Expand as Field>::TYPE, false),
                any("kind"),
                Property::new("metadata", <Metadata as Field>::TYPE, true),
                Property::new("spec", S::TYPE, true),
            ],
        )
    };

    /// Reads a document that was checked against [`Self::DOCUMENT`].
    pub(crate) fn read(root: Node, document: Span) -> Option<Self> {
        let mut fields = Fields::of(root);
        let metadata = Metadata::read(fields.take("metadata")?)?;
        let spec = S::read(fields.take("spec")?)?;
        Some(Self { metadata, spec, document })
    }

    /// Splits the definition into the frame of its objects and the spec.
    pub(crate) fn open(self) -> (Frame, S) {
        (Frame::new(self.metadata, self.document), self.spec)
    }
}
