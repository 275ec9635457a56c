//! The descriptions of the built-in types and of their fields, as `kubectl explain` prints them.
//!
//! They are generated into `schemas/` by `tools/kubernetes-schemas`. The program contains them compressed, and
//! only reads them once one is needed.

/// The description of a field of a built-in type, such as `io.k8s.api.core.v1.PodSpec`, or without a field that
/// of the type itself. Empty for one without a description, and if the feature `descriptions` is off.
#[cfg(feature = "descriptions")]
pub fn description(definition: &str, field: Option<&str>) -> &'static str {
    // The description of a type has an empty name.
    let name = field.unwrap_or("");
    embedded::DESCRIPTIONS.get(definition).and_then(|it| it.get(name)).map_or("", String::as_str)
}

/// Nothing: the feature `descriptions` is off.
#[cfg(not(feature = "descriptions"))]
pub const fn description(_definition: &str, _field: Option<&str>) -> &'static str {
    ""
}

#[cfg(feature = "descriptions")]
mod embedded {
    use std::collections::BTreeMap;
    use std::sync::LazyLock;

    use flate2::read::DeflateDecoder;

    /// By the names of types and fields; that of a type itself has an empty name.
    type Descriptions = BTreeMap<String, BTreeMap<String, String>>;

    static COMPRESSED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptions.deflate"));

    pub(super) static DESCRIPTIONS: LazyLock<Descriptions> = LazyLock::new(|| {
        // The build has compressed a file that the tests read.
        serde_json::from_reader(DeflateDecoder::new(COMPRESSED)).unwrap_or_default()
    });
}

#[cfg(all(test, feature = "descriptions"))]
mod tests {
    use super::*;
    use crate::schema::store;

    #[test]
    fn types_and_fields_have_descriptions() {
        let policy = description("io.k8s.api.core.v1.Container", Some("imagePullPolicy"));
        assert!(policy.starts_with("Image pull policy. One of Always, Never, IfNotPresent."));
        let container = description("io.k8s.api.core.v1.Container", None);
        assert_eq!(container, "A single application container that you want to run within a pod.");
        assert_eq!(description("io.k8s.api.core.v1.Container", Some("images")), "");
    }

    /// A field that only an older version has keeps its description.
    #[test]
    fn every_kind_has_a_description() {
        let built_in = store::kinds().iter().filter_map(|it| it.definition);
        let without: Vec<_> =
            built_in.filter(|definition| description(definition.name, None).is_empty()).collect();
        assert!(without.is_empty(), "{without:?}");
    }
}
