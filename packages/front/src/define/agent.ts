/** An agent of an application, as data. `createCairn` later opens its models, skills and MCP servers. */
import type {
  AgentDefinition,
  AgentHooks,
  AgentMemory,
  Budgets,
  Caller,
  Model,
  RequestSettings,
  Skill,
  ToolPolicies,
} from "@cairn/agent";
import type { JsonObject } from "@cairn/timeline";
import type { z } from "zod";
import type { Tool } from "./tool.ts";

export interface AgentOptions<C = JsonObject> {
  readonly name: string;
  /** The system text. It must not change between requests, because every cached request begins with it. */
  readonly instructions: string;
  /** `anthropic:claude-sonnet-5`, `offline`, or any model. Default: `offline`, which needs no key and is not a language model. */
  readonly model?: string | Model;
  /** Models to use when the agent's own model fails, in order. */
  readonly fallback?: readonly (string | Model)[];
  /** Tools made with `tool` or `defineTool`, and tools of Cairn's tool packages. */
  readonly tools?: readonly Tool[];
  /** Whether the agent has the `react.*` tools: it reads its timeline, writes files, plans and notes (default: yes). */
  readonly react?: boolean;
  /** Whether the model may end a turn with a question (`ask_user`); default true. */
  readonly askUser?: boolean;
  /** Whether the model may add suggestions to its answer (`suggest_followups`); default true. */
  readonly followups?: boolean;
  /** A folder of skills, or the result of `loadSkills`. */
  readonly skills?: string | readonly Skill[];
  /** A file in the format of `.mcp.json`, or its content: MCP servers whose tools the agent may call. */
  readonly mcp?: string | JsonObject;
  /** Whether calls of a tool are allowed, refused, or need approval, by tool name or by a prefix: `{"mcp.shop.*": "ask"}`. */
  readonly policies?: ToolPolicies;
  /** A schema that validates the context of messages and gives its type. */
  readonly context?: z.ZodType<C>;
  /** A text about the caller, for the model. It is at the end of each request, in the part that is never cached. */
  readonly announce?: (caller: Caller<C>) => string;
  /** Limits of a turn and of a user, or a function that returns the limits of a caller. */
  readonly budgets?: Budgets | ((caller: Caller<C>) => Budgets | Promise<Budgets>);
  /** The application's own code before and after turns, requests and calls. */
  readonly hooks?: AgentHooks;
  /** Settings of model requests, such as the temperature. */
  readonly request?: RequestSettings;
  readonly memory?: AgentMemory;
  /** The model that writes titles of conversations. Without it, the title is the beginning of the first message. */
  readonly titles?: string | Model;
}

/** An agent whose context has any type. */
export interface Agent
  extends Omit<AgentOptions, "context" | "announce" | "budgets">,
    Pick<AgentDefinition, "context" | "announce" | "budgets"> {}

/** Defines an agent: its model, instructions and tools. `createCairn` opens it. */
export function agent<C = JsonObject>(options: AgentOptions<C>): Agent {
  // The cast is safe, because the schema checks the context before any function gets it.
  return options as Agent;
}
