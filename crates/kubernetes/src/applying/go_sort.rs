//! The order that Go's `sort.Sort` gives to items with equal keys.
//!
//! The comparison of the Go package is true for equal keys, so their order depends on how the sort works, and it
//! decides which of them kubectl compares with each other. This is `pdqsort` of Go's `sort/zsortinterface.go`.

/// The largest range that is sorted by insertion.
const MAX_INSERTION: usize = 12;
/// The smallest range whose pivot is the median of nine items, and in which items are shifted.
const LONG: usize = 50;

/// Sorts items by their strings.
pub(super) fn sort<T>(items: &mut [(String, T)]) {
    let length = items.len();
    Sort { items }.pdqsort(0, length, usize::BITS - length.leading_zeros());
}

struct Sort<'s, T> {
    items: &'s mut [(String, T)],
}

/// What the choice of a pivot says about a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hint {
    Unknown,
    Increasing,
    Decreasing,
}

impl<T> Sort<'_, T> {
    /// `Less` of the Go package.
    fn less(&self, a: usize, b: usize) -> bool {
        let text = |at: usize| self.items.get(at).map(|(text, _)| text);
        text(a) <= text(b)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.items.swap(a, b);
    }

    fn insertion_sort(&mut self, start: usize, end: usize) {
        for next in start + 1..end {
            let mut at = next;
            while at > start && self.less(at, at - 1) {
                self.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    fn sift_down(&mut self, low: usize, high: usize, first: usize) {
        let mut root = low;
        loop {
            let mut child = 2 * root + 1;
            if child >= high {
                return;
            }
            if child + 1 < high && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }

    fn heap_sort(&mut self, start: usize, end: usize) {
        let high = end - start;
        for root in (0..=(high - 1) / 2).rev() {
            self.sift_down(root, high, start);
        }
        for last in (0..high).rev() {
            self.swap(start, start + last);
            self.sift_down(0, last, start);
        }
    }

    /// Sorts a range. `limit` is the number of unbalanced pivots before heap sort is used.
    fn pdqsort(&mut self, mut start: usize, mut end: usize, mut limit: u32) {
        let (mut was_balanced, mut was_partitioned) = (true, true);
        loop {
            let length = end - start;
            if length <= MAX_INSERTION {
                return self.insertion_sort(start, end);
            }
            if limit == 0 {
                return self.heap_sort(start, end);
            }
            if !was_balanced {
                self.break_patterns(start, end);
                limit -= 1;
            }
            let (mut pivot, mut hint) = self.choose_pivot(start, end);
            if hint == Hint::Decreasing {
                if let Some(range) = self.items.get_mut(start..end) {
                    range.reverse();
                }
                pivot = (end - 1) - (pivot - start);
                hint = Hint::Increasing;
            }
            let may_be_sorted = was_balanced && was_partitioned && hint == Hint::Increasing;
            if may_be_sorted && self.partial_insertion_sort(start, end) {
                return;
            }
            if start > 0 && !self.less(start - 1, pivot) {
                start = self.partition_equal(start, end, pivot);
                continue;
            }
            let (middle, is_partitioned) = self.partition(start, end, pivot);
            was_partitioned = is_partitioned;
            let (left, right) = (middle - start, end - middle);
            was_balanced = left.min(right) >= length / 8;
            if left < right {
                self.pdqsort(start, middle, limit);
                start = middle + 1;
            } else {
                self.pdqsort(middle + 1, end, limit);
                end = middle;
            }
        }
    }

    /// Returns the new position of the pivot, and whether the range was partitioned before.
    fn partition(&mut self, start: usize, end: usize, pivot: usize) -> (usize, bool) {
        self.swap(start, pivot);
        let (mut low, mut high) = (start + 1, end - 1);
        self.skip_partitioned(start, &mut low, &mut high);
        if low > high {
            self.swap(high, start);
            return (high, true);
        }
        while low <= high {
            self.swap(low, high);
            low += 1;
            high -= 1;
            self.skip_partitioned(start, &mut low, &mut high);
        }
        self.swap(high, start);
        (high, false)
    }

    fn skip_partitioned(&self, pivot: usize, low: &mut usize, high: &mut usize) {
        while low <= high && self.less(*low, pivot) {
            *low += 1;
        }
        while low <= high && !self.less(*high, pivot) {
            *high -= 1;
        }
    }

    fn partition_equal(&mut self, start: usize, end: usize, pivot: usize) -> usize {
        self.swap(start, pivot);
        let (mut low, mut high) = (start + 1, end - 1);
        loop {
            while low <= high && !self.less(start, low) {
                low += 1;
            }
            while low <= high && self.less(start, high) {
                high -= 1;
            }
            if low > high {
                return low;
            }
            self.swap(low, high);
            low += 1;
            high -= 1;
        }
    }

    /// Returns whether the range is sorted afterwards.
    fn partial_insertion_sort(&mut self, start: usize, end: usize) -> bool {
        const MAX_STEPS: usize = 5;
        let mut at = start + 1;
        for _ in 0..MAX_STEPS {
            while at < end && !self.less(at, at - 1) {
                at += 1;
            }
            if at == end {
                return true;
            }
            if end - start < LONG {
                return false;
            }
            self.swap(at, at - 1);
            if at - start >= 2 {
                let mut left = at - 1;
                while left >= 1 && self.less(left, left - 1) {
                    self.swap(left, left - 1);
                    left -= 1;
                }
            }
            if end - at >= 2 {
                let mut right = at + 1;
                while right < end && self.less(right, right - 1) {
                    self.swap(right, right - 1);
                    right += 1;
                }
            }
        }
        false
    }

    fn break_patterns(&mut self, start: usize, end: usize) {
        let length = end - start;
        let mut random = length as u64;
        let mask = (1_usize << (usize::BITS - length.leading_zeros())) - 1;
        let middle = start + (length / 4) * 2;
        for at in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            #[expect(clippy::cast_possible_truncation, reason = "the mask keeps the lowest bits")]
            let mut other = random as usize & mask;
            if other >= length {
                other -= length;
            }
            self.swap(at, start + other);
        }
    }

    fn choose_pivot(&self, start: usize, end: usize) -> (usize, Hint) {
        const MAX_SWAPS: usize = 4 * 3;
        let quarter = (end - start) / 4;
        let mut swaps = 0;
        let mut places = [1, 2, 3].map(|quarters| start + quarter * quarters);
        if end - start >= LONG {
            for place in &mut places {
                *place = self.median([*place - 1, *place, *place + 1], &mut swaps);
            }
        }
        let pivot = self.median(places, &mut swaps);
        let hint = match swaps {
            0 => Hint::Increasing,
            MAX_SWAPS => Hint::Decreasing,
            _ => Hint::Unknown,
        };
        (pivot, hint)
    }

    fn median(&self, [a, b, c]: [usize; 3], swaps: &mut usize) -> usize {
        let mut ordered = |a, b| {
            if self.less(b, a) {
                *swaps += 1;
                return (b, a);
            }
            (a, b)
        };
        let (a, b) = ordered(a, b);
        let (b, _) = ordered(b, c);
        ordered(a, b).1
    }
}
