//! `message!`: a message for readers, whose literal is words of the product and whose placeholders are
//! quotes of the input.
//!
//! The placeholders are those of [`format!`]. The macro only separates them from the words, so that no
//! value can count as words, whatever characters it contains. It uses nothing but the compiler's own
//! tokens, since it is the only macro of its kind here.

#![forbid(unsafe_code)]

mod template;

use std::iter::once;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use template::{Piece, Place, Template};

/// Builds a `Message`: `message!("unknown field `{field}` in `{}`", owner)`.
///
/// Each placeholder is a quote, unless its value is itself a message or `Words`.
#[proc_macro]
pub fn message(input: TokenStream) -> TokenStream {
    let mut parts = split_at_commas(input).into_iter();
    let expanded = parts
        .next()
        .and_then(literal_of)
        .ok_or_else(|| "`message!` starts with a string literal".to_owned())
        .and_then(|literal| {
            let template = Template::parse(&literal.to_string())?;
            expand(&template, &Arguments::read(parts)?, literal.span())
        });
    expanded.unwrap_or_else(|fault| compile_error(&fault))
}

/// The arguments after the literal.
struct Arguments {
    positional: Vec<TokenStream>,
    named: Vec<(String, TokenStream)>,
}

impl Arguments {
    fn read(parts: impl Iterator<Item = TokenStream>) -> Result<Self, String> {
        let mut arguments = Self { positional: Vec::new(), named: Vec::new() };
        for part in parts.filter(|part| !part.is_empty()) {
            let mut tokens = part.clone().into_iter();
            match (tokens.next(), tokens.next()) {
                (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(sign)))
                    if sign.as_char() == '=' && sign.spacing() == Spacing::Alone =>
                {
                    arguments.named.push((name.to_string(), tokens.collect()));
                }
                _ if arguments.named.is_empty() => arguments.positional.push(part),
                _ => return Err("a positional argument follows a named one".to_owned()),
            }
        }
        Ok(arguments)
    }

    /// The value of a placeholder: an argument, or the variable of its name.
    fn value_of(&self, place: &Place, literal: Span) -> Result<TokenStream, String> {
        match place {
            Place::Position(position) => self
                .positional
                .get(*position)
                .cloned()
                .ok_or_else(|| format!("no argument for placeholder {position}")),
            Place::Name(name) => {
                let named = self.named.iter().find(|(known, _)| known == name);
                let variable = || TokenTree::from(Ident::new(name, literal)).into();
                Ok(named.map_or_else(variable, |(_, value)| value.clone()))
            }
        }
    }

    /// The number or name of an argument without a placeholder.
    fn unused(&self, template: &Template) -> Option<String> {
        let is_used = |place: &Place| template.placeholders().any(|used| used == place);
        let mut positions = (0..self.positional.len()).map(Place::Position);
        let mut names = self.named.iter().map(|(name, _)| Place::Name(name.clone()));
        positions.find(|place| !is_used(place)).or_else(|| names.find(|place| !is_used(place))).map(
            |place| match place {
                Place::Position(position) => position.to_string(),
                Place::Name(name) => name,
            },
        )
    }
}

/// The call that builds the message.
fn expand(
    template: &Template,
    arguments: &Arguments,
    literal: Span,
) -> Result<TokenStream, String> {
    if let Some(unused) = arguments.unused(template) {
        return Err(format!("argument {unused} has no placeholder"));
    }
    let mut pieces = TokenStream::new();
    for piece in template.pieces() {
        match piece {
            Piece::Words(words) => {
                let words: Literal = words.parse().map_err(|_| "invalid literal".to_owned())?;
                pieces.extend(call_piece("Words", TokenTree::from(words).into()));
            }
            Piece::Placeholder(place, format) => {
                let value = arguments.value_of(place, literal)?;
                pieces.extend(call_piece("Part", reference_to(&value, format)));
            }
        }
        pieces.extend([TokenTree::from(Punct::new(',', Spacing::Alone))]);
    }
    let pieces = TokenTree::from(Group::new(Delimiter::Bracket, pieces));
    let pieces = once(TokenTree::from(Punct::new('&', Spacing::Alone))).chain([pieces]).collect();
    Ok(path_tokens("Message::of").into_iter().chain([parenthesized(pieces)]).collect())
}

/// A reference to the value of a placeholder, formatted as its specification says.
fn reference_to(value: &TokenStream, format: &str) -> TokenStream {
    let value: TokenStream = if format.is_empty() {
        once(parenthesized(value.clone())).collect()
    } else {
        let literal = Literal::string(&format!("{{:{format}}}"));
        let arguments: TokenStream =
            [TokenTree::from(literal), Punct::new(',', Spacing::Alone).into()]
                .into_iter()
                .chain(value.clone())
                .collect();
        parse_tokens("::core::format_args!").into_iter().chain([parenthesized(arguments)]).collect()
    };
    once(TokenTree::from(Punct::new('&', Spacing::Alone))).chain(value).collect()
}

/// A piece of the message: `Words("...")`, `Part(&value)`.
fn call_piece(variant: &str, content: TokenStream) -> TokenStream {
    path_tokens(&format!("Piece::{variant}")).into_iter().chain([parenthesized(content)]).collect()
}

fn parenthesized(content: TokenStream) -> TokenTree {
    Group::new(Delimiter::Parenthesis, content).into()
}

fn path_tokens(name: &str) -> TokenStream {
    parse_tokens(&format!("::sandboxc_syntax::message::{name}"))
}

/// The tokens of code that is written here, and is therefore valid.
fn parse_tokens(code: &str) -> TokenStream {
    code.parse().unwrap_or_default()
}

fn compile_error(fault: &str) -> TokenStream {
    let fault = TokenTree::from(Literal::string(fault));
    parse_tokens("::core::compile_error!")
        .into_iter()
        .chain([parenthesized(fault.into())])
        .collect()
}

/// The arguments of the macro.
fn split_at_commas(input: TokenStream) -> Vec<TokenStream> {
    let mut parts = vec![TokenStream::new()];
    for token in input {
        if matches!(&token, TokenTree::Punct(sign) if sign.as_char() == ',') {
            parts.push(TokenStream::new());
        } else if let Some(last) = parts.last_mut() {
            last.extend([token]);
        }
    }
    parts
}

/// The literal that the tokens consist of. A macro hands its own arguments on in a group.
fn literal_of(tokens: TokenStream) -> Option<Literal> {
    let mut tokens = tokens.into_iter();
    match (tokens.next()?, tokens.next()) {
        (TokenTree::Literal(literal), None) => Some(literal),
        (TokenTree::Group(group), None) if group.delimiter() == Delimiter::None => {
            literal_of(group.stream())
        }
        _ => None,
    }
}
