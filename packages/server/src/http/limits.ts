/** Limits of one request. The web app receives the same numbers. */
import { type ShareLimits, shareLimits } from "@cairn/agent";
import { type Settings, scopeLimits } from "cairn-agent/process";

export interface Limits {
  readonly upload_bytes: number;
  readonly attachments: number;
  readonly message_chars: number;
}

export const MAX_ATTACHMENTS = 20;
/** Maximum number of messages of one conversation that wait for a turn, or for the next decision of a running one. */
export const MAX_PENDING = 50;
export const MAX_MESSAGE_CHARS = 200_000;
/** Of a chat as an AI SDK client sends it. Only the last message is read. */
export const MAX_CHAT_MESSAGES = 10_000;
export const MAX_MESSAGE_PARTS = 2_000;

/** Maximum memory for uploads of all requests together, in units of the largest upload. */
const UPLOADS_AT_ONCE = 8;

/** Everybody has room for one of the largest. */
export function bodyRoomOf(settings: Settings): ShareLimits {
  const { upload_bytes } = limitsOf(settings);
  return shareLimits(UPLOADS_AT_ONCE * upload_bytes, scopeLimits(settings).shares, 1.4 * upload_bytes);
}

export function limitsOf({ server }: Settings): Limits {
  return {
    upload_bytes: server.uploadMb * 1_000_000,
    attachments: MAX_ATTACHMENTS,
    message_chars: MAX_MESSAGE_CHARS,
  };
}
