//! Bytes as a sequence of choices: what a generator needs to turn an input into a sentence of its grammar.

/// The choices that are left. After the last byte each choice is the first option, which every generator
/// keeps short.
pub(super) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// How many more pieces may be made.
    room: usize,
}

impl<'b> Choices<'b> {
    /// The choices of an input, for at most `room` pieces.
    pub(super) fn new(bytes: &'b [u8], room: usize) -> Self {
        Self { bytes: bytes.iter(), room }
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte)) % limit.max(1)
    }

    /// One of these.
    pub(super) fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options.get(self.below(options.len())).copied().unwrap_or("")
    }

    /// Uses one piece; `false` if there is no room for more.
    pub(super) fn has_room(&mut self) -> bool {
        self.room = self.room.saturating_sub(1);
        self.room > 0 && self.bytes.len() > 0
    }
}
