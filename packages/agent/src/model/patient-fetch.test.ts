import { ModelSimulator } from "@cairn/testkit/models";
import { simulatedModel } from "@cairn/testkit/turns";
import { expect, it } from "vitest";
import { countTokens, plainRequest } from "../../test/plain-request.ts";

const PLACE = Symbol.for("undici.globalDispatcher.1");
const places = globalThis as unknown as Record<symbol, { dispatch(options: object, handler: object): boolean }>;

it("a request to a model goes through the process's dispatcher, without the client's limit of 300 s", async () => {
  await fetch("data:,Node loads its client with the first request");
  const usual = places[PLACE];
  if (usual === undefined) throw new Error("There is no dispatcher.");
  const seen: object[] = [];
  const recording = {
    dispatch: (options: object, handler: object) => {
      seen.push(options);
      return usual.dispatch(options, handler);
    },
  };
  await using simulator = await ModelSimulator.start({ countTokens });
  simulator.script([{ reply: { text: "Hello." } }]);
  const model = simulatedModel(simulator.baseUrl);
  places[PLACE] = recording;
  const asked = Array.fromAsync(model.stream(plainRequest(), { signal: new AbortController().signal }));
  const parts = await asked.finally(() => {
    places[PLACE] = usual;
  });
  expect(parts).toContainEqual({ type: "text", text: "Hello." });
  expect(seen).toMatchObject([{ path: "/v1/messages", headersTimeout: 0, bodyTimeout: 0 }]);
});
