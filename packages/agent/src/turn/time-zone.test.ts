import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";

const said = (key: string, time_zone: unknown) =>
  makeEvent("input.received", {
    ...{ key, mode: "turn", message: "What time is it?", attachments: [], ts: "2026-02-09T10:00:00Z" },
    ...(time_zone === undefined ? {} : { time_zone }),
  });

it("announces the time where the person of the last message is, and the operator's zone when it does not say", async () => {
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
