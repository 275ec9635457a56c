//! `ByName`: objects of a list, found by namespace and name.

use std::cmp::Ordering;
use std::sync::{Mutex, PoisonError};

use super::{Object, sort_by_name};
use crate::sorted::SortedMap;
use crate::source::FileId;

/// Positions in a list, sorted by namespace and name. It has the function of a map, but only takes
/// four bytes per object, of which a run has tens of thousands.
#[derive(Debug)]
pub struct ByName<'l, T> {
    list: &'l [T],
    sorted: Box<[u32]>,
    /// For the first position of a name that was searched, and that several objects have: the first
    /// one in each file. Thousands of references can mean one of thousands of objects.
    near: Mutex<SortedMap<u32, SortedMap<FileId, u32>>>,
}

impl<'l, T: AsRef<Object>> ByName<'l, T> {
    /// Indexes the whole list.
    pub fn new(list: &'l [T]) -> Self {
        Self::among(list, (0_u32..).zip(list).map(|(position, _)| position))
    }

    /// Indexes the items at these positions of the list.
    pub fn among(list: &'l [T], positions: impl IntoIterator<Item = u32>) -> Self {
        let mut sorted: Box<[u32]> = positions.into_iter().collect();
        sort_by_name(&mut sorted, |position| list.get(position as usize).map(AsRef::as_ref));
        Self { list, sorted, near: Mutex::default() }
    }

    /// The positions with this namespace and name.
    fn all(&self, namespace: &str, name: &str) -> &[u32] {
        let order = |position: &u32| {
            let object = self.list.get(*position as usize).map(AsRef::as_ref);
            object.map_or(Ordering::Less, |it| it.order_of_names(namespace, name))
        };
        let start = self.sorted.partition_point(|position| order(position).is_lt());
        let (_, same) = self.sorted.split_at(start);
        let is_same = |position: &u32| order(position).is_eq();
        let count = match same {
            [first, second, ..] if is_same(first) && is_same(second) => {
                // Thousands of namespaces can have an object of one name without a namespace.
                same.partition_point(is_same)
            }
            [first, ..] => usize::from(is_same(first)),
            [] => 0,
        };
        same.split_at(count).0
    }

    /// The positions that a reference to this name can mean. An object without a namespace is created in
    /// that of the command, which is `default` by default.
    pub fn find_all(&self, namespace: &str, name: &str) -> &[u32] {
        match (self.all(namespace, name), namespace) {
            ([], "") => self.all("default", name),
            ([], "default") => self.all("", name),
            (all, _) => all,
        }
    }

    /// The first position that a reference to this name can mean.
    pub fn find(&self, namespace: &str, name: &str) -> Option<u32> {
        self.find_all(namespace, name).first().copied()
    }

    /// The position of the object that a reference in `file` to this name means: the first one in that
    /// file, or else the first one.
    pub fn find_near(
        &self,
        namespace: &str,
        name: &str,
        file: FileId,
        file_of: impl Fn(&Object) -> FileId,
    ) -> Option<u32> {
        let all = self.find_all(namespace, name);
        let first = *all.first()?;
        if all.len() == 1 {
            return Some(first);
        }
        let mut near = self.near.lock().unwrap_or_else(PoisonError::into_inner);
        let files = near.entry(first).or_insert_with(|| {
            let in_file = |position: &u32| {
                Some((file_of(self.list.get(*position as usize)?.as_ref()), *position))
            };
            all.iter().rev().filter_map(in_file).collect()
        });
        files.get(&file).copied().or(Some(first))
    }

    /// The positions that share namespace and name with others, name by name.
    pub fn repeated(&self) -> impl Iterator<Item = &[u32]> {
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
    use std::cell::Cell;

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
        };
        names.map(object).into()
    }

    #[test]
    fn the_first_object_of_a_name_is_found() {
        let objects = objects();
        let by_name = ByName::new(&objects);
        let wanted = [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"), ("", "x"), ("c", "")];
        let found = wanted.map(|(namespace, name)| by_name.find(namespace, name));
        assert_eq!(found, [Some(3), Some(1), Some(0), None, None, None]);
    }

    #[test]
    fn the_nearest_object_is_found_first() {
        let objects = objects();
        let by_name = ByName::new(&objects);
        let mut workspace = Workspace::new();
        let files = ["a", "b", "c"].map(|name| workspace.add(name, " "));
        let file_of = |object: &Object| {
            let position = objects.iter().position(|other| std::ptr::eq(other, object)).unwrap();
            files[position / 2]
        };
        let find = |file: usize, (namespace, name)| {
            by_name.find_near(namespace, name, files[file], file_of)
        };
        assert_eq!([0, 1, 2].map(|file| find(file, ("b", "x"))), [Some(0), Some(2), Some(5)]);
        assert_eq!([0, 1, 2].map(|file| find(file, ("a", "y"))), [Some(1), Some(1), Some(4)]);
        assert_eq!([0, 1].map(|file| find(file, ("a", "x"))), [Some(3); 2]);
        assert_eq!(find(0, ("c", "x")), None);
    }

    #[test]
    fn no_namespace_means_the_default_one() {
        let mut objects = objects();
        objects[0].namespace = "default".into();
        objects[1].namespace = "".into();
        let by_name = ByName::new(&objects);
        let find = |namespace, name| by_name.find(namespace, name);
        assert_eq!(
            [find("", "x"), find("default", "y"), find("a", "y")],
            [Some(0), Some(1), Some(4)]
        );
    }

    #[test]
    fn unindexed_objects_are_not_found() {
        let objects = objects();
        let by_name = ByName::among(&objects, [5, 2, 3]);
        let find = |namespace, name| by_name.find(namespace, name);
        assert_eq!([find("b", "x"), find("a", "y")], [Some(2), None]);
    }

    /// An object whose lookups are counted.
    struct Counted<'c>(Object, &'c Cell<usize>);

    impl AsRef<Object> for Counted<'_> {
        fn as_ref(&self) -> &Object {
            self.1.set(self.1.get() + 1);
            &self.0
        }
    }

    #[test]
    fn many_objects_of_one_name_are_found_quickly() {
        let reads = Cell::new(0);
        let object = &objects()[0];
        let list: Vec<_> = (0..10_000).map(|_| Counted(object.clone(), &reads)).collect();
        let by_name = ByName::new(&list);
        reads.set(0);
        assert_eq!(by_name.find_all("b", "x").len(), list.len());
        assert!(reads.get() < 100, "{} objects read", reads.get());
    }

    #[test]
    fn the_nearest_of_many_objects_is_found_quickly() {
        let reads = Cell::new(0);
        let object = &objects()[0];
        let list: Vec<_> = (0..10_000).map(|_| Counted(object.clone(), &reads)).collect();
        let by_name = ByName::new(&list);
        let mut workspace = Workspace::new();
        let (here, there) = (workspace.add("a", ""), workspace.add("b", ""));
        reads.set(0);
        for _ in 0..1_000 {
            assert_eq!(by_name.find_near("b", "x", there, |_| here), Some(0));
        }
        assert!(reads.get() < 150 * 1_000, "{} objects read", reads.get());
    }

    #[test]
    fn repeated_names_are_together_in_the_order_of_the_list() {
        let objects = objects();
        let by_name = ByName::among(&objects, (0..6).rev());
        assert_eq!(by_name.repeated().collect::<Vec<_>>(), [&[1, 4][..], &[0, 2, 5]]);
    }
}
