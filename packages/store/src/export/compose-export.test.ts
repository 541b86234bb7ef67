import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import { expect, it } from "vitest";
import { composeExport } from "./compose-export.ts";

const TS = "2026-02-09T10:00:00.000Z";
const TURNS = 50;

/** Turns with two events, and the beginning of one more. Counts how often the kind of an event is read. */
function conversation() {
  const reads = { count: 0 };
  const watched = (event: TimelineEvent) =>
    new Proxy(event, {
      get: (target, name) => {
        if (name === "kind") reads.count++;
        return Reflect.get(target, name);
      },
    });
  const events = Array.from({ length: TURNS }, (_, n) => [
    makeEvent("turn.opened", { turn_id: `turn_${n}`, ts: TS }),
    makeEvent("turn.closed", { turn_id: `turn_${n}`, exit: "complete", ts: TS }),
  ]).flat();
  const open = makeEvent("turn.opened", { turn_id: "open", ts: TS });
  return { reads, events: [...events, open].map(watched) };
}

it("each turn is one batch, and the work grows only with the number of events", () => {
  const { reads, events } = conversation();
  const lines = [...composeExport({ at: 0, attributes: {}, events, blobs: new Map() })]
    .map((bytes) => JSON.parse(Buffer.from(bytes).toString("utf8")))
    .filter(({ seq }) => seq !== undefined);
  expect(lines.map(({ batch_end }) => batch_end)).toEqual(
    events.map((_, index) => Math.min(index - (index % 2) + 2, events.length)),
  );
  expect(reads.count).toBeLessThanOrEqual(2 * events.length);
});
