/** Checks the definition of an agent, so that a misspelt option is not ignored. */
import {
  type AgentHooks,
  type AgentMemory,
  type Budgets,
  type RequestSettings,
  readRequestSettings,
  TOOL_POLICIES,
  type ToolPolicies,
  writeRequestSettings,
} from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { Agent } from "../define/agent.ts";
import { checkOptions, type OptionKinds } from "../define/check-options.ts";

const AGENT: OptionKinds<Agent> = {
  name: "text",
  instructions: "text",
  model: ["text", "object"],
  fallback: "list",
  tools: "list",
  react: "flag",
  askUser: "flag",
  followups: "flag",
  skills: ["text", "list"],
  mcp: ["text", "object"],
  policies: "object",
  context: "schema",
  announce: "function",
  budgets: ["object", "function"],
  hooks: "object",
  request: "object",
  memory: "object",
  titles: ["text", "object"],
};

const HOOKS: OptionKinds<AgentHooks> = {
  beforeTurn: "function",
  afterTurn: "function",
  beforeRequest: "function",
  afterRequest: "function",
  beforeTool: "function",
  afterTool: "function",
  timeoutMs: "limit",
};

const BUDGETS: OptionKinds<Budgets> = {
  iterations: "limit",
  tokens: "limit",
  dollars: "limit",
  elapsedMs: "limit",
  user: "object",
};

const USER_BUDGETS: OptionKinds<NonNullable<Budgets["user"]>> = {
  tokens: "limit",
  dollars: "limit",
  windowMs: "limit",
};

const REQUEST: OptionKinds<RequestSettings> = {
  temperature: "number",
  topP: "number",
  stop: "list",
  seed: "number",
  maxOutputTokens: "number",
  toolChoice: ["text", "object"],
  reasoning: "object",
  providerOptions: "object",
};

const REASONING: OptionKinds<NonNullable<RequestSettings["reasoning"]>> = { effort: "text", budgetTokens: "number" };

const MEMORY: OptionKinds<AgentMemory> = {
  session: "object",
  prune: "text",
  ttl: "text",
  strategy: "text",
  tailOrder: "text",
  cache: "object",
  standingOrders: "text",
};

/** Throws `bad_agent`, which names the agent and the option. */
export function checkAgent(given: Agent): void {
  const name: unknown = given?.name;
  if (typeof name !== "string" || name === "") throw new CairnError("bad_agent", "An agent needs a `name`.");
  const of = `the agent ${name}`;
  checkOptions(given, AGENT, of, "bad_agent");
  const { instructions, model, fallback = [], titles, hooks, budgets, policies, request, memory } = given;
  if (instructions === undefined) throw new CairnError("bad_agent", `The agent ${name} needs \`instructions\`.`);
  for (const each of [model, ...fallback, titles]) checkModel(of, each);
  if (hooks !== undefined) checkOptions(hooks, HOOKS, `\`hooks\` of ${of}`, "bad_agent");
  if (typeof budgets === "object") checkBudgets(of, budgets);
  if (policies !== undefined) checkPolicies(of, policies);
  if (request !== undefined) checkRequest(of, request);
  if (memory !== undefined) checkOptions(memory, MEMORY, `\`memory\` of ${of}`, "bad_agent");
}

/** The budgets. If they are a function, the budgets that it returns are checked, too. */
export function checkedBudgets(agent: string, given: NonNullable<Agent["budgets"]>): NonNullable<Agent["budgets"]> {
  if (typeof given !== "function") return given;
  return async (caller) => {
    const budgets = await given(caller);
    checkBudgets(`the agent ${agent}`, budgets);
    return budgets;
  };
}

function checkModel(of: string, model: unknown): void {
  if (model === undefined || typeof model === "string") return;
  if (typeof (model as { readonly stream?: unknown } | null)?.stream === "function") return;
  throw new CairnError("bad_agent", `A model of ${of} is neither a name nor an object with \`stream\`.`);
}

function checkBudgets(of: string, budgets: unknown): void {
  checkOptions(budgets, BUDGETS, `\`budgets\` of ${of}`, "bad_agent");
  const { user } = budgets as Budgets;
  if (user === undefined) return;
  checkOptions(user, USER_BUDGETS, `\`budgets.user\` of ${of}`, "bad_agent");
  if (user.windowMs === undefined)
    throw new CairnError("bad_agent", `\`budgets.user\` of ${of} needs \`windowMs\`, the length of its time window.`);
}

function checkPolicies(of: string, policies: ToolPolicies): void {
  for (const [tool, policy] of Object.entries(policies))
    if (!TOOL_POLICIES.includes(policy))
      throw new CairnError(
        "bad_agent",
        `\`policies\` of ${of}: the policy of ${JSON.stringify(tool)} must be one of ${TOOL_POLICIES.join(", ")}.`,
        { field: "policies" },
      );
}

function checkRequest(of: string, request: RequestSettings): void {
  checkOptions(request, REQUEST, `\`request\` of ${of}`, "bad_agent");
  if (request.reasoning !== undefined)
    checkOptions(request.reasoning, REASONING, `\`request.reasoning\` of ${of}`, "bad_agent");
  try {
    readRequestSettings(writeRequestSettings(request));
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    throw new CairnError("bad_agent", `\`request\` of ${of}: ${error.message}`, { field: "request" });
  }
}
