import { expect, test } from "vitest";
import { notices } from "./notices.ts";

const text = notices({ inputs: { "node_modules/hono/dist/index.js": { bytes: 1, imports: [] } }, outputs: {} });

test.each([
  ["a library of the bundle", "hono", "MIT"],
  ["a library of the web app", "react", "MIT"],
  ["a library of the web app with fonts", "katex", "MIT"],
  ["a library on which another one depends", "@radix-ui/react-dialog", "MIT"],
  ["the styles", "tailwindcss", "MIT"],
  ["a font", "@fontsource-variable/inter", "OFL-1.1"],
  ["a font", "@fontsource-variable/source-serif-4", "OFL-1.1"],
  ["a font", "@fontsource-variable/jetbrains-mono", "OFL-1.1"],
])("names %s (%s) with the text of its licence", (_, name, licence) => {
  const [, notice = ""] = text.split(new RegExp(`^## ${name} [0-9.]+ `, "m"));
  expect(notice).toMatch(new RegExp(`^\\(${licence}\\)\n[^#]*Copyright`));
});

test("names each library once, and none that is only installed beside the web app", () => {
  const names = [...text.matchAll(/^## (\S+ [0-9.]+) \(/gm)].map(([, name]) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(text).not.toMatch(/^## (?:@cairn|@napi-rs)\//m);
});
