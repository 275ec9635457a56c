//! Helm charts: a `Chart.yaml` next to a folder `templates`.

use super::path::{Outermost, file_name, folder_of, is_below, join};

/// The folders of all charts among `files`, outermost only.
pub(super) fn charts(files: &[&str]) -> Outermost {
    let mut sorted = files.to_vec();
    sorted.sort_unstable();
    let has_templates = |folder: &&str| {
        let templates = join(folder, "templates") + "/";
        let first = sorted.partition_point(|file| **file < *templates);
        sorted.get(first).is_some_and(|file| file.starts_with(&templates))
    };
    let manifests = files.iter().filter(|file| file_name(file) == "Chart.yaml");
    Outermost::of(manifests.map(|file| folder_of(file)).filter(has_templates))
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
        let charts = charts(&files);
        let found = files.map(|file| charts.around(file));
        let web = Some("charts/web");
        assert_eq!(found, [web, web, web, web, web, None]);
        let parts = files.map(|file| is_part(file, "charts/web"));
        assert_eq!(parts, [true, true, true, false, true, false]);
    }
}
