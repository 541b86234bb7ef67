import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");

/** The colour of each token in the light and in the dark theme. */
const tokens = [...css.matchAll(/--([a-z0-9-]+): (?:light-dark\((#[0-9a-f]{6}), )?(#[0-9a-f]{6})\)?;/g)];
const light = new Map(tokens.map(([, name = "", first, last = ""]) => [name, first ?? last]));
const dark = new Map(tokens.map(([, name = "", , last = ""]) => [name, last]));

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((left, right) => right - left);
  return (bright + 0.05) / (dim + 0.05);
}

const SURFACES = ["paper", "surface", "sunken", "hover"];
const pairs = [
  ...["ink", "ink-soft", "ink-faint", "accent", "danger"].flatMap((text) => SURFACES.map((under) => [text, under])),
  ...["comment", "keyword", "string", "number", "title", "attr"].flatMap((part) =>
    ["surface", "sunken"].map((under) => [`code-${part}`, under]),
  ),
  ...["on-accent"].flatMap((text) => ["accent", "accent-strong"].map((under) => [text, under])),
  ...[
    ["ochre", "ochre-soft"],
    ["ochre", "paper"],
    ["ochre", "surface"],
    ...["ink", "ink-soft", "ink-faint", "ochre", "danger"].map((text) => [text, "accent-soft"]),
    ["ink", "ochre-soft"],
    ["ink-soft", "ochre-soft"],
    ["danger", "danger-soft"],
    ["accent-strong", "accent-soft"],
    ["accent", "accent-soft"],
    ["ink", "mark"],
    ["ink", "added"],
    ["ink", "removed"],
  ],
];

test.each([
  ["light", light],
  ["dark", dark],
])("every text has a contrast of at least 4.5 to what is under it, %s", (_, tokens) => {
  const low = pairs
    .map(
      ([text = "", under = ""]) =>
        [`${text} on ${under}`, contrast(tokens.get(text) ?? "", tokens.get(under) ?? "")] as const,
    )
    .filter(([, ratio]) => !(ratio >= 4.5));
  expect(low).toEqual([]);
});
