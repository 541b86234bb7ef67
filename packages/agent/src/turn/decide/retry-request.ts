/** Whether and when a request that failed is sent again, and what a rejection says about the model. */
import { outputTokens, type RefusedRequest } from "@cairn/timeline";
import { statedTokens } from "../../model/context-limit.ts";
import type { ModelError } from "../../model/model-error.ts";
import { waitBefore } from "../../model/retry.ts";
import type { PlannedRequest } from "../request/in-flight-request.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { hasFallback } from "./fall-back.ts";

/**
 * Minimum number of attempts of a request, unless a fallback model is available or the provider asks for too long a
 * wait. It is also the maximum number of interrupted answers, because each of these is billed.
 */
const FEW_ATTEMPTS = 5;
/** Time for further attempts if the provider is overloaded or unreachable, because outages last minutes. */
const PATIENCE_MS = 600_000;
/** Maximum time for retries when a fallback model is available. */
const SHORT_PATIENCE_MS = 20_000;

/** What a rejection says about the model's token count: both numbers, or only that the request exceeds the window. */
export function refusalOf({ agent }: TurnContext, { tokens }: PlannedRequest, error: ModelError): RefusedRequest {
  const { contextTokens } = agent.model;
  const stated = statedTokens(error.message);
  return {
    estimated: tokens.tools + tokens.system + tokens.stable + tokens.tail,
    counted:
      stated === null ? contextTokens - outputTokens(agent.model) : (stated.counted * contextTokens) / stated.limit,
  };
}

/** Counts the failures of a decision. */
export interface Trouble {
  attempts: number;
  /** Number of interrupted answers. */
  brokenOff: number;
  waitedMs: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Waits before the next attempt; throws the error when no attempt is left. */
export async function backOff(context: TurnContext, error: ModelError, trouble: Trouble): Promise<void> {
  const ms = waitBefore(trouble.attempts, error, { random: context.random });
  if (ms === null || trouble.brokenOff >= FEW_ATTEMPTS) throw error;
  const elapsedMs = Math.max(trouble.waitedMs, context.now() - trouble.startedAt);
  const patience = hasFallback(context) ? SHORT_PATIENCE_MS : PATIENCE_MS;
  const isLate = elapsedMs + ms > patience;
  if (isLate && (trouble.attempts >= FEW_ATTEMPTS || patience < PATIENCE_MS)) throw error;
  trouble.waitedMs += ms;
  context.listener({ type: "waiting", reason: error.message, ms });
  await context.sleep(ms, context.journal.workSignal);
}
