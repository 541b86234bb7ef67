/**
 * A server on a real socket that speaks the providers' APIs and answers from a script.
 *
 * One simulator speaks all APIs, each at its own path. Clients use `baseUrl` instead of the provider's address. The
 * simulator rejects requests that the provider would reject, and bills by a prompt cache with the provider's rules. If
 * no step of the script fits, it returns status 500 with an error that is not a provider's.
 *
 *     await using model = await ModelSimulator.start();
 *     model.script([
 *       { reply: { calls: [{ name: "search", input: { q: "x" } }] } },
 *       { when: ({ toolResults }) => toolResults.length > 0, reply: { text: "Found." } },
 *     ]);
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@cairn/timeline";
import { PromptCache } from "./cache/prompt-cache.ts";
import { Exchange } from "./exchange.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { Script, type Step } from "./script/script.ts";
import type { SimulatorOptions } from "./simulator-options.ts";

function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

export class ModelSimulator {
  /** Replaces `https://api.anthropic.com/v1` or `https://api.openai.com/v1` in clients. */
  readonly baseUrl: string;
  readonly #server: Server;
  readonly #script: Script;
  readonly #requests: RecordedRequest[];

  private constructor(server: Server, script: Script, requests: RecordedRequest[]) {
    this.#server = server;
    this.#script = script;
    this.#requests = requests;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  static async start(given: SimulatorOptions = {}): Promise<ModelSimulator> {
    const options = { countTokens: estimateTokens, ...given };
    const script = new Script();
    const requests: RecordedRequest[] = [];
    const stored = new Map<string, JsonObject>();
    const state = { options, script, requests, stored, cache: new PromptCache() };
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      new Exchange(state, request, response).run().catch((error: Error) => response.destroy(error));
    });
    // Never closes an idle connection, because a busy client in the same process might write to a closed one.
    server.keepAliveTimeout = 0;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new ModelSimulator(server, script, requests);
  }

  /** Adds steps after the remaining ones. */
  script(steps: readonly Step[]): void {
    this.#script.add(steps);
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests;
  }

  /** Names of steps that no request has used. */
  get remaining(): readonly string[] {
    return this.#script.remaining;
  }

  /** Closes every connection, even those that are stalled on purpose. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
