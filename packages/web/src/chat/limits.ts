/** What a message may hold, until the server has said so itself; it refuses what is larger in any case. */
import type { AttachmentLimits } from "../composer/admit-files.ts";

export const LIMITS_UNTIL_KNOWN: AttachmentLimits = {
  upload_bytes: 20_000_000,
  attachments: 10,
  message_chars: 200_000,
};
