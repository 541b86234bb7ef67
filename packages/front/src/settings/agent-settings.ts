/** Settings of the built-in agent, and its policies, which hold for every agent. */
import { join } from "node:path";
import {
  MODEL_PROVIDERS,
  type Reasoning,
  type RequestSettings,
  readRequestSettings,
  type SkillFolder,
  TOOL_POLICIES,
  type ToolPolicies,
} from "@cairn/agent";
import { CairnError, EFFORTS } from "@cairn/timeline";
import { budgetsOf } from "./budgets.ts";
import { absolute, badConfig, convertedText, fromFile, isObject, list, type Source, text } from "./setting.ts";

const NAMES = ["offline", ...MODEL_PROVIDERS.map(({ name }) => `${name}:<id>`)].map((name) => `\`${name}\``);
const MODEL_NAMES = `${NAMES.slice(0, -1).join(", ")} or ${NAMES.at(-1)}`;

/**
 * `model` is null if neither the environment nor the file sets it: then an agent uses its own model, and the built-in
 * agent the offline model.
 */
export const AGENT = {
  model: text({
    variable: "CAIRN_MODEL",
    byDefault: "offline",
    about: `${MODEL_NAMES}. Overrides the model of an agent.`,
  }),
  fallback: list({
    variable: "CAIRN_MODEL_FALLBACK",
    byDefault: "none",
    about:
      "Fallback models, in order, for when the built-in agent's own model is down, overloaded, unauthorised or unknown. In the format of `CAIRN_MODEL`.",
  }),
  request: fromFile(
    {
      byDefault: "the provider's own",
      about:
        "Request settings of the built-in agent's model: `temperature`, `top_p`, `stop`, `seed`, `max_output_tokens`, `tool_choice` (`auto`, `none`, `required` or `{tool}`) and `provider_options`. A message may override them with `settings`.",
    },
    requestOf,
  ),
  reasoning: convertedText(
    {
      variable: "CAIRN_REASONING",
      byDefault: "the provider's own",
      about: `How much models reason before they answer: ${EFFORTS.map((effort) => `\`${effort}\``).join(", ")}, or a number of tokens for models that take a budget. Applies to agents that do not set it themselves. A conversation and a message may override it with \`reasoning\`.`,
    },
    reasoningOf,
  ),
  skills: convertedText(
    {
      variable: "CAIRN_SKILLS",
      byDefault: "`.agents/skills`",
      about:
        "A folder of [skills](agent.md#skills) for the built-in agent, in addition to `.agents/skills` in the working directory and in the home directory. `none`: no skills at all.",
    },
    skillFoldersOf,
  ),
  instructions: text({ variable: null, byDefault: "none", about: "Text added to the built-in agent's instructions." }),
  standingOrders: convertedText(
    {
      variable: "CAIRN_STANDING_ORDERS",
      byDefault: "conversation",
      about:
        "`user`: a new conversation of the built-in agent starts with the standing orders of the user's other conversations. `conversation`: it starts with none.",
    },
    standingOrdersOf,
  ),
  policies: fromFile(
    {
      byDefault: "the tool's own policy",
      about:
        'What happens to a call, by tool id or by a prefix of tool ids: `{"mcp.shop.*": "ask"}`. `ask` asks a person, `allow` runs it, `refuse` rejects it. A person who is asked may allow the tool for the rest of the conversation.',
    },
    policiesOf,
  ),
  budgets: fromFile(
    {
      byDefault: "15 iterations",
      about:
        "`{iterations, tokens, dollars, elapsedMs}` limits a turn of the built-in agent; `user: {tokens, dollars, windowMs}` limits all turns of one user.",
    },
    budgetsOf,
  ),
};

/** Folders of skills, in order of precedence: the configured, the project's, the user's. Only the first must exist. */
function skillFoldersOf(value: string | null, source: Source): readonly SkillFolder[] {
  if (value === "none") return [];
  const home = source.env.HOME ?? source.env.USERPROFILE;
  const roots = new Set([source.cwd, ...(home === undefined || home === "" ? [] : [absolute(home, source)])]);
  const found = [...roots].map((root) => ({ path: join(root, ".agents", "skills"), isOptional: true }));
  return value === null ? found : [{ path: absolute(value, source) }, ...found];
}

function reasoningOf(value: string | null, source: Source): Reasoning | null {
  if (value === null) return null;
  const given = /^\d+$/.test(value) ? { budget_tokens: Number(value) } : { effort: value };
  try {
    return readRequestSettings({ reasoning: given }).reasoning ?? null;
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    const known = EFFORTS.join(", ");
    throw badConfig(
      source,
      `\`reasoning\` must be one of ${known} or a number of tokens, not ${JSON.stringify(value)}`,
    );
  }
}

function standingOrdersOf(value: string | null, source: Source): "conversation" | "user" {
  if (value === null || value === "conversation" || value === "user") return value ?? "conversation";
  throw badConfig(source, `standingOrders must be "conversation" or "user", not ${JSON.stringify(value)}`);
}

function policiesOf(value: unknown, source: Source): ToolPolicies {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(source, "`policies` must be an object that maps a tool to a policy");
  return Object.fromEntries(
    Object.entries(value).map(([tool, given]) => {
      const policy = TOOL_POLICIES.find((each) => each === given);
      if (policy === undefined)
        throw badConfig(source, `the policy of ${JSON.stringify(tool)} must be one of ${TOOL_POLICIES.join(", ")}`);
      return [tool, policy];
    }),
  );
}

function requestOf(value: unknown, source: Source): RequestSettings {
  try {
    return readRequestSettings(value);
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    throw badConfig(source, `\`request\` is wrong: ${error.message}`);
  }
}
