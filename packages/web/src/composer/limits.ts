/** Limits of a message for the time before the server has sent its own, which the server enforces anyway. */
import { MAX_ATTACHMENTS, MAX_MESSAGE_CHARS } from "@cairn/api";
import type { AttachmentLimits } from "./admit-files.ts";

export const LIMITS_UNTIL_KNOWN: AttachmentLimits = {
  upload_bytes: 20_000_000,
  attachments: MAX_ATTACHMENTS,
  message_chars: MAX_MESSAGE_CHARS,
};
