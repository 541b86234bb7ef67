import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { entries } from "../packaging/parts.ts";
import { exportedNames, writeLibraryReference } from "./library-reference.ts";
import { composeReferences } from "./reference-files.ts";

test("the references and the code in recipes and in the guide to deployment are what the code gives; npm run docs writes them anew", async () => {
  for (const [path, content] of Object.entries(await composeReferences()))
    expect(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8")).toBe(content);
});

test("every type that the library's reference names can be imported from the package", () => {
  const importable = new Set(entries.flatMap(({ source }) => exportedNames(source).map(({ name }) => name)));
  const code = [...writeLibraryReference().matchAll(/^```ts\n(.*?)^```/gms)].map(([, text = ""]) => text).join("\n");
  const withoutProse = code.replaceAll(/\/\*\*.*?\*\/|"[^"\n]*"/gs, "");
  const named = new Set([...withoutProse.matchAll(/(?<![.\w])[A-Z][A-Za-z0-9]+/g)].map(([name]) => name));
  const ours = [...named].filter((name) => !(name in globalThis) && !FROM_ELSEWHERE.has(name));
  expect(ours.filter((name) => !importable.has(name))).toEqual([]);
});

/** Types of TypeScript, of Node, and of the official MCP library. */
const FROM_ELSEWHERE = new Set(
  "Readonly Record Pick Omit AsyncIterable Iterable AsyncGenerator AsyncDisposable IncomingHttpHeaders IncomingMessage ServerResponse ServerContext".split(
    " ",
  ),
);
