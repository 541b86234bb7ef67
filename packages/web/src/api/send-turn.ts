/** Sends a message by XMLHttpRequest, which reports upload progress. The server accepts each key once. */
import { type AnswerOf, MESSAGE_FORM, type SendMode, type SentMessage, type SentPrompt, sendMessage } from "@cairn/api";
import type { SentReasoning } from "@cairn/timeline";
import { serverAddress } from "./address.ts";
import { ApiError, errorOf, unreachable } from "./api-error.ts";
import { checkAnswer } from "./call.ts";
import { authHeaders, tellTokenRefused } from "./token.ts";

export interface OutgoingTurn {
  readonly message: string;
  readonly mode: SendMode;
  /** The chosen model; null for the agent's own. */
  readonly model: string | null;
  /** How much the model reasons; null for the setting of the conversation or the agent. */
  readonly reasoning: SentReasoning | null;
  readonly key: string;
  /** The prompt from which the message was made; null without one. */
  readonly prompt: SentPrompt | null;
  readonly attachments: readonly File[];
}

export interface SendTurnOptions {
  readonly signal?: AbortSignal;
  /** Called with the sent fraction, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export function sendTurn(
  conversationId: string,
  turn: OutgoingTurn,
  { signal, onProgress }: SendTurnOptions = {},
): Promise<AnswerOf<typeof sendMessage>> {
  const { promise, resolve, reject } = Promise.withResolvers<AnswerOf<typeof sendMessage>>();
  const request = new XMLHttpRequest();
  request.open("POST", serverAddress(sendMessage, { id: conversationId }));
  request.setRequestHeader("Idempotency-Key", turn.key);
  for (const [name, value] of Object.entries(authHeaders())) request.setRequestHeader(name, value);
  request.upload.onprogress = (event) => {
    if (event.lengthComputable && event.total > 0) onProgress?.(event.loaded / event.total);
  };
  // A server that rejects a large body may answer and close the connection during the upload; the answer counts.
  request.onerror = () => reject(unreachable());
  request.onabort = () => reject(new ApiError("aborted", "The message was not sent.", 0));
  request.onload = () => {
    if (request.status === 401) tellTokenRefused();
    if (request.status < 200 || request.status > 299)
      return reject(errorOf(request.status, request.responseText, request.getResponseHeader("retry-after")));
    try {
      resolve(checkAnswer(sendMessage, request.status, parse(request.responseText)));
    } catch (error) {
      reject(error);
    }
  };
  signal?.addEventListener("abort", () => request.abort(), { once: true });
  const { body, type } = bodyOf(turn);
  if (type !== null) request.setRequestHeader("content-type", type);
  request.send(body);
  return promise;
}

function bodyOf(turn: OutgoingTurn): { body: string | FormData; type: string | null } {
  const { message, mode, model, reasoning, prompt, attachments } = turn;
  const sent: SentMessage = {
    message,
    mode,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(model === null ? {} : { model }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(prompt === null ? {} : { prompt }),
  };
  if (attachments.length === 0) return { body: JSON.stringify(sent), type: "application/json" };
  const form = new FormData();
  for (const [name, value] of Object.entries(sent))
    form.set(name, MESSAGE_FORM[name as keyof SentMessage] === "text" ? String(value) : JSON.stringify(value));
  for (const file of attachments) form.append("attachments", file, file.name);
  return { body: form, type: null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The text is not JSON, so the caller reports an invalid answer.
  }
}
