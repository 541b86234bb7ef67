import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetAllUnsent, forgetUnsent, keepUnsent, readUnsent } from "./outbox.ts";
import type { Outgoing } from "./session.ts";

const message = (key: string, more: Partial<Outgoing> = {}): Outgoing => ({
  key,
  mode: "turn",
  model: null,
  reasoning: null,
  message: `message ${key}`,
  files: [],
  progress: 0,
  delay: null,
  problem: null,
  acceptedSeq: null,
  prompt: null,
  ...more,
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("an unsent message is kept by conversation, in order, each key once, until it is forgotten", () => {
  keepUnsent("a", message("1"));
  const prompt = { server: "shop", name: "greeting", arguments: { to: "Eve" } };
  keepUnsent("a", message("2", { prompt, files: [new File(["x"], "x.txt")] }));
  keepUnsent("b", message("3"));
  keepUnsent("a", message("1", { problem: "too large" }));
  expect(readUnsent("a")).toEqual([
    { key: "2", mode: "turn", model: null, reasoning: null, message: "message 2", prompt, files: 1, problem: null },
    {
      key: "1",
      mode: "turn",
      model: null,
      reasoning: null,
      message: "message 1",
      prompt: null,
      files: 0,
      problem: "too large",
    },
  ]);
  forgetUnsent("a", "1");
  forgetUnsent("a", "2");
  expect(readUnsent("a")).toEqual([]);
  expect(readUnsent("b")).toHaveLength(1);
});

test("storage that another program wrote to causes no failure", () => {
  for (const text of ["{", "null", '[{"key":1}]']) {
    localStorage.setItem("cairn.unsent.a", text);
    expect(readUnsent("a")).toEqual([]);
  }
});

test("a browser without storage still sends messages", () => {
  vi.stubGlobal("localStorage", undefined);
  keepUnsent("a", message("1"));
  expect(readUnsent("a")).toEqual([]);
});

test("the messages of a deleted conversation are removed, and those of other conversations are kept", () => {
  keepUnsent("a", message("1"));
  keepUnsent("a", message("2"));
  keepUnsent("b", message("3"));
  forgetAllUnsent("a");
  expect(readUnsent("a")).toEqual([]);
  expect(readUnsent("b")).toHaveLength(1);
});
