/** Tests the models that messages may ask for in addition to the agents' own models (`CAIRN_MODELS`). */
import { ModelSimulator } from "@cairn/testkit/models";
import { describe, expect, it } from "vitest";
import { ServerBench } from "../../test/server-bench.ts";

const MODEL = "anthropic:claude-sonnet-5";
const countTokens = (text: string) => Math.ceil(text.length / 4);

describe("a model that messages may ask for", () => {
  it.each([
    ["zzz", "bad_model_name"],
    [MODEL, "model_key_missing"],
  ])("stops the start when it is %s and cannot be had", async (model, code) => {
    await expect(ServerBench.open({ server: { models: [model] } })).rejects.toMatchObject({ code });
  });

  it("has its requests priced message by message, even when it is no longer configured", async () => {
    await using simulator = await ModelSimulator.start({ countTokens });
    simulator.script([{ reply: { text: "Here I am." } }]);
    const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
    const models = [MODEL];
    const server = { models };
    await using bench = await ServerBench.open({ env, server });
    const id = await bench.converse();
    await bench.say(id, "Hello", { model: MODEL });
    const priced = async () => {
      const { request, messages } = await bench.get(`/api/conversations/${id}/requests/1?wire=1`);
      return [request.model, messages.some(({ cost }: { cost: number }) => cost > 0)];
    };
    expect(await priced()).toEqual([MODEL, true]);
    models.pop();
    await bench.restart();
    expect((await bench.get("/api/meta")).models).toEqual(["offline"]);
    expect(await priced()).toEqual([MODEL, true]);
  });
});
