//! Plain and block scalars.

use std::ops::Range;

use super::scanner::Scanner;
use super::{Refusal, Scalar, Style};

/// The line breaks between two words of a scalar, and the spaces if there are none.
#[derive(Default)]
pub(super) struct Gap {
    blanks: String,
    first_break: String,
    other_breaks: String,
    pub(super) has_break: bool,
}

impl Gap {
    /// Appends what the gap means: one break is a space, more are all but the first. Line separators
    /// of Unicode remain.
    pub(super) fn fold(&mut self, text: &mut String) {
        if !self.has_break {
            text.push_str(&self.blanks);
        } else if self.first_break.starts_with('\n') && self.other_breaks.is_empty() {
            text.push(' ');
        } else {
            if !self.first_break.starts_with('\n') {
                text.push_str(&self.first_break);
            }
            text.push_str(&self.other_breaks);
        }
        self.blanks.clear();
        self.first_break.clear();
        self.other_breaks.clear();
        self.has_break = false;
    }
}

impl<'t> Scanner<'t> {
    /// Moves over the spaces, tabs and line breaks at the position.
    pub(super) fn skip_gap(
        &mut self,
        gap: &mut Gap,
        mut check_tab: impl FnMut(&Self) -> bool,
    ) -> bool {
        loop {
            if self.cursor.is_blank(0) {
                if !gap.has_break {
                    self.cursor.read(&mut gap.blanks);
                } else if check_tab(self) {
                    self.cursor.skip();
                } else {
                    return false;
                }
            } else if !self.cursor.is_break() {
                return true;
            } else if gap.has_break {
                self.cursor.read_break(&mut gap.other_breaks);
            } else {
                gap.blanks.clear();
                self.cursor.read_break(&mut gap.first_break);
                gap.has_break = true;
            }
        }
    }

    /// A scalar without quotes.
    pub(super) fn scan_plain(&mut self) -> Result<(Scalar<'t>, Range<usize>), Refusal> {
        let start = self.cursor.mark;
        let mut end = start.offset;
        let indent = self.indent + 1;
        let is_shallow =
            |it: &Self| isize::try_from(it.cursor.mark.column).is_ok_and(|column| column < indent);
        let (mut text, mut gap) = (String::new(), Gap::default());
        while !self.cursor.is_document_marker() && self.cursor.peek(0) != b'#' {
            while !self.cursor.is_blank_or_end(0) && !self.ends_plain() {
                gap.fold(&mut text);
                self.cursor.read(&mut text);
                end = self.cursor.mark.offset;
            }
            if !self.cursor.is_blank(0) && !self.cursor.is_break() {
                break;
            }
            let is_allowed = |it: &Self| it.cursor.peek(0) != b'\t' || !is_shallow(it);
            if !self.skip_gap(&mut gap, is_allowed) {
                return self.refuse(start, "found a tab character that violates indentation");
            }
            if self.flow_level == 0 && is_shallow(self) {
                break;
            }
        }
        self.is_key_allowed |= gap.has_break;
        let range = start.offset..end;
        let text = self.borrowed(text, range.clone());
        Ok((Scalar { text, style: Style::Plain, not_indented: None }, range))
    }

    /// Whether an indicator at the position ends a plain scalar.
    fn ends_plain(&self) -> bool {
        match self.cursor.peek(0) {
            b':' => self.cursor.is_blank_or_end(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => self.flow_level > 0,
            _ => false,
        }
    }

    /// A literal or folded scalar. Its span ends after its last line with text.
    pub(super) fn scan_block(
        &mut self,
        is_literal: bool,
    ) -> Result<(Scalar<'t>, Range<usize>), Refusal> {
        let start = self.cursor.mark;
        self.cursor.skip_bytes(1);
        let (chomping, increment) = self.scan_block_header()?;
        let header_end = self.cursor.mark.offset;
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_break_or_end(0) {
            return self.refuse(start, "did not find expected comment or line break");
        }
        self.cursor.skip_break();
        let mut indent =
            increment.map_or(0, |more| usize::try_from(self.indent.max(0)).unwrap_or(0) + more);
        let (mut text, mut first_break, mut breaks) = (String::new(), String::new(), String::new());
        let mut end = header_end;
        self.scan_block_breaks(start, &mut indent, &mut breaks)?;
        let mut is_indented = false;
        while self.cursor.mark.column == indent && !self.cursor.is_end() {
            let is_blank = self.cursor.is_blank(0);
            let is_folded =
                !is_literal && !is_indented && !is_blank && first_break.starts_with('\n');
            if !is_folded {
                text.push_str(&first_break);
            } else if breaks.is_empty() {
                text.push(' ');
            }
            first_break.clear();
            text.push_str(&breaks);
            breaks.clear();
            is_indented = is_blank;
            let line = self.cursor.mark.offset;
            while !self.cursor.is_break_or_end(0) {
                self.cursor.skip();
            }
            let written = self.slice(line..self.cursor.mark.offset);
            text.push_str(written);
            let visible = written.trim_end_matches([' ', '\t']).len();
            if visible > 0 {
                end = line + visible;
            }
            self.cursor.read_break(&mut first_break);
            self.scan_block_breaks(start, &mut indent, &mut breaks)?;
        }
        if chomping != Some(b'-') {
            text.push_str(&first_break);
        }
        if chomping == Some(b'+') {
            text.push_str(&breaks);
        }
        let scalar = Scalar { text: text.into(), style: Style::Block, not_indented: None };
        Ok((scalar, start.offset..end))
    }

    /// The chomping indicator and the indentation indicator, in any order.
    fn scan_block_header(&mut self) -> Result<(Option<u8>, Option<usize>), Refusal> {
        let (mut chomping, mut increment) = (None, None);
        let start = self.cursor.mark;
        for _ in 0..2 {
            match self.cursor.peek(0) {
                sign @ (b'+' | b'-') if chomping.is_none() => chomping = Some(sign),
                b'0' if increment.is_none() => {
                    return self.refuse(start, "found an indentation indicator equal to 0");
                }
                digit @ b'1'..=b'9' if increment.is_none() => {
                    increment = Some(usize::from(digit - b'0'));
                }
                _ => break,
            }
            self.cursor.skip_bytes(1);
        }
        Ok((chomping, increment))
    }

    /// Moves over the indentation of lines in a block scalar, and over lines without text. An
    /// indentation of 0 is not known yet, and is determined here.
    fn scan_block_breaks(
        &mut self,
        start: super::chars::Mark,
        indent: &mut usize,
        breaks: &mut String,
    ) -> Result<(), Refusal> {
        let mut deepest = 0;
        loop {
            let is_inside = |column: usize| *indent == 0 || column < *indent;
            while is_inside(self.cursor.mark.column) && self.cursor.peek(0) == b' ' {
                self.cursor.skip_bytes(1);
            }
            deepest = deepest.max(self.cursor.mark.column);
            if is_inside(self.cursor.mark.column) && self.cursor.peek(0) == b'\t' {
                let problem = "found a tab character where an indentation space is expected";
                return self.refuse(start, problem);
            }
            if !self.cursor.is_break() {
                break;
            }
            self.cursor.read_break(breaks);
        }
        if *indent == 0 {
            let least = usize::try_from(self.indent + 1).unwrap_or(0);
            *indent = deepest.max(least).max(1);
        }
        Ok(())
    }
}
