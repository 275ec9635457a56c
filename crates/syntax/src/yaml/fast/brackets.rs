//! Flow lists and maps on one line.

use super::Reader;
use super::scalars::LONGEST_KEY;
use crate::tree::{Node, Value};
use crate::yaml::scalar;

impl Reader<'_> {
    /// Reads the flow list or map at `at`.
    pub(super) fn brackets(&mut self) -> Option<Node> {
        self.deeper()?;
        let node = match self.byte(self.at)? {
            b'[' => self.flow_list()?,
            _ => self.flow_map()?,
        };
        self.depth -= 1;
        Some(node)
    }

    fn flow_list(&mut self) -> Option<Node> {
        let start = self.at;
        self.at += 1;
        let outer = self.open_items.len();
        loop {
            self.skip_spaces();
            if self.byte(self.at)? == b']' {
                break;
            }
            let item = self.flow_value()?;
            self.open_items.push(item);
            if !self.separator(b']')? {
                break;
            }
        }
        self.at += 1;
        let list = self.close_list(outer);
        self.node(list, start, self.at)
    }

    fn flow_map(&mut self) -> Option<Node> {
        let start = self.at;
        self.at += 1;
        let outer = self.open_entries.len();
        loop {
            self.skip_spaces();
            if self.byte(self.at)? == b'}' {
                break;
            }
            self.flow_key()?;
            self.skip_spaces();
            let value = self.flow_value()?;
            self.open_entries.last_mut()?.value = value;
            if !self.separator(b'}')? {
                break;
            }
        }
        self.at += 1;
        let map = self.close_map(outer)?;
        self.node(map, start, self.at)
    }

    /// Reads the separator after an item: true for a comma, false for the closing bracket.
    fn separator(&mut self, close: u8) -> Option<bool> {
        self.skip_spaces();
        match self.byte(self.at)? {
            b',' => {
                self.at += 1;
                Some(true)
            }
            found if found == close => Some(false),
            _ => None,
        }
    }

    /// Reads a key with a colon and a space after it, and opens its entry.
    fn flow_key(&mut self) -> Option<()> {
        let start = self.at;
        let first = self.byte(start)?;
        let (key, end) = if matches!(first, b'"' | b'\'') {
            self.quoted_text()?
        } else {
            let end = self.flow_plain_end()?;
            match scalar::read(self.text.get(start..end)?) {
                (Some(Value::String(text)), false) if text != "<<" && first.is_ascii() => {
                    (text, end)
                }
                _ => return None,
            }
        };
        let is_spaced = self.byte(end - 1) == Some(b' ');
        if end - start > LONGEST_KEY
            || is_spaced
            || self.byte(end)? != b':'
            || self.byte(end + 1)? != b' '
        {
            return None;
        }
        self.at = end + 1;
        self.open_entry(key, start, end);
        Some(())
    }

    fn flow_value(&mut self) -> Option<Node> {
        let node = match self.byte(self.at)? {
            b'[' | b'{' => self.brackets()?,
            b'"' | b'\'' => self.quoted()?,
            _ => {
                let start = self.at;
                let end = self.flow_plain_end()?;
                self.at = start + self.text.get(start..end)?.trim_end_matches(' ').len();
                self.plain_node(start, self.at)?
            }
        };
        // With a colon it would be a key.
        let mut at = self.at;
        while self.byte(at) == Some(b' ') {
            at += 1;
        }
        (self.byte(at)? != b':').then_some(node)
    }

    /// The end of the plain scalar at `at`: a comma, a bracket, or a colon that ends a key.
    fn flow_plain_end(&self) -> Option<usize> {
        let start = self.at;
        let first = self.byte(start)?;
        let is_word = first.is_ascii_alphanumeric() || matches!(first, b'/' | b'.' | b'_' | b'$');
        let is_number = matches!(first, b'-' | b'+')
            && self
                .byte(start + 1)
                .is_some_and(|next| next.is_ascii_alphanumeric() || next == b'-');
        if !is_word && !is_number && first.is_ascii() {
            return None;
        }
        let mut at = start;
        loop {
            match self.byte(at)? {
                b',' | b']' | b'}' => return Some(at),
                b':' if self.byte(at + 1)? == b' ' => return Some(at),
                // Ambiguous ends of scalars are left to the parser.
                b':' if matches!(self.byte(at + 1)?, b',' | b']' | b'}' | b'[' | b'{' | b'\n') => {
                    return None;
                }
                b'#' if self.byte(at - 1) == Some(b' ') => return None,
                b'[' | b'{' | b'?' | b'\n' => return None,
                _ => at += 1,
            }
        }
    }
}
