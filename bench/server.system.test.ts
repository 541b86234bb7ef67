import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const program = fileURLToPath(new URL("server.ts", import.meta.url));
/** Tests every part except the measurement with a hostile tenant, which takes minutes. */
const PARTS = ["--only", "turns,followers,soak"];
const FEW = ["--turns", "2", "--conversations", "2", "--followers", "10", "--soak", "1", "--warm", "4"];

test("bench:server --json prints nothing but its figures, each a number, and the bar of the soak", async () => {
  const { stdout } = await run(process.execPath, [program, "--json", ...PARTS, ...FEW]);
  const { results, bars } = JSON.parse(stdout);
  const names = results.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["turns, 2 conversations at once", "first event, alone, median", "event delivery, 2 at once, p99"],
      ...["idle followers", "memory per follower", "memory per open conversation with its follower"],
      ...["memory per idle stream of the bare framework", "soak: memory at 80 % / at 20 %"],
    ]),
  );
  for (const { value } of results) expect(value).toEqual(expect.any(Number));
  expect(bars).toEqual([
    { name: "soak: memory at 80 % / at 20 %", value: expect.any(Number), limit: 1.1, ok: expect.any(Boolean) },
  ]);
}, 300_000);
