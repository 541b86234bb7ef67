/** Tests the offline model on everyday requests: its decisions on views that a real timeline renders. */
import { make } from "@cairn/testkit/conversation";
import { describe, expect, it } from "vitest";
import { ALL_TOOLS, Desk } from "../../test/offline-desk.ts";
import { decideOffline } from "./decide-offline.ts";
import { readView } from "./read-view.ts";

/** The first line of an answer on a day that the runtime announces. */
function askedOn(day: string, question: string): string {
  const { timeline } = new Desk();
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", question)]);
  timeline.announce([{ type: "react.announce", text: `time_utc: ${day}T16:45:00.000Z` }]);
  const view = readView(timeline.render({ includeSources: true, includeAnnounce: true }));
  const input = { documents: new Map(), offered: new Set<string>(), place: null, listing: null };
  return decideOffline({ ...input, timeline: view }).text.split("\n")[0] ?? "";
}

describe("sums, dates and units", () => {
  it("dates are counted from the date that the runtime announces", () => {
    expect(askedOn("2026-11-19", "How many days until Christmas?")).toBe("2026-12-25 − 2026-11-19 = 36 days");
    expect(askedOn("unknown", "How many days until Christmas?")).toBe("I do not know the time here.");
  });

  it("units are converted, and money is not", async () => {
    const desk = new Desk(ALL_TOOLS);
    expect((await desk.say("Convert 10 miles to km")).text).toMatch(/^10 mi = 16\.09344 km\n/);
    const { text, calls } = await desk.say("Convert 100 dollars to euros");
    expect(text).toBe(
      "100 $: I have no exchange rates, because they change daily. Look up the rate and ask me to multiply by it.",
    );
    expect(calls).toEqual([]);
  });
});
