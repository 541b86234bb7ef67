/**
 * `npm run bench:tools`: the cost of tools: documents of 1, 10 and 100 pages, programs in each sandbox, and a corpus of
 * 10,000 files. `--json` prints the figures as a list and nothing else. `--only exec,documents` measures some of them;
 * `--files 1000` uses a smaller corpus.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureCorpus } from "./tools/corpus.ts";
import { measureDocuments } from "./tools/documents.ts";
import { measureExec } from "./tools/exec.ts";
import type { ToolMeasurement } from "./tools/tool-measurement.ts";

const { values } = parseArgs({
  options: { json: { type: "boolean" }, only: { type: "string" }, files: { type: "string", default: "10000" } },
});

const PARTS: Readonly<Record<string, (dir: string) => Promise<readonly ToolMeasurement[]>>> = {
  documents: () => measureDocuments(),
  exec: measureExec,
  corpus: (dir) => measureCorpus(dir, Number(values.files)),
};

const wanted = values.only?.split(",") ?? Object.keys(PARTS);
const dir = mkdtempSync(join(process.env.CAIRN_BENCH_DIR ?? tmpdir(), "cairn-bench-tools-"));
try {
  const results: ToolMeasurement[] = [];
  for (const name of wanted) {
    const measure = PARTS[name];
    if (measure === undefined) throw new Error(`--only takes ${Object.keys(PARTS).join(", ")}: ${name}`);
    results.push(...(await measure(dir)));
  }
  if (values.json) console.log(JSON.stringify(results));
  else {
    console.log(`node ${process.version}, ${process.platform} ${process.arch}\n`);
    for (const { subject, name, value, unit } of results)
      console.log(`${subject.padEnd(34)} ${name.padEnd(38)} ${value.toFixed(value < 10 ? 1 : 0).padStart(9)} ${unit}`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
