import { ModelSimulator } from "@cairn/testkit/models";
import { simulatedModel } from "@cairn/testkit/turns";
import { Timeline } from "@cairn/timeline";
import { Agent, type Dispatcher, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, expect, it } from "vitest";
import type { ModelRequest } from "./model.ts";

const countTokens = (text: string) => text.length;
const usual = getGlobalDispatcher();
afterAll(() => setGlobalDispatcher(usual));

it("a request to a model goes through the process's dispatcher, without the client's limit of 300 s", async () => {
  const seen: Dispatcher.DispatchOptions[] = [];
  const recording: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
    seen.push(options);
    return dispatch(options, handler);
  };
  setGlobalDispatcher(new Agent().compose(recording));
  await using simulator = await ModelSimulator.start({ countTokens });
  simulator.script([{ reply: { text: "Hello." } }]);
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
  timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", text: "Hello." }]);
  const request: ModelRequest = {
    ...{ system: "Be brief.", tools: [], view: timeline.render(), strategy: "economic", ttl: "5m", cacheKey: "c" },
    ...{ maxOutputTokens: 100, readBlob: async () => "" },
  };
  const model = simulatedModel(simulator.baseUrl);
  const parts = await Array.fromAsync(model.stream(request, { signal: new AbortController().signal }));
  expect(parts).toContainEqual({ type: "text", text: "Hello." });
  expect(seen).toMatchObject([{ path: "/v1/messages", headersTimeout: 0, bodyTimeout: 0 }]);
});
