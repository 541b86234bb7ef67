/** The agents a server runs, and the models a turn may have them use. */
import { type AgentDefinition, type Model, resolveModel } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import { type OpenedAgent, openAgent } from "../config/open-agent.ts";
import type { Settings } from "../config/settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export class Agents {
  readonly #agents: ReadonlyMap<string, AgentDefinition>;
  readonly #opened: readonly OpenedAgent[];
  readonly #models: readonly string[];
  readonly #env: Environment;
  readonly #resolved = new Map<string, Promise<Model>>();

  private constructor(opened: readonly OpenedAgent[], models: readonly string[], env: Environment) {
    this.#agents = new Map(opened.map(({ agent }) => [agent.name, agent]));
    this.#opened = opened;
    this.#models = models;
    this.#env = env;
  }

  /** Resolves every agent, so that a wrong one stops the start and not a turn. */
  static async load(settings: Settings, env: Environment): Promise<Agents> {
    const names = settings.agents.length === 0 ? [null] : settings.agents.map(({ name }) => name);
    const opened = await Promise.all(names.map((name) => openAgent(settings, env, name)));
    return new Agents(opened, settings.server.models, env);
  }

  /** What does not work though it was asked for, a sentence each. */
  get problems(): readonly string[] {
    return this.#opened.flatMap(({ problems }) => problems);
  }

  /** Ends what the agents' tools have started. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map((opened) => opened[Symbol.asyncDispose]()));
  }

  get all(): readonly AgentDefinition[] {
    return [...this.#agents.values()];
  }

  /** The one that is named, or the first. Throws `bad_agent`. */
  find(name: string | null): AgentDefinition {
    const agent = name === null ? this.all[0] : this.#agents.get(name);
    if (agent !== undefined) return agent;
    const known = [...this.#agents.keys()].join(", ");
    throw new CairnError("bad_agent", `There is no agent ${JSON.stringify(name)}; there are ${known}.`);
  }

  /** Those a message may ask for: the agents' own, and those that are set. */
  get models(): readonly string[] {
    return [...new Set([...this.all.map(({ model }) => model.id), ...this.#models])];
  }

  /** Throws `bad_model` for one that no message may ask for. */
  checkModel(model: string): void {
    if (this.models.includes(model)) return;
    throw new CairnError("bad_model", `A message may not ask for the model ${JSON.stringify(model)}.`, {
      models: this.models,
    });
  }

  async withModel(agent: AgentDefinition, model: string): Promise<AgentDefinition> {
    if (agent.model.id === model) return agent;
    this.checkModel(model);
    const other = this.all.find((each) => each.model.id === model);
    if (other !== undefined) return { ...agent, model: other.model };
    const resolving = this.#resolved.get(model) ?? resolveModel(model, this.#env);
    this.#resolved.set(model, resolving);
    return { ...agent, model: await resolving };
  }
}
