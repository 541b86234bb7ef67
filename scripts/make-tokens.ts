/**
 * Writes `packages/timeline/src/tokens/o200k/o200k.json`: the tokens of OpenAI's `o200k_base`, in the form that
 * `token-table.ts` reads. They come from the package `gpt-tokenizer`.
 *
 *     npx node scripts/make-tokens.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { projectRoot } from "./run-command.ts";

const tokens = ranks.map((token) => Buffer.from(token));
const packed = Buffer.concat([Buffer.from(tokens.map(({ length }) => length)), ...tokens]);
const target = join(projectRoot, "packages/timeline/src/tokens/o200k/o200k.json");
writeFileSync(target, `${JSON.stringify(packed.toString("base64"))}\n`);
