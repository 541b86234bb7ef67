/** Ids of new conversations. */
import { randomInt } from "node:crypto";

export function newConversationId(now: number): string {
  return `conv_${now}_${randomInt(36 ** 6)
    .toString(36)
    .padStart(6, "0")}`;
}
