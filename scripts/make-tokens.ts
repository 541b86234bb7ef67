/**
 * Writes `packages/timeline/src/tokens/o200k/o200k.json`: the tokens of OpenAI's `o200k_base`, in the form that
 * `token-table.ts` reads. The tokens come from the package `gpt-tokenizer`.
 *
 *     npx node scripts/make-tokens.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUCKETS, bucketOf, NUMBER_BYTES } from "@cairn/timeline/tokens";
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
const stored = buckets.map((bucket) =>
  Buffer.concat(bucket.flatMap(({ bytes, rank }) => [littleEndian(bytes.length, 1), numberOf(rank), bytes])),
);
const positions: Buffer[] = [];
let position = NUMBER_BYTES * (BUCKETS + 1);
for (const { length } of stored) {
  positions.push(numberOf(position));
  position += length;
}
const packed = Buffer.concat([...positions, numberOf(position), ...stored]);
const target = join(projectRoot, "packages/timeline/src/tokens/o200k/o200k.json");
writeFileSync(target, `${JSON.stringify(packed.toString("base64"))}\n`);

function numberOf(value: number): Buffer {
  return littleEndian(value, NUMBER_BYTES);
}

/** Throws if the value is too large. */
function littleEndian(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntLE(value, 0, bytes);
  return written;
}
