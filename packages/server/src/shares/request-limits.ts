/** Limits of one request. The web app receives the same numbers. */
import { type ShareLimits, shareLimits } from "@cairn/agent";
import { MAX_ATTACHMENTS, MAX_MESSAGE_CHARS, type Meta } from "@cairn/api";
import { type Settings, scopeLimits } from "cairn-agent/process";

/** Base64 takes a third more than the bytes, and JSON a little more. */
export const BASE64_GROWTH = 1.4;

/** Maximum memory for uploads of all requests together, in units of the largest upload. */
const UPLOADS_AT_ONCE = 8;

/** Everybody has room for one of the largest. */
export function bodyRoomOf(settings: Settings): ShareLimits {
  const { upload_bytes } = limitsOf(settings);
  return shareLimits(UPLOADS_AT_ONCE * upload_bytes, scopeLimits(settings).shares, BASE64_GROWTH * upload_bytes);
}

export function limitsOf({ server }: Settings): Meta["limits"] {
  return {
    upload_bytes: server.uploadMb * 1_000_000,
    attachments: MAX_ATTACHMENTS,
    message_chars: MAX_MESSAGE_CHARS,
  };
}
