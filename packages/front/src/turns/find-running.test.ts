import { expect, it } from "vitest";
import { Application } from "../../test/open-application.ts";
import { agent } from "../define/agent.ts";
import { partsOf } from "../library/cairn.ts";
import { scriptedModel } from "../testing/scripted-model.ts";
import { findPlace, findRunning } from "./find-running.ts";
import { findTurn } from "./find-turn.ts";

it.each([
  ["joined", async (...[store, key]: Parameters<typeof findPlace>) => await findRunning(store, key)],
  ["found by its id", findPlace],
])("a turn that runs while it is %s is followed from before its beginning", async (_, find) => {
  const guide = agent({ name: "a", model: scriptedModel([{ say: "Yes." }]), instructions: "Help." });
  await using app = await Application.open([guide], { concurrency: 0 });
  const { store } = partsOf(app.cairn);
  const chat = app.cairn.conversation("c1");
  const run = await chat.send("Hello");
  // Another process opens the turn just after the state was read.
  const slow = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name !== "loadOutline") return typeof value === "function" ? value.bind(target) : value;
      return async (key: Parameters<typeof store.loadOutline>[0]) => {
        const loaded = await target.loadOutline(key);
        await app.another([guide]);
        await run.result;
        return loaded;
      };
    },
  });
  const key = { ...chat.scope, conversation: chat.id };
  const found = await find(slow, key, run.id);
  expect(found).toMatchObject({ turnId: run.id, message: run.message });
  expect(found?.from).toBeLessThan((await findTurn(store, key, run.id)).opened);
});
