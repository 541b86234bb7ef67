/**
 * An environment for tests of the web app: the built app behind the real server on a free port, with the offline model
 * and every tool of the built-in agent, or with a simulated provider behind the real adapter. The server can be stopped
 * and started again on its port.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentDefinition, type AnyTool, defineAgent, offlineModel, reactTools } from "@cairn/agent";
import { type RunningServer, startServer } from "@cairn/server";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import type { TimelineEvent } from "@cairn/timeline";
import { buildApp } from "@cairn/web/build";
import { LOCAL_SCOPE, loadSettings, type OpenedAgent, openAgent, type Settings } from "cairn-agent/process";
import { ModelSimulator } from "../models/index.ts";
import { freePort } from "../store/servers/free-port.ts";
import { simulatedModel } from "../turns/simulated-model.ts";

export interface AppBenchOptions {
  /** `simulated` uses `bench.simulator`; `offline` is the default. */
  readonly model?: "offline" | "simulated";
  /** Milliseconds before each piece of the offline model's text. */
  readonly delayMs?: number;
  readonly contextTokens?: number;
  /** The offline model is the fallback of the simulated one. */
  readonly hasFallback?: boolean;
  /** Tools in addition to the agent's own. */
  readonly tools?: readonly AnyTool[];
  /** The environment of the server, for its settings. */
  readonly env?: Readonly<Record<string, string>>;
}

export class AppBench implements AsyncDisposable {
  readonly simulator: ModelSimulator;
  readonly #folder: string;
  readonly #options: AppBenchOptions;
  readonly #logs: string[] = [];
  #server: RunningServer | null = null;
  #opened: OpenedAgent | null = null;
  readonly #port: number;

  private constructor(folder: string, simulator: ModelSimulator, port: number, options: AppBenchOptions) {
    this.#folder = folder;
    this.simulator = simulator;
    this.#port = port;
    this.#options = options;
  }

  static async open(options: AppBenchOptions = {}): Promise<AppBench> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-app-"));
    const simulator = await ModelSimulator.start({ countTokens: (text) => Math.ceil(text.length / 4) });
    const bench = new AppBench(folder, simulator, await freePort(), options);
    await bench.start();
    return bench;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get logs(): readonly string[] {
    return this.#logs;
  }

  async start(): Promise<void> {
    const webFolder = await buildApp();
    const env = { CAIRN_PORT: String(this.#port), CAIRN_DATA_DIR: join(this.#folder, "data"), ...this.#options.env };
    const settings = await loadSettings({ cwd: this.#folder, env });
    this.#server = await startServer({
      settings: { ...settings, agents: [await this.#agent(settings, env)] } satisfies Settings,
      env,
      logTo: { write: (line: string) => this.#logs.push(line) > 0 },
      webFolder,
    });
  }

  /** Closes the server as if its machine had disappeared: pages lose their connection and cannot reconnect. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.stop();
    await this.#opened?.[Symbol.asyncDispose]();
    this.#opened = null;
  }

  /** Creates a conversation from events directly in the store, and returns its id. */
  async seed(id: string, events: readonly TimelineEvent[]): Promise<string> {
    const store: EmbeddedStore = await openEmbeddedStore({ dir: join(this.#folder, "data") });
    await store.createConversation({ ...LOCAL_SCOPE, conversation: id }, { events });
    await store.close();
    return id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.simulator.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #agent(settings: Settings, env: Readonly<Record<string, string>>): Promise<AgentDefinition> {
    const { model = "offline", delayMs = 0, contextTokens, tools = [], hasFallback = false } = this.#options;
    if (model === "simulated")
      return defineAgent({
        name: "cairn",
        instructions: "You help.",
        tools: [...reactTools(), ...tools],
        model: simulatedModel(this.simulator.baseUrl, contextTokens),
        fallback: hasFallback ? [offlineModel()] : [],
      });
    this.#opened = await openAgent(settings, env, null);
    const { gate: _, ...agent } = this.#opened.agent;
    return { ...agent, model: offlineModel({ delayMs }), tools: [...(agent.tools ?? []), ...tools] };
  }
}
