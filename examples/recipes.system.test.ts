/** Every recipe that is a program runs and prints what its page says; the servers let in only users with a session. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@cairn/testkit/store";
import { afterAll, describe, expect, it } from "vitest";

const recipes = join(import.meta.dirname, "recipes");
const scratch = mkdtempSync(join(tmpdir(), "cairn-recipes-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const PRINTED: Readonly<Record<string, readonly string[]>> = {
  "approvals.ts": ["ada refund { order: 'A1', cents: 4200 }", "A1 is refunded."],
  "callers.ts": ["You have two invoices."],
  "files-and-sources.ts": ["source: Returns", "Returns take 14 days.", "[ 'https://example.com/returns' ]"],
  "hooks-fallback-abort.ts": ["look_up done { name: 'Ada' }", "complete Ada is a customer."],
  "import-messages.ts": ["messages[0] instructions", "You are Ada."],
  "output-and-batch.ts": ["7", "essay-1 7", "essay-2 7"],
  "staff.ts": ["refunds A2", "Your order is refunded."],
  "tenant-budget.ts": ["Hello, Ada.\nhook_refused Your shop has used its budget."],
  "wire-test.ts": ["Hello, Ada. [ '/v1/messages 529', '/v1/messages 200' ]"],
  "rules-model.ts": ["Which order?", 'I found {"order":"B2","status":"on its way"}.'],
};
const SERVERS = ["mount.ts", "mount-express.ts"];

it("all of them are tried", () => {
  expect(readdirSync(recipes).toSorted()).toEqual([...Object.keys(PRINTED), ...SERVERS].toSorted());
});

it.each(Object.entries(PRINTED))("%s prints its results", (name, lines) => {
  const cwd = mkdtempSync(join(scratch, "cwd-"));
  const printed = execFileSync(process.execPath, [join(recipes, name)], { encoding: "utf8", cwd });
  for (const line of lines) expect(printed).toContain(line);
});

describe.each(SERVERS)("%s", (name) => {
  it("rejects a request without a session, and answers one with a session", async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [join(recipes, name)], {
      cwd: mkdtempSync(join(scratch, "cwd-")),
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(child, "exit");
    try {
      const list = (headers: Record<string, string>) =>
        fetch(`http://127.0.0.1:${port}/support/api/conversations`, { headers }).then(
          ({ status }) => status,
          () => null,
        );
      await expect.poll(() => list({}), { timeout: 30_000 }).toBe(401);
      expect(await list({ "x-user": "ada" })).toBe(200);
    } finally {
      child.kill();
      await ended;
    }
  });
});
