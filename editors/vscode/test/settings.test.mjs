// The settings, and that the manifest and the code have the same ones: `npm test`.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const { hints, needsRestart, serverArguments } = require("../out/settings.js");
const { contributes } = require("../package.json");

const settings = (values) => ({ get: (name, otherwise) => values[name] ?? otherwise });

test("options become arguments of the server", () => {
  assert.deepEqual(serverArguments(settings({})), ["lsp"]);
  const given = settings({ kubernetes: "1.34", policy: "restricted" });
  assert.deepEqual(serverArguments(given), ["lsp", "--kubernetes", "1.34", "--policy", "restricted"]);
});

test("each kind of hint can be turned off", () => {
  const shown = hints(settings({ "hints.uses": false }));
  assert.deepEqual(shown, { hints: { uses: false, expansions: true, inherited: true } });
});

test("every setting of the manifest is used", () => {
  const names = Object.keys(contributes.configuration.properties);
  const used = names.filter((name) => {
    const own = name.replace(/^sandboxc\./, "");
    return needsRestart((it) => it === own) || own.replace(/^hints\./, "") in hints(settings({})).hints;
  });
  assert.deepEqual(used, names);
});
