/** The time zone of the person who wrote, as the client said it with the message. */
import type { TimelineState } from "@cairn/timeline";

/** Whether it is the name of a zone that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** That of the last message; null when it says none, or one that nobody knows here. */
export function timeZoneSaid({ window }: TimelineState): string | null {
  const prompt = window.findLast(({ type }) => type === "user.prompt");
  const zone = prompt?.block.meta?.time_zone;
  return typeof zone === "string" && isTimeZone(zone) ? zone : null;
}
