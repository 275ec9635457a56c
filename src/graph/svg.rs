//! Output as a self-contained SVG. dagre computes the layout; this module draws it.

#![expect(clippy::float_arithmetic, reason = "dagre uses floating-point coordinates")]

use dagre::graph::{Graph as Dagre, GraphOptions};
use dagre::{EdgeLabel, LayoutOptions, NodeLabel, RankDir, layout};

use super::{Graph, Item, Link, State};
use crate::markup;
use crate::markup::{Markup, Xml, XmlLine};
use crate::sorted::SortedMap;

/// The average width of a character in a name, in pixels, for common fonts at 13 pixels.
const NAME_CHAR_WIDTH: f64 = 8.2;
/// The average width of a character in a heading, in pixels, at 11 pixels.
const HEADING_CHAR_WIDTH: f64 = 6.3;
/// The maximum length of a name, in characters. A longer name is truncated, and shown whole in the
/// tooltip.
const MAX_NAME_CHARS: usize = 34;
const NODE_HEIGHT: f64 = 46.0;
const PADDING: f64 = 14.0;
const MARGIN: f64 = 24.0;
/// The height that a frame needs for its title, in addition to the padding of dagre.
const TITLE: f64 = 10.0;

/// The style sheet. It repeats colors instead of using CSS variables, which many SVG renderers do
/// not support.
const STYLE: &str = "\
    text { font-family: system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }
    .ground { fill: #ffffff }
    .space { fill: #f6f8fa; stroke: #d1d9e0 }
    .title { fill: #59636e; font-size: 12px; font-weight: 600 }
    .card { fill: #ffffff; stroke: #d1d9e0; stroke-width: 1.2 }
    .kind { fill: #59636e; font-size: 11px }
    .name { fill: #1f2328; font-size: 13px; font-weight: 600 }
    .link { fill: none; stroke: #8c959f; stroke-width: 1.3 }
    .head { fill: #8c959f }
    .word { fill: #59636e; font-size: 10px; paint-order: stroke; stroke: #f6f8fa; stroke-width: 3px }
    .elsewhere .card { stroke: #8c959f; stroke-dasharray: 4 3 }
    .bad .card { stroke: #d1242f; fill: #fff1f0 }
    .bad .kind, .bad .name, .word.bad { fill: #d1242f }
    .missing .card, .link.bad { stroke-dasharray: 5 3 }
    .link.bad { stroke: #d1242f }
    .head.bad { fill: #d1242f }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117 }
      .space { fill: #151b23; stroke: #3d444d }
      .title, .kind { fill: #9198a1 }
      .card { fill: #212830; stroke: #3d444d }
      .name { fill: #f0f6fc }
      .link { stroke: #656c76 }
      .head { fill: #656c76 }
      .word { fill: #9198a1; stroke: #151b23 }
      .elsewhere .card { stroke: #656c76 }
      .bad .card { stroke: #ff7b72; fill: #2d1416 }
      .bad .kind, .bad .name, .word.bad { fill: #ff7b72 }
      .link.bad { stroke: #ff7b72 }
      .head.bad { fill: #ff7b72 }
    }
";

/// Colors of the bar on the left edge of a node, by a part of the kind.
const HUES: [(&str, &str); 10] = [
    ("PersistentVolume", "#9a6700"),
    ("ServiceAccount", "#6e7781"),
    ("Claim", "#8250df"),
    ("Pool", "#0969da"),
    ("Template", "#1a7f37"),
    ("Sandbox", "#1b7c83"),
    ("Secret", "#bf8700"),
    ("ConfigMap", "#bf8700"),
    ("Policy", "#bc4c00"),
    ("Service", "#bf3989"),
];

/// Writes the whole picture.
pub(super) fn write(graph: &Graph) -> String {
    let placed = lay_out(graph);
    let (mut width, mut height) = (2.0 * MARGIN, 2.0 * MARGIN);
    for Rectangle { x, y, w, h } in placed.nodes.iter().chain(placed.spaces.values()) {
        width = width.max(x + w + MARGIN);
        height = height.max(y + h + MARGIN);
    }
    let mut svg: Markup<Xml> = Markup::new();
    markup!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" ",
        width,
        height
    );
    markup!(svg, "viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" ", width, height);
    svg.literal("aria-label=\"Objects and their references\">\n  <style>\n");
    svg.literal(STYLE);
    svg.literal("  </style>\n  <rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n");
    for (namespace, Rectangle { x, y, w, h }) in &placed.spaces {
        svg.literal("  <rect class=\"space\" ");
        place_at(&mut svg, &Rectangle { x: *x, y: *y, w: *w, h: *h });
        markup!(
            svg,
            " rx=\"10\"/>\n  <text class=\"title\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            x + 12.0,
            y + 18.0,
            XmlLine(&shorten(namespace)),
        );
    }
    let bands = Bands::of(placed.centers.iter().zip(&placed.nodes));
    for (link, points) in &placed.links {
        if let Some((from, to)) = placed.nodes.get(link.from).zip(placed.nodes.get(link.to)) {
            draw_link(&mut svg, graph, link, &bands.route(link, points, from, to));
        }
    }
    // Labels are drawn above all lines.
    for (link, points) in &placed.links {
        draw_word(&mut svg, graph, link, points);
    }
    for (item, place) in graph.items.iter().zip(&placed.nodes) {
        draw_item(&mut svg, item, place);
    }
    svg.literal("</svg>\n");
    svg.into_string()
}

/// The attributes of a rectangle.
fn place_at(svg: &mut Markup<Xml>, place: &Rectangle) {
    let Rectangle { x, y, w, h } = *place;
    markup!(*svg, "x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"", x, y, w, h);
}

/// A rectangle: its upper left corner and its size.
#[derive(Clone, Copy, Debug, Default)]
struct Rectangle {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

#[derive(Debug, Default)]
struct Placed {
    nodes: Vec<Rectangle>,
    /// The centers of the columns of the nodes.
    centers: Vec<f64>,
    spaces: SortedMap<String, Rectangle>,
    links: Vec<(Link, Vec<(f64, f64)>)>,
}

fn width_of(item: &Item) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a name is at most a few dozen characters")]
    let width = |text: &str, each: f64| shorten(text).chars().count() as f64 * each;
    let heading = format!("{} {}", item.heading(), item.state.word());
    let widest = width(&item.title(), NAME_CHAR_WIDTH).max(width(&heading, HEADING_CHAR_WIDTH));
    widest + 2.0 * PADDING + 6.0
}

/// The layout of nodes, namespaces and links, computed by dagre.
fn lay_out(graph: &Graph) -> Placed {
    let options = GraphOptions { directed: true, multigraph: true, compound: true };
    let mut dagre = Dagre::with_options(options);
    for (number, (namespace, members)) in graph.by_namespace().into_iter().enumerate() {
        if !namespace.is_empty() {
            dagre.set_node(format!("s{number}"), Some(NodeLabel::default()));
        }
        for position in members {
            let Some(item) = graph.items.get(position) else { continue };
            let id = format!("n{position}");
            let label =
                NodeLabel { width: width_of(item), height: NODE_HEIGHT, ..NodeLabel::default() };
            dagre.set_node(id.clone(), Some(label));
            if !namespace.is_empty() {
                dagre.set_parent(&id, Some(&format!("s{number}")));
            }
        }
    }
    for (number, link) in graph.links.iter().enumerate() {
        let (from, to) = (format!("n{}", link.from), format!("n{}", link.to));
        let width = width_of_word(link);
        let label = EdgeLabel { width, height: 12.0, ..EdgeLabel::default() };
        dagre.set_edge(from, to, Some(label), Some(&number.to_string()));
    }
    let options = LayoutOptions {
        rankdir: RankDir::LR,
        nodesep: 26.0,
        ranksep: 84.0,
        // This is also the distance between frames.
        edgesep: 10.0 + TITLE,
        marginx: MARGIN,
        marginy: MARGIN + TITLE,
        ..LayoutOptions::default()
    };
    layout(&mut dagre, Some(options));
    read_layout(graph, &dagre)
}

#[expect(clippy::cast_precision_loss, reason = "a short word")]
fn width_of_word(link: &Link) -> f64 {
    link.label.len() as f64 * 5.6 + 8.0
}

fn read_layout(graph: &Graph, dagre: &Dagre<NodeLabel, EdgeLabel>) -> Placed {
    let mut placed = Placed::default();
    for position in 0..graph.items.len() {
        let node = dagre.node(&format!("n{position}"));
        placed.nodes.push(node.map_or_else(Rectangle::default, rectangle_of));
        placed.centers.push(node.and_then(|it| it.x).unwrap_or(0.0));
    }
    align_columns(graph, &mut placed);
    for (number, namespace) in graph.by_namespace().keys().enumerate() {
        if let Some(node) = dagre.node(&format!("s{number}")) {
            let Rectangle { x, y, w, h } = rectangle_of(node);
            let frame = Rectangle { x, y: y - TITLE, w, h: h + TITLE };
            placed.spaces.insert((*namespace).to_owned(), frame);
        }
    }
    for (number, link) in graph.links.iter().enumerate() {
        let (from, to) = (format!("n{}", link.from), format!("n{}", link.to));
        let edge = dagre.edge(&from, &to, Some(&number.to_string()));
        let points = edge.iter().flat_map(|edge| &edge.points).map(|point| (point.x, point.y));
        placed.links.push((link.clone(), points.collect()));
    }
    placed
}

fn rectangle_of(node: &NodeLabel) -> Rectangle {
    let (x, y) = (node.x.unwrap_or(0.0), node.y.unwrap_or(0.0));
    Rectangle { x: x - node.width / 2.0, y: y - node.height / 2.0, w: node.width, h: node.height }
}

fn draw_item(svg: &mut Markup<Xml>, item: &Item, place: &Rectangle) {
    let Rectangle { x, y, w, h } = *place;
    let class = match item.state {
        State::Sound => "node",
        State::Elsewhere => "node elsewhere",
        State::Faulty => "node bad",
        State::Missing => "node bad missing",
    };
    let word = item.state.word();
    let heading =
        if word.is_empty() { item.heading() } else { format!("{} · {word}", item.heading()) };
    let hue = HUES.iter().find(|(part, _)| item.kind.contains(part)).map_or("#6e7781", |it| it.1);
    if item.count > 1 {
        // Draw the edge of a second card under the first one.
        let (x, y) = (x + 4.0, y + 4.0);
        markup!(*svg, "  <g class=\"{}\"><rect class=\"card\" ", class);
        place_at(svg, &Rectangle { x, y, w, h });
        svg.literal(" rx=\"7\"/></g>\n");
    }
    let (left, title) = (x + PADDING, item.title());
    let tooltip = format!("{heading} {title}");
    markup!(
        *svg,
        "  <g class=\"{}\"><title>{}</title><rect class=\"card\" ",
        class,
        XmlLine(&tooltip)
    );
    place_at(svg, place);
    svg.literal(" rx=\"7\"/><rect ");
    place_at(svg, &Rectangle { x, y: y + 9.0, w: 4.0, h: h - 18.0 });
    markup!(
        *svg,
        " rx=\"2\" fill=\"{}\"/><text class=\"kind\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        hue,
        left,
        y + 18.0,
        XmlLine(&heading),
    );
    markup!(
        *svg,
        "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text></g>\n",
        left,
        y + 35.0,
        XmlLine(&shorten(&title)),
    );
}

/// Aligns the left edges of the nodes of a namespace in one column.
fn align_columns(graph: &Graph, placed: &mut Placed) {
    for members in graph.by_namespace().values() {
        let mut left = SortedMap::new();
        for position in members {
            if let (Some(center), Some(node)) =
                (placed.centers.get(*position), placed.nodes.get(*position))
            {
                let least = left.entry(tenths(*center)).or_insert(node.x);
                *least = least.min(node.x);
            }
        }
        for position in members {
            if let Some(center) = placed.centers.get(*position)
                && let Some((node, x)) =
                    placed.nodes.get_mut(*position).zip(left.get(&tenths(*center)))
            {
                node.x = *x;
            }
        }
    }
}

/// A coordinate as a map key, in tenths of a pixel.
#[expect(clippy::cast_possible_truncation, reason = "coordinates are far below the limit")]
fn tenths(x: f64) -> i64 {
    (x * 10.0).round() as i64
}

/// The columns of nodes: the left and right edge of each, by its center. Inside a column and under
/// their labels, links are horizontal, so that they do not cross nodes.
struct Bands {
    by_center: SortedMap<i64, (f64, f64)>,
}

impl Bands {
    fn of<'a>(nodes: impl Iterator<Item = (&'a f64, &'a Rectangle)>) -> Self {
        let mut by_center = SortedMap::new();
        for (center, Rectangle { x, w, .. }) in nodes {
            let (left, right) = by_center.entry(tenths(*center)).or_insert((*x, x + w));
            (*left, *right) = (left.min(*x), right.max(x + w));
        }
        Self { by_center }
    }

    /// Routes a link from the side of one node to the side of the other. dagre also attaches links
    /// to the top and bottom.
    fn route(
        &self,
        link: &Link,
        points: &[(f64, f64)],
        from: &Rectangle,
        to: &Rectangle,
    ) -> Vec<(f64, f64)> {
        let inner = if let [_, inner @ .., _] = points { inner } else { &[] };
        let is_forward = from.x <= to.x;
        let meet = |place: &Rectangle, is_right: bool, next: Option<&(f64, f64)>| {
            let x = if is_right { place.x + place.w } else { place.x };
            let middle = place.y + place.h / 2.0;
            let toward = next.map_or(middle, |it| it.1);
            let y = toward.clamp(place.y + 10.0, place.y + place.h - 10.0);
            let end = self.around(x).map_or(x, |(left, right)| if is_right { right } else { left });
            [(x, y), (end, y)]
        };
        let mut route = meet(from, is_forward, inner.first()).to_vec();
        for (index, (x, y)) in inner.iter().enumerate() {
            let half = if index + 1 == points.len() / 2 { width_of_word(link) / 2.0 } else { 0.0 };
            let column = self.by_center.get(&tenths(*x)).copied();
            let (left, right) = column.unwrap_or((x - half, x + half));
            let ends = if is_forward { [left, right] } else { [right, left] };
            route.extend(ends.map(|x| (x, *y)));
        }
        route.extend(meet(to, !is_forward, inner.last()).into_iter().rev());
        route.dedup();
        route
    }

    /// The column that contains an x.
    fn around(&self, x: f64) -> Option<(f64, f64)> {
        self.by_center.values().copied().find(|(left, right)| *left <= x && x <= *right)
    }
}

fn draw_link(svg: &mut Markup<Xml>, graph: &Graph, link: &Link, points: &[(f64, f64)]) {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return };
    let bad = if graph.is_broken(link) { " bad" } else { "" };
    markup!(*svg, "  <path class=\"link{}\" d=\"M{:.1},{:.1}", bad, first.0, first.1);
    // Each segment starts and ends horizontally, because ranks run from left to right.
    for pair in points.windows(2) {
        if let [(x0, y0), (x1, y1)] = pair {
            let middle = f64::midpoint(*x0, *x1);
            markup!(*svg, "C{:.1},{:.1} {:.1},{:.1}", middle, y0, middle, y1);
            markup!(*svg, " {:.1},{:.1}", x1, y1);
        }
    }
    let before = points.iter().rev().nth(1).unwrap_or(first);
    let back = if last.0 >= before.0 { -7.0 } else { 7.0 };
    markup!(
        *svg,
        "\"/><path class=\"head{}\" d=\"M{:.1},{:.1}l{:.0},-4v8z\"/>\n",
        bad,
        last.0,
        last.1,
        back,
    );
}

/// Draws the label of a link in the space that dagre reserved for it.
fn draw_word(svg: &mut Markup<Xml>, graph: &Graph, link: &Link, points: &[(f64, f64)]) {
    let Some(middle) = points.get(points.len() / 2) else { return };
    let bad = if graph.is_broken(link) { " bad" } else { "" };
    markup!(
        *svg,
        "  <text class=\"word{}\" text-anchor=\"middle\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
        bad,
        middle.0,
        middle.1 - 4.0,
        link.label,
    );
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= MAX_NAME_CHARS {
        return text.to_owned();
    }
    let half = MAX_NAME_CHARS / 2;
    let start: String = text.chars().take(half).collect();
    let end: Vec<_> = text.chars().rev().take(half - 1).collect();
    format!("{start}…{}", end.into_iter().rev().collect::<String>())
}
