/**
 * Writes `packages/timeline/src/tokens/o200k/o200k.json`: the tokens of OpenAI's `o200k_base`, in the form that
 * `token-table.ts` reads. The tokens come from the package `gpt-tokenizer`.
 *
 *     npx node scripts/make-tokens.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUCKETS, bucketOf } from "@cairn/timeline/tokens";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { projectRoot } from "./run-command.ts";

interface Token {
  readonly bytes: Buffer;
  readonly rank: number;
}

const buckets = Array.from({ length: BUCKETS }, (): Token[] => []);
for (const [rank, token] of ranks.entries()) {
  const bytes = Buffer.from(token);
  buckets[bucketOf(bytes, 0, bytes.length)]?.push({ bytes, rank });
}
const tokens = buckets.flat();
const sizes = buckets.map((bucket) => bucket.reduce((sum, { bytes }) => sum + bytes.length, 0));
const packed = Buffer.concat([
  ...buckets.map(({ length }) => littleEndian(length, 1)),
  ...sizes.map((size) => littleEndian(size, 2)),
  ...tokens.map(({ bytes }) => littleEndian(bytes.length, 1)),
  ...tokens.map(({ rank }) => littleEndian(rank, 3)),
  ...tokens.map(({ bytes }) => bytes),
]);
const target = join(projectRoot, "packages/timeline/src/tokens/o200k/o200k.json");
writeFileSync(target, `${JSON.stringify(packed.toString("base64"))}\n`);

/** Throws if the value is too large. */
function littleEndian(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
}
