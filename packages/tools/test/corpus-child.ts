/** For a test that kills it: indexes a corpus, and reports once something was written. Ends with its parent. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { corpusSearch } from "../src/web/corpus/corpus-search.ts";

process.stdin.on("end", () => process.exit(1));
process.stdin.resume();

const order = JSON.parse(process.argv[2] ?? "{}") as { readonly folder: string; readonly dataDir: string };
const indexes = join(order.dataDir, "corpus");
const BEGUN_BYTES = 400_000;

const watch = setInterval(() => {
  if (!existsSync(indexes)) return;
  const log = readdirSync(indexes).find((name) => name.endsWith("-wal"));
  if (log === undefined || statSync(join(indexes, log)).size < BEGUN_BYTES) return;
  clearInterval(watch);
  console.log("writing");
}, 1);
await corpusSearch(order).sync();
