import { cancelTurn, liveEvents, readMeta, renameConversation } from "@cairn/api";
import { expect, test } from "vitest";
import { checkAnswer } from "./call.ts";
import { readAs } from "./check.ts";

const conversation = {
  conversation_id: "c1",
  title: null,
  agent: null,
  created_at: "",
  last_activity_at: "",
  status: "idle",
  last_seq: 1,
};

test("fields and values that this page does not know pass, as a newer server may send them", () => {
  const newer = { ...conversation, status: "dreaming", mood: "fine" };
  expect(checkAnswer(renameConversation, 200, newer)).toBe(newer);
  const delta = { stream: "s", turn_id: null, kind: "singing", offset: 0, text: "la" };
  expect(readAs(liveEvents["stream.delta"], delta)).toBe(delta);
});

test("a missing field, another type and a status without a schema are errors", () => {
  const { last_seq: _, ...less } = conversation;
  for (const body of [less, { ...conversation, title: 7 }, [], null])
    expect(() => checkAnswer(renameConversation, 200, body)).toThrow("The server's answer is not valid");
  expect(() => checkAnswer(cancelTurn, 200, { seq: 1 })).toThrow("status 200");
  expect(() => checkAnswer(readMeta, 200, { version: "1" })).toThrow('"agents"');
  expect(readAs(liveEvents.progress, { call_id: "tc_1" })).toBeNull();
});
