/** Limits of a message until the server has sent its own; the server enforces them in any case. */
import type { AttachmentLimits } from "./admit-files.ts";

export const LIMITS_UNTIL_KNOWN: AttachmentLimits = {
  upload_bytes: 20_000_000,
  attachments: 10,
  message_chars: 200_000,
};
