// The list of rules, with filters.

/** The names of subjects and systems in the filter. */
const SUBJECTS = {
  yaml: "YAML",
  input: "Input",
  definition: "Definitions",
  security: "Pod security",
  kubernetes: "Kubernetes",
  "agent-sandbox": "agent-sandbox",
  idegym: "idegym",
  kelos: "kelos",
  nodepool: "Nodepool",
  osa: "Open Science Archive",
};

const FIXES = {
  safe: "can be fixed by <code>check --fix</code>",
  unsafe: "can be fixed by <code>check --fix --unsafe</code>",
};

/** The page of a rule without its last section, the tests. */
export function withoutTests(page) {
  return page.split("\n## Tests\n")[0];
}

/** The page of all rules. `theme/rules.js` shows the filters. */
export function listOfRules(rules) {
  const subjects = new Set(rules.flatMap((it) => it.subjects));
  const unknown = [...subjects].filter((it) => !(it in SUBJECTS));
  if (unknown.length > 0) throw new Error(`no title for the subject ${unknown}: see site/stage/rules.mjs`);
  const known = Object.entries(SUBJECTS).filter(([it]) => subjects.has(it));
  return `# Rules

\`sandboxc explain <rule>\` prints the same pages. An error means that the input cannot work, a warning that it is accepted but surprising, and a note is worth knowing.

<form id="rule-filters" role="search" aria-label="Filter rules" hidden>
${select("subject", "System", known)}
${select("severity", "Severity", ["error", "warning", "note"].map((it) => [it, it]))}
<label>Text <input type="search" name="text" autocomplete="off" spellcheck="false"></label>
<label><input type="checkbox" name="fixable" value="yes"> fixable</label>
<output aria-live="polite"></output>
</form>
<ul id="rules">
${rules.map(item).join("\n")}
</ul>
`;
}

function select(name, title, values) {
  const options = [["", "all"], ...values].map(([value, text]) => `<option value="${value}">${text}</option>`);
  return `<label>${title} <select name="${name}">${options.join("")}</select></label>`;
}

function item({ name, severity, subjects, fix, summary }) {
  const titles = subjects.map((it) => SUBJECTS[it]).join(", ");
  const data = `data-severity="${severity}" data-subjects="${subjects.join(" ")}" data-fix="${fix ?? ""}"`;
  const fixable = fix ? `; ${FIXES[fix]}` : "";
  return `<li ${data}><a href="${name}.html">${name}</a> <span class="severity">${severity}</span> <span class="facts">${titles}${fixable}</span><p>${html(summary)}</p></li>`;
}

/** A sentence of Markdown, which only has code in it. */
function html(text) {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return escaped.replace(/`` (.+?) ``|`([^`]+)`/g, (_, long, code) => `<code>${long ?? code}</code>`);
}

/** The summary, with the page of each rule under the list. */
export function summaryWithRules(summary, rules) {
  const children = rules.map(({ name }) => `  - [${name}](docs/rules/${name}.md)\n`).join("");
  const entry = "](docs/rules/README.md)\n";
  if (!summary.includes(entry)) throw new Error("the summary has no list of rules");
  return summary.replace(entry, (it) => it + children);
}
