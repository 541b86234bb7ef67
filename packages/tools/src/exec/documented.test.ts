import { readFile } from "node:fs/promises";
import { ATTACKS } from "@cairn/testkit/sandbox";
import { expect, it } from "vitest";
import { SANDBOX_SETTINGS } from "./choose-sandbox.ts";
import { DEFAULT_LIMITS } from "./process/limits.ts";

const document = readFile(new URL("../../../../docs/tools-exec.md", import.meta.url), "utf8");

it("every attack of the table is in the document", async () => {
  const text = await document;
  const pieces = ATTACKS.flatMap(({ name }) =>
    name.split(/: |, (?=by|in|from|to|imported|behind)|(?<=bomb) (?=by|in|on|beside)/),
  );
  expect(pieces.filter((piece) => !text.includes(piece))).toEqual([]);
});

it("every setting and every limit is in the document", async () => {
  const text = await document;
  const names = [...SANDBOX_SETTINGS, ...Object.keys(DEFAULT_LIMITS)];
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
