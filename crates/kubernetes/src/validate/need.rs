//! The quantity of one resource that the containers of a Pod need at the same time (`podRequests` of
//! Kubernetes' `limitranger`).

/// The quantities of one resource in the containers of a Pod, in thousandths. Regular containers and
/// sidecars run together, and each other init container runs alone with the sidecars before it.
#[derive(Default)]
pub(super) struct Need {
    sidecars: i128,
    regular: i128,
    /// The maximum while an init container runs.
    at_start: Option<i128>,
    /// The largest quantity of a regular container.
    largest: Option<i128>,
}

impl Need {
    /// Adds an init container; those without the resource change nothing.
    pub(super) fn add_init(&mut self, amount: i128, is_sidecar: bool) {
        let total = self.sidecars.saturating_add(amount);
        self.at_start = self.at_start.max(Some(total));
        if is_sidecar {
            self.sidecars = total;
        }
    }

    pub(super) fn add_regular(&mut self, amount: i128) {
        self.regular = self.regular.saturating_add(amount);
        self.largest = self.largest.max(Some(amount));
    }

    /// The largest quantity of a regular container.
    pub(super) fn largest(&self) -> i128 {
        self.largest.unwrap_or(0)
    }

    /// The maximum over all containers that run at the same time.
    pub(super) fn total(&self) -> i128 {
        let running = self.sidecars.saturating_add(self.regular);
        self.at_start.map_or(running, |it| it.max(running))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sidecars_run_with_the_containers_after_them() {
        let mut need = Need::default();
        assert_eq!(need.total(), 0);
        need.add_init(5, false);
        need.add_init(2, true);
        need.add_init(4, false);
        assert_eq!(need.total(), 6);
        need.add_regular(3);
        need.add_regular(2);
        assert_eq!((need.total(), need.largest()), (7, 3));
    }
}
