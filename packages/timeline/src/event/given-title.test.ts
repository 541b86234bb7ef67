import { describe, expect, it } from "vitest";
import { foldEvents } from "../state/apply.ts";
import { emptyView } from "../view/conversation-view.ts";
import { viewEvents } from "../view/view-event.ts";
import { makeEvent } from "./codec.ts";
import type { TimelineEvent } from "./event.ts";

const ts = "2026-02-09T10:00:00Z";
const byPerson = (title: string) => makeEvent("title.given", { key: title, ts, title });
const byAgent = (title: string, replaces: string | null) =>
  makeEvent("title.given", { key: title, ts, title, replaces });

describe("a given title", () => {
  it.each<[string, TimelineEvent[], string]>([
    ["replaces the one before it when a person gives it", [byPerson("a"), byPerson("b")], "b"],
    ["replaces the one that the agent knew", [byAgent("prompt", null), byAgent("found", "prompt")], "found"],
    ["stays when the agent finds another", [byAgent("prompt", null), byPerson("a"), byAgent("found", "prompt")], "a"],
    ["stays when the agent knew of none", [byPerson("a"), byAgent("prompt", null)], "a"],
    ["replaces one of an older journal", [makeEvent("meta.set", { conversation_title: "old" }), byPerson("a")], "a"],
    ["is replaced in an older journal", [byPerson("a"), makeEvent("meta.set", { conversation_title: "old" })], "old"],
  ])("%s, in the state and in the view", (_, events, title) => {
    expect(foldEvents(events).meta.conversation_title).toBe(title);
    const numbered = events.map((event, index) => ({ seq: index + 1, event }));
    expect(viewEvents(numbered, emptyView()).title).toBe(title);
  });

  it("changes nothing else, and no attempt at a turn", () => {
    const before = [
      makeEvent("turn.opened", { turn_id: "turn_1", ts }),
      makeEvent("turn.attempted", { turn_id: "turn_1", ts, by: "a" }),
    ];
    const { attempts, openTurn } = foldEvents([...before, byPerson("a")]);
    expect([attempts, openTurn]).toEqual([{ turn_id: "turn_1", by: ["a"] }, "turn_1"]);
  });
});
