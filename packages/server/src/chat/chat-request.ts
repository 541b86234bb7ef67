/** The request of an AI SDK client. It contains all messages of the chat, but only the last message is new. */
import { type ChatMessage, MAX_ATTACHMENTS, MAX_MESSAGE_CHARS, MAX_REASON_CHARS } from "@cairn/api";
import { CairnError, type Json } from "@cairn/timeline";
import type { NewFile } from "cairn-agent/turns";

export interface SaidMessage {
  readonly id: string;
  readonly text: string;
  readonly files: readonly NewFile[];
}

export interface AnsweredApproval {
  readonly call_id: string;
  /** Hash of the request for approval that was shown; null when the answer names only the call. */
  readonly hash: string | null;
  readonly approve: boolean;
  readonly reason?: string;
  /** The output of a call that the client ran, or the reason why the call failed. */
  readonly output?: Json;
  readonly error?: string;
}

/** The last message of the user. Throws `bad_request` when there is none. */
export function lastSaid(messages: readonly ChatMessage[]): SaidMessage {
  const message = messages.findLast(({ role }) => role === "user");
  if (message === undefined)
    throw new CairnError("bad_request", "The request contains no user message. Send one as the last message.");
  const texts = message.parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  const text = texts.join("\n").toWellFormed();
  if (text.length > MAX_MESSAGE_CHARS)
    throw new CairnError(
      "too_large",
      `The message is longer than ${MAX_MESSAGE_CHARS} characters. Shorten it, or attach it as a file.`,
    );
  const files = message.parts.filter(({ type }) => type === "file").map(readFile);
  if (files.length > MAX_ATTACHMENTS)
    throw new CairnError("too_large", `The message has more than ${MAX_ATTACHMENTS} attachments. Send fewer.`);
  return { id: message.id, text, files };
}

/** The id of a request for approval in the protocol: the call, and the hash of what was shown. */
export function approvalId(callId: string, hash: string | null): string {
  return hash === null ? callId : `${callId}:${hash}`;
}

/**
 * The user's decisions about calls, and the outputs of calls that the client ran. A request with any of these has a
 * message of the agent as its last message.
 */
export function answeredApprovals(messages: readonly ChatMessage[]): readonly AnsweredApproval[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return [];
  return last.parts.flatMap((part): AnsweredApproval[] => {
    const { state, approval, toolCallId, providerExecuted } = part;
    if (typeof toolCallId === "string" && providerExecuted !== true) {
      const answer = { call_id: toolCallId, hash: null, approve: true };
      if (state === "output-available") return [{ ...answer, output: (part.output ?? null) as Json }];
      if (state === "output-error")
        return [{ ...answer, error: String(part.errorText).slice(0, MAX_REASON_CHARS).toWellFormed() }];
    }
    if (state !== "approval-responded" || typeof approval !== "object" || approval === null) return [];
    const { id, approved, reason } = approval as Readonly<Record<string, unknown>>;
    if (typeof id !== "string" || typeof approved !== "boolean") return [];
    const [call_id = "", hash = null] = id.split(":");
    const said = typeof reason === "string" ? { reason: reason.slice(0, MAX_REASON_CHARS).toWellFormed() } : {};
    return [{ call_id, hash, approve: approved, ...said }];
  });
}

/** Files must be data URLs, because otherwise a client could make this server fetch any address. */
function readFile({ url, filename, mediaType }: ChatMessage["parts"][number]): NewFile {
  const given = typeof url === "string" ? url : "";
  const comma = given.indexOf(",");
  if (!given.startsWith("data:") || comma < 0)
    throw new CairnError("bad_request", "Send files as data URLs. The server does not fetch other URLs.");
  const isBase64 = given.slice(0, comma).endsWith(";base64");
  const content = given.slice(comma + 1);
  const bytes = isBase64 ? Buffer.from(content, "base64") : Buffer.from(decodeText(content));
  const name = typeof filename === "string" && filename !== "" ? filename.slice(0, 255) : "attachment";
  return { name, mime: typeof mediaType === "string" ? mediaType : undefined, bytes };
}

function decodeText(content: string): string {
  try {
    return decodeURIComponent(content);
  } catch {
    throw new CairnError("bad_request", "The data URL of a file is not valid base64 or percent-encoding.");
  }
}
