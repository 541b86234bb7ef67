/**
 * The requests that each real API rejects: roles, pairs of calls and results, names of tools, schema keywords, sizes,
 * counts and empty texts, each rule with its source and date. The simulators enforce these rules, so that a real API
 * accepts every request that a simulator accepts.
 */
import type { JsonObject } from "@cairn/timeline";
import type { ServerName } from "../body/server-name.ts";
import type { ApiName } from "../script/model-request.ts";
import { ANTHROPIC_MESSAGES } from "./anthropic-messages.ts";
import { ANTHROPIC_TOOLS } from "./anthropic-tools.ts";
import { BEDROCK } from "./bedrock.ts";
import { SERVERS } from "./chat-servers.ts";
import { GOOGLE } from "./google.ts";
import { OPENAI_CHAT } from "./openai-chat.ts";
import { OPENAI_RESPONSES } from "./openai-responses.ts";
import type { Rule } from "./rule.ts";

export interface TableRow {
  readonly api: ApiName;
  /** The server to which the rule applies, if servers of the API differ. */
  readonly server: ServerName | null;
  readonly rule: string;
  readonly about: Rule<never>["about"];
  readonly source: string;
  readonly date: string;
  readonly status: number;
  readonly example: JsonObject;
}

export const REFUSALS: readonly TableRow[] = [
  ...rowsOf("anthropic", [...ANTHROPIC_TOOLS, ...ANTHROPIC_MESSAGES]),
  ...rowsOf("openai-responses", OPENAI_RESPONSES),
  ...rowsOf("openai-chat", OPENAI_CHAT),
  ...rowsOf("google", GOOGLE),
  ...rowsOf("bedrock", BEDROCK),
  ...Object.entries(SERVERS).flatMap(([server, rules]) => rowsOf("openai-chat", rules, server as ServerName)),
];

function rowsOf<Body>(api: ApiName, rules: readonly Rule<Body>[], server: ServerName | null = null): TableRow[] {
  return rules.map(({ rule, about, source, date, status = 400, example }) => ({
    api,
    server,
    rule,
    about,
    source,
    date,
    status,
    example,
  }));
}
