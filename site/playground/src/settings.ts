// The settings of a run: examples, versions, policy and environment.

import { choice } from "./dom";
import type { Example } from "./examples";
import type { Info, Settings } from "./protocol";

export interface SettingsHost {
  changed(): void;
  open(example: string): void;
}

export class SettingsBar {
  readonly #example: HTMLSelectElement;
  readonly #kubernetes: HTMLSelectElement;
  readonly #policy: HTMLSelectElement;
  readonly #environment: HTMLSelectElement;

  constructor(parent: HTMLElement, examples: readonly Example[], host: SettingsHost) {
    const named = examples.map(({ name, title }): [string, string] => [name, title]);
    const example = choice("Example", [["", "—"], ...named], (name) => {
      if (name) host.open(name);
    });
    const kubernetes = choice("Kubernetes", [["", "default"]], host.changed);
    const policy = choice("Policy", [["", "default"]], host.changed);
    const environment = choice("Environment", [["", "none"]], host.changed);
    policy.select.title = "The level of the Pod Security Standards that all Pods are checked against";
    this.#example = example.select;
    this.#kubernetes = kubernetes.select;
    this.#policy = policy.select;
    this.#environment = environment.select;
    parent.append(example.label, kubernetes.label, policy.label, environment.label);
  }

  /** Adds the values that the compiler knows. */
  offer({ kubernetes, policies }: Info): void {
    this.#kubernetes.append(...kubernetes.map((it) => new Option(it, it)));
    const [oldest, newest] = [kubernetes[0], kubernetes.at(-1)];
    if (oldest !== newest) {
      this.#kubernetes.append(new Option(`${oldest} to ${newest}`, `${oldest}-${newest}`));
    }
    this.#policy.append(...policies.map((it) => new Option(it, it)));
  }

  /** Shows the environments of the Project. */
  offerEnvironments(names: string[]): void {
    const selected = this.#environment.value;
    // A selected environment stays, so that its absence is reported.
    const all = selected && !names.includes(selected) ? [...names, selected] : names;
    const options = ["", ...all].map((it) => new Option(it || "none", it, false, it === selected));
    this.#environment.replaceChildren(...options);
  }

  get values(): Settings {
    return {
      kubernetes: this.#kubernetes.value,
      policy: this.#policy.value,
      environment: this.#environment.value,
    };
  }

  set values({ kubernetes, policy, environment }: Settings) {
    this.#kubernetes.value = kubernetes;
    this.#policy.value = policy;
    this.#environment.replaceChildren(...[...new Set(["", environment])].map((it) => new Option(it || "none", it)));
    this.#environment.value = environment;
    for (const select of [this.#kubernetes, this.#policy]) {
      if (select.selectedIndex < 0) select.value = "";
    }
  }

  /** The example that is shown; empty after a change of files. */
  set example(name: string) {
    this.#example.value = name;
  }
}
