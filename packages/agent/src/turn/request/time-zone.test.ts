import { callOf, TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";

const said = (key: string, time_zone: unknown) =>
  makeEvent("input.received", {
    key,
    mode: "turn",
    message: "What time is it?",
    attachments: [],
    ts: "2026-02-09T10:00:00Z",
    ...(time_zone === undefined ? {} : { time_zone }),
  });

it("announces the time in the zone of the last message, and in the operator's zone if it names none", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { text: "Look." }, times: Number.POSITIVE_INFINITY }]);
  const shown: (string | undefined)[] = [];
  for (const [nth, zone] of ["Asia/Tokyo", undefined, "Atlantis/Capital", 7, "Europe/Berlin"].entries()) {
    await bench.append(said(`k${nth}`, zone));
    await bench.run({ timeZone: "UTC" });
    const tail = bench.simulator.requests.at(-1)?.request?.texts.join("\n") ?? "";
    shown.push(/time_user: \S+ \S+ (\S+)/.exec(tail)?.[1]);
  }
  expect(shown).toEqual(["Asia/Tokyo", "UTC", "UTC", "UTC", "Europe/Berlin"]);
});

it("announces the time of the last message even if its turn was compacted", async () => {
  await using bench = await TurnBench.open();
  await bench.append(said("k", "Asia/Tokyo"));
  const write = (nth: number) => callOf("react.write", { path: `${nth}.md`, content: `${nth} `.repeat(2_000) });
  bench.simulator.script([
    ...[1, 2, 3, 4, 5, 6].map((nth) => ({ reply: write(nth) })),
    { reply: { fault: "context_limit" as const } },
    { when: (request) => request.lastText.includes("Summarise"), reply: { text: "Goal: the time." }, times: 2 },
    { reply: write(7) },
    { reply: { text: "Done." } },
  ]);
  await bench.run({ timeZone: "UTC" });
  const types = await bench.types();
  expect(types[0]).toBe("conv.range.summary");
  expect(types).not.toContain("user.prompt");
  const tail = bench.simulator.requests.at(-1)?.request?.texts.join("\n") ?? "";
  expect(/time_user: \S+ \S+ (\S+)/.exec(tail)?.[1]).toBe("Asia/Tokyo");
});
