import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { whyNoPostgres } from "@cairn/testkit/store";
import { expect, test } from "vitest";
import { hasRivals } from "./rivals.ts";

const run = promisify(execFile);
const program = fileURLToPath(new URL("cluster.ts", import.meta.url));
const missing = whyNoPostgres();
const FEW = [
  "--workers",
  "1",
  "--conversations",
  "2",
  "--turns",
  "1",
  "--alone",
  "1",
  "--lengths",
  "1,2",
  "--measured",
  "1",
];

test.skipIf(missing !== null)(
  `bench:cluster --json prints nothing but its figures, each a number, and its bars${missing === null ? "" : ` (${missing})`}`,
  async () => {
    const { stdout } = await run(process.execPath, [program, "--json", ...FEW]);
    const { results, bars } = JSON.parse(stdout);
    expect(results.map(({ name }: { name: string }) => name)).toEqual([
      "1 worker: one conversation",
      ...["p50", "p95"].map((share) => `1 worker: event to another server, one conversation, ${share}`),
      "1 worker: 2 conversations at once",
      ...["p50", "p95"].map((share) => `1 worker: event to another server, 2 at once, ${share}`),
      ...["workers", "servers", "database"].map((where) => `1 worker: CPU of a turn, ${where}`),
      ...[1, 2].flatMap((behind) =>
        ["cairn", ...(hasRivals() ? ["checkpointer"] : [])].flatMap((who) =>
          ["database grows by", "its rows", "time"].map((what) => `${who}: a turn behind ${behind}, ${what}`),
        ),
      ),
    ]);
    const isKnown = (name: string) => process.platform === "linux" || !name.includes("CPU");
    for (const { name, value } of results) if (isKnown(name)) expect([name, value]).toEqual([name, expect.any(Number)]);
    for (const { value, unit } of results) if (unit !== "ms") expect(value).toBeGreaterThan(0);
    expect(bars).toEqual([
      {
        name: "growth of the database of a turn behind 2 turns / behind 1",
        value: expect.any(Number),
        limit: 1.3,
        ok: expect.any(Boolean),
      },
      {
        name: "rows of a turn behind 2 turns / behind 1",
        value: expect.any(Number),
        limit: 1.3,
        ok: expect.any(Boolean),
      },
    ]);
  },
  300_000,
);
