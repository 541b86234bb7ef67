/** The agents of a process, and the models that a turn may use. */
import { type AgentDefinition, type Model, resolveModel } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { PeoplesServer } from "@cairn/tools/mcp";
import { type OpenedAgent, openAgent } from "../built-in/open-agent.ts";
import type { OpenedStore } from "../data/open-store.ts";
import type { Settings } from "../settings/settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export class Agents {
  readonly #agents: ReadonlyMap<string, AgentDefinition>;
  readonly #opened: readonly OpenedAgent[];
  /** The configured models, by the name in the configuration. */
  readonly #models: ReadonlyMap<string, Model>;

  /** Whether the list leaves out agents that the caller may not use. */
  readonly isLimited: boolean;

  private constructor(opened: readonly OpenedAgent[], models: ReadonlyMap<string, Model>, isLimited = false) {
    this.#agents = new Map(opened.map(({ agent }) => [agent.name, agent]));
    this.#opened = opened;
    this.#models = models;
    this.isLimited = isLimited;
  }

  /** Makes the agents of an application. `models` are further models that a message may ask for. */
  static of(opened: readonly OpenedAgent[], models: ReadonlyMap<string, Model> = new Map()): Agents {
    return new Agents(opened, models);
  }

  /** Resolves every agent and model, so that a wrong name makes the start fail and not a turn. */
  static async load(settings: Settings, env: Environment, store: OpenedStore): Promise<Agents> {
    const models = new Map<string, Model>();
    for (const name of settings.server.models) models.set(name, await resolveModel(name, env));
    const names = settings.agents.length === 0 ? [null] : settings.agents.map(({ name }) => name);
    const opened = await Promise.all(names.map((name) => openAgent(settings, env, name, { store })));
    return new Agents(opened, models);
  }

  /** The agents that a caller may use. The first of them is the caller's default. */
  only(names: readonly string[]): Agents {
    const opened = this.#opened.filter(({ agent }) => names.includes(agent.name));
    return new Agents(opened, this.#models, true);
  }

  /** Configured parts that do not work, one sentence each. */
  get problems(): readonly string[] {
    return this.#opened.flatMap(({ problems }) => problems);
  }

  /** Ends processes and connections that the agents' tools have started. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map((opened) => opened[Symbol.asyncDispose]()));
  }

  get all(): readonly AgentDefinition[] {
    return [...this.#agents.values()];
  }

  /** The MCP servers of all agents, for display and logins. Agents that configure the same server share it. */
  get mcpServers(): readonly PeoplesServer[] {
    const servers = this.#opened.flatMap(({ mcpServers = [] }) => mcpServers);
    return servers.filter(({ name }, nth) => servers.findIndex((each) => each.name === name) === nth);
  }

  /** Throws `not_found`. */
  mcpServer(name: string): PeoplesServer {
    const server = this.mcpServers.find((each) => each.name === name);
    if (server !== undefined) return server;
    throw new CairnError("not_found", `No MCP server is configured as ${JSON.stringify(name)}.`);
  }

  /** The named agent, or the first. Throws `bad_agent`, or `forbidden` for a caller who may not use it. */
  find(name: string | null): AgentDefinition {
    const agent = name === null ? this.all[0] : this.#agents.get(name);
    if (agent !== undefined) return agent;
    const known = [...this.#agents.keys()].join(", ");
    if (this.isLimited)
      throw new CairnError(
        "forbidden",
        name === null
          ? "You may not use any agent of this application."
          : `You may not use the agent ${JSON.stringify(name)}. Agents that you may use: ${known || "none"}.`,
        { agent: name },
      );
    throw new CairnError("bad_agent", `There is no agent ${JSON.stringify(name)}. Known agents: ${known}.`);
  }

  /** Models that a message may ask for: the agents' own, and the configured ones. */
  get models(): readonly string[] {
    return [...new Set([...this.all.map(({ model }) => model.id), ...this.#models.keys()])];
  }

  /** Throws `bad_model` for a model that no message may ask for. */
  checkModel(model: string): void {
    if (this.models.includes(model)) return;
    throw new CairnError(
      "bad_model",
      `A message may not ask for the model ${JSON.stringify(model)}. GET /api/meta lists the models it may ask for.`,
      { models: this.models },
    );
  }

  /** The agent with the named model in place of its own model. Throws `bad_model`. */
  withModel(agent: AgentDefinition, name: string): AgentDefinition {
    if (agent.model.id === name) return agent;
    this.checkModel(name);
    const model = this.modelNamed(name);
    return model === null ? agent : { ...agent, model };
  }

  /** The named model: an agent's own or a configured one. Null if this process has no model of this name. */
  modelNamed(name: string): Model | null {
    const own = this.all.flatMap(({ model, fallback = [] }) => [model, ...fallback]);
    return own.find(({ id }) => id === name) ?? this.#models.get(name) ?? null;
  }
}
