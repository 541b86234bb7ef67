/** Tests what an AI SDK client receives of a turn. */
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { foldMessage } from "./fold-message.ts";
import { TurnWriter } from "./turn-writer.ts";

const TS = "2026-02-09T10:00:00.000Z";
const TURN = "turn_1";
const CALL = { turn_id: TURN, call_id: "c1", tool_id: "shop.order" };

/** The writer, and the message that a client makes of a turn with one call and these events about it. */
function messageOf(...events: readonly TimelineEvent[]) {
  const text = JSON.stringify({ tool_id: "shop.order", tool_call_id: "c1", params: { what: "shirt" }, ts: TS });
  const block = {
    type: "react.tool.call",
    author: "react",
    turn_id: TURN,
    path: `tc:${TURN}.c1.call`,
    mime: "application/json",
    text,
    meta: { tool_call_id: "c1", iteration: 0 },
  };
  const called = [
    makeEvent("turn.opened", { turn_id: TURN, ts: TS }),
    makeEvent("block.appended", { position: 0, version: 1, tokens: 1, block }),
  ];
  const writer = new TurnWriter({ turnId: TURN, sources: [], conversation: "c", prefix: "" });
  const chunks = [...called, ...events].flatMap((event, index) =>
    writer.take({ type: "event", stored: { seq: index + 1, stored_at: 0, event } }),
  );
  const { parts = [] } = foldMessage(TURN, chunks) ?? {};
  return { writer, parts, call: parts.find(({ type }) => type === "tool-shop.order") };
}

it("a question of a call is data, needs no approval, and leaves the input of the call as it is", () => {
  const question = { message: "Which size?", form: { type: "object", properties: { size: { type: "string" } } } };
  const { writer, parts, call } = messageOf(
    makeEvent("call.started", { ...CALL, params: { what: "shirt" }, ts: TS }),
    makeEvent("approval.requested", { ...CALL, ts: TS, hash: "h1", question, asking: 1 }),
  );
  expect(parts).toContainEqual({
    type: "data-question",
    id: "c1",
    data: { call_id: "c1", hash: "h1", ...question },
  });
  expect(call).toMatchObject({ state: "input-available", input: { what: "shirt" } });
  expect(writer.waitIfAsked().at(-1)).toMatchObject({ type: "finish", messageMetadata: { exit: "waiting" } });
});

it("a call shows the input that its approver wrote, and not that of a refused or outdated answer", () => {
  const asked = makeEvent("approval.requested", { ...CALL, params: { what: "shirt" }, ts: TS, hash: "h1" });
  const given = { key: "approval-c1", call_id: "c1", approve: true, ts: TS, hash: "h1", params: { what: "hat" } };
  const inputAfter = (more: object) => messageOf(asked, makeEvent("approval.given", { ...given, ...more })).call?.input;
  expect(inputAfter({})).toEqual({ what: "hat" });
  expect(inputAfter({ approve: false })).toEqual({ what: "shirt" });
  expect(inputAfter({ hash: "h0" })).toEqual({ what: "shirt" });
});
