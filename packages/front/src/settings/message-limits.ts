/** Limits of one message. The web app receives the same numbers. */
import type { Meta } from "@cairn/api";
import { MAX_ATTACHMENTS, MAX_MESSAGE_CHARS } from "@cairn/api/limits";
import type { Settings } from "./settings.ts";

export function limitsOf({ server }: Settings): Meta["limits"] {
  return {
    upload_bytes: server.uploadMb * 1_000_000,
    attachments: MAX_ATTACHMENTS,
    message_chars: MAX_MESSAGE_CHARS,
  };
}
