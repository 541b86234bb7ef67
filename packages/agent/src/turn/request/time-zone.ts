/** The time zone of the user, as the client sent it with the message. */
import { isTimeZone, type TimelineState } from "@cairn/timeline";

/** The time zone of the last message; null when it has none, or an unknown one. */
export function timeZoneSaid({ window }: TimelineState): string | null {
  // If a summary covers the last message, the summary has the zone of this message.
  const said = window.findLast(({ kind }) => kind.statesTimeZone);
  const zone = said?.block.meta?.time_zone;
  return typeof zone === "string" && isTimeZone(zone) ? zone : null;
}
