//! The difference as workflow commands of GitHub Actions: one annotation for each object.

use super::words::{field_count, finding, path, title};
use crate::diff::model::{Diff, ObjectChange};
use crate::markup;
use crate::markup::{Commands, DataLines, Markup, Property};

/// The maximum number of paths in an annotation.
const MOST_PATHS: usize = 10;

/// Renders a difference as annotations, one for each object: at its first changed line of the new
/// side. With `is_summary`, without the paths of the fields.
#[must_use]
pub fn render_diff_github(diff: &Diff, is_summary: bool) -> String {
    let mut text = Markup::new();
    for object in &diff.objects {
        annotation(object, is_summary, &mut text);
    }
    text.into_string()
}

fn annotation(object: &ObjectChange, is_summary: bool, text: &mut Markup<Commands>) {
    let changed = object.fields.iter().flat_map(|it| &it.new).find_map(|it| it.place.as_ref());
    let place = changed.or(object.new.as_ref().map(|it| &it.place));
    text.literal("::notice ");
    if let Some(place) = place {
        markup!(*text, "file={},line={},", Property(&place.file), place.line);
    }
    let mut lines: Vec<_> = object.outcome.iter().map(|it| it.text.clone()).collect();
    lines.extend(object.findings.iter().map(finding));
    if is_summary || object.fields.is_empty() {
        lines.push(field_count(object));
    } else {
        lines.extend(object.fields.iter().take(MOST_PATHS).map(path));
        let hidden = object.fields.len().saturating_sub(MOST_PATHS);
        lines.extend((hidden > 0).then(|| format!("and {hidden} more fields")));
    }
    let title = format!("{} {}", object.fate.name(), title(object));
    markup!(*text, "title={}::{}\n", Property(&title), DataLines(&lines));
}
