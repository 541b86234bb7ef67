import { runs } from "@cairn/testkit/runs";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import fc from "fast-check";
import { expect, test } from "vitest";

/** Properties of the event stream that `follow.ts` needs. */
function parse(chunks: readonly string[]): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  for (const chunk of chunks) parser.feed(chunk);
  return events;
}

test("an event has its name, its data and its own id", () => {
  expect(parse(['id: 7\nevent: block.appended\ndata: {"seq":7}\n\n'])).toEqual([
    { event: "block.appended", data: '{"seq":7}', id: "7" },
  ]);
});

test("an id belongs to the event that carried it, so that live text never moves the place to resume from", () => {
  const [first, second] = parse(["id: 7\ndata: a\n\nevent: stream.delta\ndata: b\n\n"]);
  expect([first?.id, second?.id]).toEqual(["7", undefined]);
});

test("comments are ignored, data lines are joined, and an event without data is not reported", () => {
  expect(parse([": heartbeat\n\ndata: a\ndata:b\ndata\n\nevent: x\n\n"])).toEqual([
    { event: undefined, data: "a\nb\n", id: undefined },
  ]);
});

test("an incomplete event is not reported", () => {
  expect(parse(["data: a\n"])).toEqual([]);
});

test("a stream gives the same events however it is split", () => {
  const line = fc.oneof(
    fc.constantFrom("data: x", "data", "event: e", "id: 3", ": beat", "", "", "other: y", "data:  two"),
    fc.string().map((text) => `data:${text.replace(/[\r\n]/g, "")}`),
  );
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")))
    .map((lines) => lines.map(([text, end]) => text + end).join(""));
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const chunks = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
      expect(parse([...chunks, "\n"])).toEqual(parse([`${text}\n`]));
    }),
    { numRuns: runs },
  );
});
