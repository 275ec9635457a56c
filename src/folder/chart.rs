//! Helm charts: a `Chart.yaml` next to a folder `templates`.

use super::path::{file_name, folder_of, is_below, join};

/// The folders of all charts among `files`, outermost only, sorted.
pub(super) fn charts(files: &[&str]) -> Vec<String> {
    let has_templates = |folder: &str| {
        let templates = join(folder, "templates");
        files.iter().any(|file| is_below(file, &templates))
    };
    let manifests = files.iter().filter(|file| file_name(file) == "Chart.yaml");
    let mut folders: Vec<&str> = manifests.map(|file| folder_of(file)).collect();
    folders.sort_unstable();
    let mut charts: Vec<String> = Vec::new();
    for folder in folders {
        let is_inner = charts.last().is_some_and(|outer| is_below(folder, outer));
        if !is_inner && has_templates(folder) {
            charts.push(folder.to_owned());
        }
    }
    charts
}

/// Whether a file belongs to the chart in `chart` and is not a manifest until it is rendered. Helm
/// installs files in `crds` unchanged.
pub(super) fn is_part(file: &str, chart: &str) -> bool {
    is_below(file, chart) && !is_below(file, &join(chart, "crds"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_templates_and_contains_its_subcharts() {
        let files = [
            "charts/web/Chart.yaml",
            "charts/web/charts/db/Chart.yaml",
            "charts/web/charts/db/templates/db.yaml",
            "charts/web/crds/web.yaml",
            "charts/web/templates/web.yaml",
            "other/Chart.yaml",
        ];
        assert_eq!(charts(&files), ["charts/web"]);
        let parts = files.map(|file| is_part(file, "charts/web"));
        assert_eq!(parts, [true, true, true, false, true, false]);
    }
}
