/** An AI SDK client over real sockets to a server that talks to a simulated provider. */
import { Chat } from "@ai-sdk/react";
import { defineAgent, defineTool, reactTools, resolveModel } from "@cairn/agent";
import { ModelSimulator, type Step } from "@cairn/testkit/models";
import { execReport } from "@cairn/timeline";
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from "ai";
import { tool } from "cairn-agent";
import { z } from "zod";
import { ServerBench } from "./server-bench.ts";
import { order } from "./simulated-server.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

export const find = defineTool({
  id: "shop.find",
  description: "Finds a source.",
  params: z.object({ what: z.string() }),
  run: async () => (scribe) => {
    scribe.mergeSources([{ source_type: "web", url: "https://example.com/a", title: "A" }]);
    scribe.result("found", "text/plain");
  },
});
/** The blocks of a call of a program that ended with an error. The call itself settles as ok. */
const run = defineTool({
  id: "exec_tools.execute_code_python",
  description: "Runs.",
  params: z.object({}),
  run: async () => (scribe) => {
    const runtime_error = { code: "execution_failed", message: "ValueError: no tea" };
    scribe.result(execReport({ runtime_error, log: "Boiling." }), "text/markdown");
  },
});
/** The blocks of a fetch with one missing page. */
const fetchPages = defineTool({
  id: "web_tools.web_fetch",
  description: "Fetches.",
  params: z.object({}),
  run: async () => (scribe) => {
    const error = { code: "http_error", message: "The server answered 404." };
    const pages = { "https://a.example": { sid: 1, content: "Tea." }, "https://b.example": { error } };
    scribe.result(JSON.stringify(pages), "application/json");
  },
});

const place = tool({ name: "page.place", description: "Where the user is.", input: z.object({ exact: z.boolean() }) });

/** The tool `shop.hold` runs until the test resolves this promise. */
export const gate = { held: Promise.withResolvers<void>() };
const hold = defineTool({
  id: "shop.hold",
  description: "Waits.",
  params: z.object({}),
  run: async () => {
    await gate.held.promise;
    return { ok: true, ret: {} };
  },
});

type Provider = readonly [model: string, prefix: string];
export const ANTHROPIC: Provider = ["anthropic:claude-sonnet-5", "ANTHROPIC"];
export const OPENAI: Provider = ["openai:gpt-6.1-sol", "OPENAI"];

export async function open([name, prefix]: Provider, steps: readonly Step[]) {
  const simulator = await ModelSimulator.start({ countTokens });
  simulator.script(steps);
  const env = { [`${prefix}_API_KEY`]: "test", [`${prefix}_BASE_URL`]: simulator.baseUrl };
  const model = await resolveModel(name, env);
  const tools = [...reactTools(), find, order, run, fetchPages, hold, place];
  const bench = await ServerBench.open({
    agents: [defineAgent({ name: "test", instructions: "You help.", model, tools })],
  });
  return {
    bench,
    simulator,
    /** A client in the state of a page with these messages. */
    chat: (id: string, messages: UIMessage[] = [], body: object = {}) =>
      new Chat<UIMessage>({
        id,
        messages,
        transport: new DefaultChatTransport({ api: `${bench.address}/api/chat`, body }),
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      }),
    [Symbol.asyncDispose]: async () => {
      await bench[Symbol.asyncDispose]();
      await simulator.close();
    },
  };
}

export const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
export const textOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []));
export const reasoningOf = (message: UIMessage | undefined) =>
  (message?.parts ?? []).flatMap((part) => (part.type === "reasoning" ? [part.text] : []));
export const typesOf = (message: UIMessage | undefined) => (message?.parts ?? []).map(({ type }) => type);
