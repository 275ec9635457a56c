//! The program that applies the output.

/// The program that applies objects, and the requests that it makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Applier {
    /// Client-side `kubectl apply`.
    Client,
    /// `kubectl apply --server-side`.
    Server,
    /// `kubectl replace`.
    Replace,
    /// Helm.
    Helm,
    /// Argo CD.
    ArgoCd,
    /// Flux.
    Flux,
}

impl Applier {
    /// Whether it loses items of lists, and writes the annotation of kubectl, as client-side `kubectl apply` does.
    pub(crate) const fn is_client_side(self) -> bool {
        matches!(self, Self::Client | Self::ArgoCd)
    }
}
