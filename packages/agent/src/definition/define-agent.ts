/** The definition of an agent: instructions, a model, tools and limits. Everything that runs turns uses it. */
import type { Scope } from "@cairn/store";
import type { z } from "zod";
import type { Model } from "../model/model.ts";
import type { ProtocolName } from "../model/providers/provider.ts";
import type { RequestSettings } from "../model/request-settings.ts";
import type { ProtocolOffers } from "../protocol/protocol-tools.ts";
import { createReadTool, type FollowLink } from "../react/read.ts";
import { describeSkills, type Skill } from "../skill/skill.ts";
import type { AnyTool } from "../tool/tool.ts";
import type { ToolPolicies } from "../tool/tool-policy.ts";
import type { AgentMemory } from "./agent-memory.ts";
import type { Caller } from "./caller.ts";
import type { AgentHooks } from "./hooks.ts";

/** The limit on the spending of one user within a time window. */
export interface UserBudget {
  /** Maximum number of tokens, input and output. */
  readonly tokens?: number;
  readonly dollars?: number;
  /** Length of the sliding time window, in milliseconds; spending is counted by the minute. */
  readonly windowMs: number;
}

/** Limits of a turn and of its user. */
export interface Budgets {
  /** Maximum decisions in one turn; default 15. */
  readonly iterations?: number;
  /** Maximum tokens of one turn, input and output. */
  readonly tokens?: number;
  /** Maximum cost of one turn, in dollars. */
  readonly dollars?: number;
  /** Maximum duration of one turn, in milliseconds. */
  readonly elapsedMs?: number;
  /** The limit on the spending of one user within a time window, in all conversations together. */
  readonly user?: UserBudget;
}

export interface AgentDefinition {
  readonly name: string;
  /** The system text. It must not change from request to request. */
  readonly instructions: string;
  readonly model: Model;
  /** Fallback models, in order, for when the agent's own model cannot answer. */
  readonly fallback?: readonly Model[];
  /** Settings of the agent's model requests; a message may override them for its turn. */
  readonly request?: RequestSettings;
  readonly tools?: readonly AnyTool[];
  /**
   * Finds more tools when a turn starts: tools that depend on the user or that change over time, such as those of MCP
   * servers. The turn keeps the tools that were found until it ends.
   */
  readonly findTools?: (owner: Scope, signal: AbortSignal) => Promise<readonly AnyTool[]>;
  /** How models call tools: with the provider's tool calls (`native`) or in text. Default: as the model requires. */
  readonly protocol?: ProtocolName;
  /** The tools `ask_user` and `suggest_followups`, with which a turn ends. Default: the model may call both. */
  readonly offers?: ProtocolOffers;
  /** Policies by tool id or prefix, such as `{"mcp.shop.*": "ask"}`: allow a call, refuse it, or ask a person. */
  readonly policies?: ToolPolicies;
  /** The limits, or a function that returns a caller's limits each time that a process begins or continues a turn. */
  readonly budgets?: Budgets | ((caller: Caller) => Budgets | Promise<Budgets>);
  /** Checks the context that comes with a message, before it is accepted. Without this schema, any object is valid. */
  readonly context?: z.ZodType;
  /**
   * A text about the caller for the model. It is in the announcement at the end of each request, which no provider
   * caches, so it may differ from request to request.
   */
  readonly announce?: (caller: Caller) => string;
  /** The application's own code before and after turns, requests and calls. */
  readonly hooks?: AgentHooks;
  /** The model that writes titles of new conversations. Without it, a title is the beginning of the first message. */
  readonly gate?: { readonly model: Model };
  readonly memory?: AgentMemory;
}

interface AgentSettings extends AgentDefinition {
  /** The result of `loadSkills`. The instructions name the skills, and `react.read` reads them at `sk:<name>`. */
  readonly skills?: readonly Skill[];
  /** Reads sources whose content is not stored in the conversation, for `react.read`. */
  readonly followLink?: FollowLink | undefined;
}

export function defineAgent({ skills = [], followLink, ...agent }: AgentSettings): AgentDefinition {
  if (skills.length === 0) return agent;
  const read = createReadTool(skills, followLink);
  const others = (agent.tools ?? []).filter(({ id }) => id !== read.id);
  return { ...agent, instructions: `${agent.instructions}\n\n${describeSkills(skills)}`, tools: [...others, read] };
}
