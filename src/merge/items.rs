//! The items of lists by the text of one of their fields, found once for all guards of a layer.

use std::ptr;

use super::guard::Name;
use super::overlay::{SERVICE_ACCOUNT_ALIAS, SERVICE_ACCOUNT_NAME};
use crate::sorted::SortedMap;
use crate::tree::Node;

/// The positions of the items of a list, by the text of a field.
type Positions<'n> = SortedMap<&'n str, Vec<usize>>;

/// The items of the lists of some trees. A layer can have thousands of items, and a definition
/// thousands of guards for their names.
#[derive(Debug, Default)]
pub(super) struct Items<'n> {
    /// By the place of the list in memory, and the field.
    lists: SortedMap<(usize, &'n str), Positions<'n>>,
    /// The number of items that were read.
    #[cfg(test)]
    pub(super) read: usize,
}

impl<'n> Items<'n> {
    /// The items whose field has a matching text, with their positions, in order.
    pub(super) fn matching(
        &mut self,
        list: &'n Node,
        field: &'n str,
        name: Name<'_>,
    ) -> Vec<(usize, &'n Node)> {
        let mut found: Vec<usize> = match name {
            Name::Is(name) => {
                let alias = (name == SERVICE_ACCOUNT_NAME).then_some(SERVICE_ACCOUNT_ALIAS);
                let names = std::iter::once(name).chain(alias);
                let positions = self.positions(list, field);
                names.filter_map(|name| positions.get(name)).flatten().copied().collect()
            }
            Name::StartsWith(prefix) => self
                .positions(list, field)
                .starting_at(prefix)
                .take_while(|(text, _)| text.starts_with(prefix))
                .flat_map(|(_, positions)| positions)
                .copied()
                .collect(),
        };
        found.sort_unstable();
        found.into_iter().filter_map(|at| Some((at, list.items().get(at)?))).collect()
    }

    /// The last item whose field has this text.
    pub(super) fn last(&mut self, list: &'n Node, field: &'n str, text: &str) -> Option<&'n Node> {
        let at = self.positions(list, field).get(text)?.last()?;
        list.items().get(*at)
    }

    fn positions(&mut self, list: &'n Node, field: &'n str) -> &Positions<'n> {
        #[cfg(test)]
        let read = &mut self.read;
        self.lists.entry((ptr::from_ref(list).addr(), field)).or_insert_with(|| {
            let mut positions = Positions::new();
            for (at, item) in list.items().iter().enumerate() {
                #[cfg(test)]
                {
                    *read += 1;
                }
                if let Some(text) = item.str_at(&[field]) {
                    positions.entry(text).or_default().push(at);
                }
            }
            positions
        })
    }
}
