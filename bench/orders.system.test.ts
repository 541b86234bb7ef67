import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readLabelledSet } from "./orders/labelled-set.ts";
import { judgeMessages, measureOrders } from "./orders/measure-orders.ts";

const run = promisify(execFile);
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

describe("standing orders in ordinary chat", () => {
  const messages = readLabelledSet();

  test("are told from requests, statements and quotations in messages the rules were not tuned on", () => {
    const { precision, recall } = measureOrders(judgeMessages(messages.filter(({ part }) => part === "held out")));
    expect(precision).toBeGreaterThan(0.95);
    expect(recall).toBeGreaterThan(0.93);
  });

  test("are measured on hundreds of messages of every kind, in twelve languages", () => {
    expect(messages.length).toBeGreaterThan(800);
    expect(new Set(messages.map(({ text }) => text)).size).toBe(messages.length);
    expect(new Set(messages.map(({ language }) => language)).size).toBe(12);
    expect(new Set(messages.map(({ label }) => label)).size).toBe(5);
  });
});

describe("bench:orders", () => {
  test("prints the table of docs/recall.md", async () => {
    const { stdout } = await run(process.execPath, [file("orders.ts")]);
    expect(readFileSync(file("../docs/recall.md"), "utf8")).toContain(stdout.trim());
  });

  test("lists errors of the half the rules were tuned on only", async () => {
    const { stdout } = await run(process.execPath, [file("orders.ts"), "--errors"]);
    const heldOut = readLabelledSet().filter(({ part }) => part === "held out");
    for (const { text } of heldOut) expect(stdout).not.toContain(`: ${text}\n`);
  });
});
