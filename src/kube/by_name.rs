//! `ByName`: objects of a list, found by namespace and name.

use super::Object;

/// Positions in a list, sorted by namespace and name. It has the function of a map, but only takes
/// four bytes per object, of which a run has tens of thousands.
#[derive(Debug)]
pub(crate) struct ByName<'l, T> {
    list: &'l [T],
    sorted: Box<[u32]>,
}

impl<'l, T: AsRef<Object>> ByName<'l, T> {
    /// Indexes the whole list.
    pub(crate) fn new(list: &'l [T]) -> Self {
        Self::among(list, (0_u32..).zip(list).map(|(position, _)| position))
    }

    /// Indexes the items at these positions of the list.
    pub(crate) fn among(list: &'l [T], positions: impl IntoIterator<Item = u32>) -> Self {
        let mut sorted: Box<[u32]> = positions.into_iter().collect();
        sorted.sort_unstable_by_key(|position| (key(list, *position), *position));
        Self { list, sorted }
    }

    /// The first position with this namespace and name.
    pub(crate) fn find(&self, namespace: &str, name: &str) -> Option<u32> {
        let wanted = Some((namespace, name));
        let at = self.sorted.partition_point(|position| key(self.list, *position) < wanted);
        self.sorted.get(at).copied().filter(|position| key(self.list, *position) == wanted)
    }

    /// The positions that share namespace and name with others, name by name.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = &[u32]> {
        let runs = self.sorted.chunk_by(|a, b| key(self.list, *a) == key(self.list, *b));
        runs.filter(|run| run.len() > 1)
    }
}

fn key<T: AsRef<Object>>(list: &[T], position: u32) -> Option<(&str, &str)> {
    let object = list.get(position as usize)?.as_ref();
    Some((object.namespace.as_str(), object.name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kube::GroupVersionKind;
    use crate::source::Workspace;
    use crate::tree::{Node, Origin};

    fn objects() -> Vec<Object> {
        let span = Workspace::new().start();
        let names = [("b", "x"), ("a", "y"), ("b", "x"), ("a", "x"), ("a", "y"), ("b", "x")];
        let object = |(namespace, name): (&str, &str)| Object {
            gvk: GroupVersionKind::new("v1", "Any").into(),
            name: name.into(),
            namespace: namespace.into(),
            root: Node::map(Origin::source(span)),
            document: span,
            outline_of: None,
        };
        names.map(object).into()
    }

    #[test]
    fn of_one_name_the_first_is_found() {
        let objects = objects();
        let by_name = ByName::new(&objects);
        let wanted = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("", "x"), ("c", "")];
        let found = wanted.map(|(namespace, name)| by_name.find(namespace, name));
        assert_eq!(found, [Some(3), Some(1), Some(0), None, None, None]);
    }

    #[test]
    fn what_is_not_indexed_is_not_found() {
        let objects = objects();
        let by_name = ByName::among(&objects, [5, 2, 3]);
        assert_eq!([by_name.find("b", "x"), by_name.find("a", "y")], [Some(2), None]);
    }

    #[test]
    fn repeated_names_are_together_in_the_order_of_the_list() {
        let objects = objects();
        let by_name = ByName::among(&objects, (0..6).rev());
        assert_eq!(by_name.repeated().collect::<Vec<_>>(), [&[1, 4][..], &[0, 2, 5]]);
    }
}
