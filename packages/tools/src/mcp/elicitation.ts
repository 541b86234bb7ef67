/**
 * Questions of a server to a person (elicitation), in both forms of the protocol: since 2026-07-28 a call returns
 * `input_required` and is made again with the answers; before, the server sends a request during the call.
 */
import type { Answered } from "@cairn/agent";
import { CairnError, isJsonObject, type Json, type JsonObject, type Question } from "@cairn/timeline";
import type { ElicitResult, InputRequiredResult } from "@modelcontextprotocol/client";

const MAX_MESSAGE = 4_000;
const MAX_FORM = 20_000;
const MAX_STATE = 100_000;
/** Maximum characters of all questions of a round, because the journal keeps them until the last one is answered. */
const MAX_QUESTIONS = 100_000;

/** The question for a person. Throws `mcp_bad_question` for one that cannot be shown. */
export function questionOf(params: unknown): Question {
  const { message, mode, url, requestedSchema: form } = isJsonObject(params) ? params : {};
  if (typeof message !== "string" || message.length > MAX_MESSAGE)
    throw bad(`a question needs a message of at most ${MAX_MESSAGE} characters.`);
  if (mode === "url") return { message, url: pageOf(url) };
  if (!isJsonObject(form) || JSON.stringify(form).length > MAX_FORM)
    throw bad(`a question needs a form of at most ${MAX_FORM} characters.`);
  return { message, form };
}

export function elicitResult({ action, content }: Pick<Answered, "action" | "content">): ElicitResult {
  return action === "accept" ? { action, content: content as NonNullable<ElicitResult["content"]> } : { action };
}

/** A call that the server wants to be made again, with the answers so far. The call is stored with the question. */
export interface Rounds {
  readonly round: number;
  readonly requestState?: string;
  /** The task that asks the question. The task gets the answers, and the call is not made again. */
  readonly task?: string;
  /** The parameters of the questions, by key. */
  readonly asked: Readonly<Record<string, Json>>;
  readonly answers: Readonly<Record<string, ElicitResult>>;
}

/** Throws `mcp_bad_question` if the server asks for something other than an answer of a person. */
export function nextRound(result: InputRequiredResult, round: number, task: string | null): Rounds {
  const { inputRequests = {}, requestState } = result;
  const asked = Object.entries(inputRequests).map(([key, { method, params }]) => {
    if (method !== "elicitation/create") throw bad(`it asked for ${method}, which Cairn does not offer.`);
    return [key, params as Json] as const;
  });
  if (JSON.stringify(asked).length > MAX_QUESTIONS)
    throw bad(`its questions have more than ${MAX_QUESTIONS} characters together.`);
  if ((requestState?.length ?? 0) > MAX_STATE)
    throw bad(`the state of the call has more than ${MAX_STATE} characters.`);
  return {
    round,
    asked: Object.fromEntries(asked),
    answers: {},
    ...(requestState === undefined ? {} : { requestState }),
    ...(task === null ? {} : { task }),
  };
}

/** The first question without an answer. */
export function openQuestion({ asked, answers }: Rounds): string | undefined {
  return Object.keys(asked).find((key) => !Object.hasOwn(answers, key));
}

export function readRounds(state: Json): Rounds | null {
  return isJsonObject(state) && typeof state.round === "number" ? (state as unknown as Rounds) : null;
}

export function stateOf(rounds: Rounds): JsonObject {
  return rounds as unknown as JsonObject;
}

/** A page that a person visits: encrypted, or on the same machine. */
function pageOf(url: unknown): string {
  const page = typeof url === "string" ? URL.parse(url) : null;
  const isLocal = page !== null && ["localhost", "127.0.0.1", "[::1]"].includes(page.hostname);
  if (page?.protocol === "https:" || (page?.protocol === "http:" && isLocal)) return page.href;
  throw bad("the address of a page must begin with https.");
}

function bad(problem: string): CairnError {
  return new CairnError("mcp_bad_question", `The question of the MCP server cannot be asked: ${problem}`);
}
