//! Strings with several lines.

use sandboxc::{Paint, render_diff_human};

use super::{compared, object};

#[test]
fn lines_of_long_strings_are_compared() {
    let map = |four: &str| {
        object(
            "ConfigMap",
            &format!("data:\n  conf: |\n    one\n    two\n    three\n    {four}\n    five\n"),
        )
    };
    let text = render_diff_human(&compared(&map("four"), &map("4")), false, Paint::Plain);
    assert_eq!(
        text,
        "~ ConfigMap/a  old.yaml:3 \u{2192} new.yaml:3\n  volumes follow within minutes, environment variables only in new Pods; no Pod restarts\n  data[conf]\n    old.yaml:5 \u{2192} new.yaml:5\n      \
         ...\n      two\n      three\n    - four\n    + 4\n      five\n\n1 changed\n"
    );
}

#[test]
fn lines_between_two_differences_are_shown_once() {
    let shown = |lines: &[&str], changed: [&str; 2]| {
        let with = |first: &str, last: &str| {
            let lines: Vec<_> = [first]
                .iter()
                .chain(lines)
                .chain(&[last])
                .map(|it| format!("    {it}\n"))
                .collect();
            object("ConfigMap", &format!("data:\n  conf: |\n{}", lines.concat()))
        };
        let [first, last] = changed;
        let text =
            render_diff_human(&compared(&with("a", "z"), &with(first, last)), false, Paint::Plain);
        let lines: Vec<_> = text.lines().skip(4).map(str::trim).map(ToOwned::to_owned).collect();
        lines[..lines.len() - 2].to_vec()
    };
    let near = ["- a", "+ A", "one", "two", "three", "- z", "+ Z"];
    assert_eq!(shown(&["one"], ["A", "Z"]), [&near[..3], &near[5..]].concat());
    assert_eq!(shown(&["one", "two", "three"], ["A", "Z"]), near);
    let far = ["- a", "+ A", "one", "two", "...", "four", "five", "- z", "+ Z"];
    assert_eq!(shown(&["one", "two", "three", "four", "five"], ["A", "Z"]), far);
}
