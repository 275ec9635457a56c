//! The objects of a namespace that create Pods, found by the labels of their Pods.

use super::{ADDED, Object, PodSpec, required_labels};
use crate::sorted::SortedMap;
use crate::tree::{Entry, Node};

/// The objects of a namespace that create Pods, in their order.
#[derive(Default)]
pub(super) struct Makers<'o> {
    all: Vec<PodSpec<'o>>,
    /// Their positions, by label and value.
    by_label: SortedMap<(&'o str, &'o str), Vec<usize>>,
    /// The positions of those with a label whose value is not a string.
    unclear: Vec<usize>,
    /// The number of labels of all of them.
    labels: usize,
}

impl<'o> Makers<'o> {
    pub(super) fn add(&mut self, pod: PodSpec<'o>) {
        let position = self.all.len();
        let labels = pod.labels();
        self.labels += labels.len();
        for Entry { key, value, .. } in labels {
            match value.as_str() {
                Some(value) => {
                    self.by_label.entry((key.as_str(), value)).or_default().push(position);
                }
                None if self.unclear.last() == Some(&position) => {}
                None => self.unclear.push(position),
            }
        }
        self.all.push(pod);
    }

    pub(super) fn all(&self) -> &[PodSpec<'o>] {
        &self.all
    }

    /// The steps of the comparison of a number of labels with those of each Pod.
    pub(super) fn steps(&self, labels: usize) -> usize {
        8 * (self.all.len() + self.labels.saturating_mul(labels))
    }

    /// All that the selector of an object selects or may select, and possibly others: those with
    /// the rarest of the labels that it requires.
    pub(super) fn candidates(&self, object: &Object, selector: &Node) -> Vec<&PodSpec<'o>> {
        let labels = required_labels(object, selector).iter();
        // Any Pod of a controller may get a label that controllers add.
        let required =
            labels.filter(|entry| !ADDED.contains(&entry.key.as_str())).filter_map(|entry| {
                let key = (entry.key.as_str(), entry.value.as_str()?);
                Some(self.by_label.get(&key).map_or(&[][..], Vec::as_slice))
            });
        let Some(rarest) = required.min_by_key(|it| it.len()) else {
            return self.all.iter().collect();
        };
        let mut positions = [rarest, &self.unclear[..]].concat();
        positions.sort_unstable();
        positions.dedup();
        positions.into_iter().filter_map(|position| self.all.get(position)).collect()
    }
}
