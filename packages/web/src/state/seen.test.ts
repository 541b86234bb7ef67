import type { ListedConversation } from "@cairn/api";
import { expect, it } from "vitest";
import { endedTurns } from "./seen.ts";

const listed = (id: string, status: ListedConversation["status"]): ListedConversation => ({
  conversation_id: id,
  title: id,
  agent: null,
  created_at: "t",
  last_activity_at: "t",
  status,
  last_seq: 1,
});

it("finds conversations whose turn ended or asks something, and none that still works or was idle before", () => {
  const before = [listed("a", "running"), listed("b", "queued"), listed("c", "running"), listed("d", "idle")];
  const after = [listed("a", "idle"), listed("b", "waiting"), listed("c", "running"), listed("d", "idle")];
  expect(endedTurns(before, [...after, listed("e", "idle")]).map(({ title }) => title)).toEqual(["a", "b"]);
});
