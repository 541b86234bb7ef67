/** Tests messages that are withdrawn while a worker is about to take them. */
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";

const withdrawn = (message: string) =>
  makeEvent("input.withdrawn", { key: `withdraw-${message}`, ts: "2026-02-09T10:00:00Z", messages: [message] });

/** The store of the bench, in which `message` is withdrawn while an attachment is read. */
function withdrawingStore(bench: TurnBench, message: string) {
  return new Proxy(bench.store, {
    get: (store, name) => {
      if (name === "readBlob")
        return async function* (...given: Parameters<typeof store.readBlob>) {
          yield* store.readBlob(...given);
          await bench.append(withdrawn(message));
        };
      const value = Reflect.get(store, name);
      return typeof value === "function" ? value.bind(store) : value;
    },
  });
}

it("a message that is withdrawn while its attachment is examined opens no turn, and the next message does", async () => {
  await using bench = await TurnBench.open();
  await bench.attach("a.txt", "text/plain", "The bridge is high.");
  await bench.say("First");
  await bench.say("Second");
  bench.simulator.script([{ reply: { text: "Done." } }]);
  const outcome = await bench.run({ store: withdrawingStore(bench, "input-1") });
  expect(outcome).toMatchObject({ status: "ended", end: { exit: "complete" } });
  const prompts = (await bench.blocks()).filter(({ type }) => type === "user.prompt");
  expect(prompts.map(({ text }) => text)).toEqual([expect.stringContaining("Second")]);
  expect(bench.simulator.requests).toHaveLength(1);
});

it("a conversation whose only message is withdrawn is idle", async () => {
  await using bench = await TurnBench.open();
  await bench.attach("a.txt", "text/plain", "The bridge is high.");
  await bench.say("First");
  expect(await bench.run({ store: withdrawingStore(bench, "input-1") })).toEqual({ status: "idle" });
  expect(await bench.blocks()).toEqual([]);
  expect((await bench.store.load(bench.key)).state.attempts).toBeNull();
});

it("a steering message that is withdrawn while its attachment is examined does not reach the turn", async () => {
  await using bench = await TurnBench.open();
  await bench.say("First");
  await bench.attach("a.txt", "text/plain", "The bridge is high.");
  await bench.say("Second", "steer");
  bench.simulator.script([{ reply: { text: "Done." } }]);
  await bench.run({ store: withdrawingStore(bench, "input-2") });
  const prompts = (await bench.blocks()).filter(({ type }) => type.startsWith("user."));
  expect(prompts.map(({ text }) => text)).toEqual([expect.stringContaining("First")]);
  expect(bench.simulator.requests).toHaveLength(1);
});
