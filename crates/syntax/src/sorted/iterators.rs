//! The entries of a map in order.

use std::{slice, vec};

/// An iterator over the entries of a list of lists, from both ends.
macro_rules! entries {
    ($(#[$doc:meta])* $name:ident<$($lifetime:lifetime,)? K, V>, $outer:ty, $inner:ty, $item:ty) => {
        $(#[$doc])*
        pub struct $name<$($lifetime,)? K, V> {
            outer: $outer,
            front: Option<$inner>,
            back: Option<$inner>,
            len: usize,
        }

        impl<$($lifetime,)? K, V> $name<$($lifetime,)? K, V> {
            pub(super) fn new(outer: $outer, len: usize) -> Self {
                Self { outer, front: None, back: None, len }
            }
        }

        impl<$($lifetime,)? K, V> Iterator for $name<$($lifetime,)? K, V> {
            type Item = $item;

            fn next(&mut self) -> Option<Self::Item> {
                loop {
                    if let Some((key, value)) = self.front.as_mut().and_then(Iterator::next) {
                        self.len -= 1;
                        return Some((key, value));
                    }
                    self.front = match self.outer.next() {
                        Some(list) => Some(list.into_iter()),
                        None => Some(self.back.take()?),
                    };
                }
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                (self.len, Some(self.len))
            }
        }

        impl<$($lifetime,)? K, V> DoubleEndedIterator for $name<$($lifetime,)? K, V> {
            fn next_back(&mut self) -> Option<Self::Item> {
                loop {
                    if let Some((key, value)) = self.back.as_mut().and_then(DoubleEndedIterator::next_back) {
                        self.len -= 1;
                        return Some((key, value));
                    }
                    self.back = match self.outer.next_back() {
                        Some(list) => Some(list.into_iter()),
                        None => Some(self.front.take()?),
                    };
                }
            }
        }

        impl<$($lifetime,)? K, V> ExactSizeIterator for $name<$($lifetime,)? K, V> {}
    };
}

entries!(
    /// The entries of a map in the order of their keys.
    Iter<'m, K, V>, slice::Iter<'m, Vec<(K, V)>>, slice::Iter<'m, (K, V)>, (&'m K, &'m V)
);
entries!(
    /// The entries of a map in the order of their keys, with values that can be changed.
    IterMut<'m, K, V>, slice::IterMut<'m, Vec<(K, V)>>, slice::IterMut<'m, (K, V)>, (&'m K, &'m mut V)
);
entries!(
    /// The entries of a map in the order of their keys.
    IntoIter<K, V>, vec::IntoIter<Vec<(K, V)>>, vec::IntoIter<(K, V)>, (K, V)
);

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self {
            outer: self.outer.clone(),
            front: self.front.clone(),
            back: self.back.clone(),
            len: self.len,
        }
    }
}
