import type { AuditLine } from "cairn-agent/process";
import { expect, it } from "vitest";
import { Refusals } from "./refusals.ts";

const refusal: AuditLine = {
  time: "2026-02-09T10:00:00Z",
  request: "r",
  method: "GET",
  route: null,
  status: 401,
  tenant: null,
  project: null,
  user: null,
  via: null,
  subject: null,
  credential: null,
  conversation: null,
  turn: null,
  consent: null,
  created: null,
};

it("a flood of unknown callers gets two lines: the first, and one that counts the others", async () => {
  const lines: AuditLine[] = [];
  const audit = { write: async (line: AuditLine) => void lines.push(line) };
  const refusals = new Refusals(audit, () => expect.unreachable(), 20);
  for (let nth = 0; nth < 10_000; nth++) await refusals.note({ ...refusal, request: `r${nth}` });
  await expect.poll(() => lines.at(-1)?.refusals).toBeGreaterThan(0);
  await expect.poll(() => lines.reduce((sum, { refusals: further }) => sum + (further ?? 1), 0)).toBe(10_000);
  expect(lines.length).toBeLessThan(1_000);
});
