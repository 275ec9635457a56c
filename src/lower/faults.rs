//! `Faults`: a lowering that continues after a fault, so that all errors are reported at once.

use crate::diag::Reported;

/// The reported faults of a definition. A stand-in takes the place of each faulty part.
///
/// The objects are validated without the faulty fields of the definition, and not printed. Findings at
/// the name of the definition are left out then, so nodes of a stand-in have the origin of the managed
/// layer.
#[derive(Debug, Default)]
pub(crate) struct Faults(Option<Reported>);

impl Faults {
    /// The part, or a stand-in for a faulty one.
    pub(crate) fn or<T>(&mut self, part: Result<T, Reported>, stand_in: impl FnOnce() -> T) -> T {
        part.unwrap_or_else(|reported| {
            self.add(reported);
            stand_in()
        })
    }

    /// The part, or nothing for a faulty one.
    pub(crate) fn or_none<T>(&mut self, part: Option<Result<T, Reported>>) -> Option<T> {
        part.and_then(|part| self.or(part.map(Some), || None))
    }

    /// Adds the fault of a part whose stand-in is in place.
    pub(crate) const fn add(&mut self, reported: Reported) {
        self.0 = Some(reported);
    }

    /// Whether a part is faulty: most objects of the definition do not exist.
    ///
    /// # Errors
    /// If a part is faulty.
    pub(crate) fn outcome(&self) -> Result<(), Reported> {
        self.0.map_or(Ok(()), Err)
    }
}
