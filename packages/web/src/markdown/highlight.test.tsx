import { isValidElement, type ReactNode } from "react";
import { expect, test } from "vitest";
import { highlight } from "./highlight.tsx";

/** The number of nodes of rendered code, and its text. */
function measure(node: ReactNode): { nodes: number; text: string } {
  if (typeof node === "string") return { nodes: 1, text: node };
  const inner: unknown = isValidElement<{ children: ReactNode }>(node) ? node.props.children : node;
  const parts = (Array.isArray(inner) ? inner : [inner]).map((part: ReactNode) =>
    part === inner ? { nodes: 0, text: "" } : measure(part),
  );
  if (!Array.isArray(inner) && typeof inner === "string") return { nodes: 2, text: inner };
  return { nodes: 1 + parts.reduce((sum, { nodes }) => sum + nodes, 0), text: parts.map(({ text }) => text).join("") };
}

test.each([
  ["typescript", "export const a: number = 1; // one\nlet b = `t`;"],
  ["python", "def f(x):\n    return 'a' # b"],
  ["json", '{"a": [1, true, null, "<b>&"]}'],
  ["unheard-of", "anything < & >"],
])("coloured %s is the same text", (language, code) => {
  expect(measure(highlight(code, language)).text).toBe(code);
});

test("code that a grammar cannot parse makes few nodes, and code that would take seconds is not parsed", () => {
  const wrong = "x".repeat(20_000);
  expect(measure(highlight(wrong, "json"))).toMatchObject({ text: wrong });
  expect(measure(highlight(wrong, "json")).nodes).toBeLessThan(10);
  expect(highlight(wrong, "typescript")).toBe(wrong);
  expect(highlight("[".repeat(20_000), "markdown")).toBe("[".repeat(20_000));
});

test("of code with very many parts the beginning is coloured, and nothing of it is left out", () => {
  const code = JSON.stringify(Array.from({ length: 3_000 }, (_, n) => ({ n, name: `stone ${n}` })));
  const { nodes, text } = measure(highlight(code, "json"));
  expect(text).toBe(code);
  expect(nodes).toBeGreaterThan(2_000);
  expect(nodes).toBeLessThan(10_000);
});
