// A finding in a tooltip of the editor: its remarks, a link to the page of its rule, and its changes.

import { element } from "./dom";
import type { Action, Edit, Finding, Range } from "./protocol";

export interface FindingHost {
  actions(range: Range): Promise<Action[]>;
  apply(edits: Edit[]): void;
  explain(rule: string): void;
}

export function findingMessage(finding: Finding, host: FindingHost): HTMLElement {
  const rule = element("button", {
    type: "button",
    className: "finding-rule",
    textContent: finding.rule,
    title: "Show the page of the rule",
    onclick: () => host.explain(finding.rule),
  });
  const title = element("div", { className: "finding-title", textContent: finding.title });
  const remarks = finding.remarks.map((textContent) => element("div", { textContent }));
  return element("div", {}, title, ...remarks, rule, actionsOf(finding, host));
}

/** The changes for a finding, which appear when they are known. */
export function actionsOf(finding: Finding, host: FindingHost): HTMLElement {
  const list = element("div", { className: "finding-actions" });
  void host.actions({ start: finding.start, end: finding.start }).then((actions) => {
    const own = actions.filter((it) => it.rule === finding.rule);
    list.append(
      ...own.map(({ title, edits }) =>
        element("button", {
          type: "button",
          className: "finding-action",
          textContent: title,
          onclick: () => host.apply(edits),
        }),
      ),
    );
  });
  return list;
}
