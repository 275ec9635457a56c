//! A byte string as a sequence of choices, with which a generator turns a fuzz input into a
//! sentence of its grammar.

/// The remaining choices. After the last byte, every choice is the first option, which must end the
/// sentence soon.
pub(super) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// The number of pieces that may still be generated.
    room: usize,
}

impl<'b> Choices<'b> {
    /// Reads choices from an input, for at most `room` pieces.
    pub(super) fn new(bytes: &'b [u8], room: usize) -> Self {
        Self { bytes: bytes.iter(), room }
    }

    /// Returns a number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.bytes.next().map_or(0, |byte| usize::from(*byte)) % limit.max(1)
    }

    /// Returns one of the options.
    pub(super) fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options.get(self.below(options.len())).copied().unwrap_or("")
    }

    /// Writes what `sentence` generates at this depth between two strings.
    pub(super) fn wrapped(
        &mut self,
        depth: usize,
        [open, close]: [&str; 2],
        out: &mut String,
        sentence: fn(&mut Self, usize, &mut String),
    ) {
        out.push_str(open);
        sentence(self, depth, out);
        out.push_str(close);
    }

    /// Uses up one piece. Returns `false` if there is no room for more.
    pub(super) fn has_room(&mut self) -> bool {
        self.room = self.room.saturating_sub(1);
        self.room > 0 && self.bytes.len() > 0
    }
}
