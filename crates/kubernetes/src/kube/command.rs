//! kubectl: its commands for an object, as findings and reports suggest them, and its annotation.

use super::Object;
use crate::schema::store;

/// The annotation with the whole object that `kubectl apply` adds.
pub const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

impl Object {
    /// A command of kubectl for the object: `kubectl delete deployment/web -n prod`. `None` if its name
    /// is not plain text for a shell.
    #[must_use]
    pub fn command(&self, verb: &str, flags: &str) -> Option<String> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':' | '_');
        let gvk = self.gvk();
        let names = [self.name(), self.namespace(), gvk.kind(), gvk.group()];
        if self.name().is_empty() || !names.iter().all(|name| name.chars().all(is_plain)) {
            return None;
        }
        let kind = gvk.kind().to_ascii_lowercase();
        let is_built_in = store::kind(gvk.group(), gvk.version(), gvk.kind()).is_some();
        let group = if is_built_in { String::new() } else { format!(".{}", gvk.group()) };
        let namespace = self.namespace_flag();
        Some(format!("kubectl {verb} {kind}{group}/{}{namespace}{flags}", self.name()))
    }

    /// ` -n prod`, if the object names its namespace.
    #[must_use]
    pub fn namespace_flag(&self) -> String {
        let namespace = self.namespace();
        if namespace.is_empty() { String::new() } else { format!(" -n {namespace}") }
    }
}
