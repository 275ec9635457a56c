//! The columns of tables.

/// The maximum width of a column. Otherwise one long cell widens thousands of rows, and `format!`
/// panics at widths above 65,535.
const MAX_WIDTH: usize = 200;

/// The width of a column with these cells, in characters. A longer cell than the maximum does not
/// count, and only moves the rest of its own row.
pub fn column_width<'c>(cells: impl IntoIterator<Item = &'c str>) -> usize {
    let widths = cells.into_iter().map(|cell| cell.chars().count());
    widths.filter(|width| *width <= MAX_WIDTH).max().unwrap_or(0)
}

/// The lines of a table, whose columns are aligned.
pub fn aligned<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> impl Iterator<Item = String> {
    let column = |at: usize| rows.iter().filter_map(move |row| row.get(at)).map(String::as_str);
    let widths: Vec<_> = (0..COLUMNS).map(|at| column_width(column(at))).collect();
    rows.iter().map(move |row| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_very_long_cell_does_not_count() {
        let [longest, longer] = [200, 201].map(|length| "é".repeat(length));
        assert_eq!(column_width(["a", &longest]), 200);
        assert_eq!(column_width(["a", &longer]), 1);
        assert_eq!(column_width([]), 0);
    }
}
