/** What an agent is: instructions, a model, tools and limits. Defined once and used by everything that runs turns. */
import type { AgentMemory } from "./agent-memory.ts";
import type { Model } from "./model/model.ts";
import type { RequestSettings } from "./model/request-settings.ts";
import { createReadTool } from "./react/read.ts";
import { describeSkills, type Skill } from "./skill/skill.ts";
import type { AnyTool } from "./tool/tool.ts";
import type { ToolPolicies } from "./tool/tool-policy.ts";

export interface UserBudget {
  /** Tokens, in and out. */
  readonly tokens?: number;
  readonly dollars?: number;
  /** The window that moves along with time, in milliseconds; counted by the minute. */
  readonly windowMs: number;
}

export interface Budgets {
  /** Decisions in one turn; 15 by default. */
  readonly iterations?: number;
  /** Tokens of one turn, in and out. */
  readonly tokens?: number;
  /** Dollars of one turn. */
  readonly dollars?: number;
  /** Milliseconds of one turn. */
  readonly elapsedMs?: number;
  /** What one user may spend in a window of time, in all conversations together. */
  readonly user?: UserBudget;
}

export interface AgentDefinition {
  readonly name: string;
  /** The system text. Nothing in it may change from request to request. */
  readonly instructions: string;
  readonly model: Model;
  /** Models that answer, in this order, when its own cannot. */
  readonly fallback?: readonly Model[];
  /** How its model is asked to answer; a message may bring other settings for its turn. */
  readonly request?: RequestSettings;
  readonly tools?: readonly AnyTool[];
  /** Which calls are made, refused or asked about, by tool id or by the beginning of ids: `{"mcp.shop.*": "ask"}`. */
  readonly policies?: ToolPolicies;
  readonly budgets?: Budgets;
  /** With a model here, a new conversation gets its title from it; without, from the first message. */
  readonly gate?: { readonly model: Model };
  readonly memory?: AgentMemory;
}

/** An agent as it is written down. */
export interface AgentSettings extends AgentDefinition {
  /** What `loadSkills` gave: the instructions name them, and `react.read` reads them at `sk:<name>`. */
  readonly skills?: readonly Skill[];
}

export function defineAgent({ skills = [], ...agent }: AgentSettings): AgentDefinition {
  if (skills.length === 0) return agent;
  const read = createReadTool(skills);
  const others = (agent.tools ?? []).filter(({ id }) => id !== read.id);
  return { ...agent, instructions: `${agent.instructions}\n\n${describeSkills(skills)}`, tools: [...others, read] };
}
