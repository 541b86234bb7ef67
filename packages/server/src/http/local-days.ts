/** The days of a time zone. A day has 23 or 25 hours when the clocks are changed. */
const DAY_MS = 24 * 60 * 60 * 1_000;

interface Day {
  readonly since: number;
  readonly until: number;
}

/** The last `count` days; the last one contains `now`. */
export function lastDays(count: number, now: number, timeZone: string): Day[] {
  const local = localTimes(timeZone);
  const today = Math.floor(local(now) / DAY_MS);
  const begin = (day: number) => midnight(day * DAY_MS, local);
  return Array.from({ length: count }, (_, nth) => today - count + 1 + nth).map((day) => ({
    since: begin(day),
    until: begin(day + 1),
  }));
}

/** The first moment at which local clocks show this time, or at which they skip it. */
function midnight(shown: number, local: (moment: number) => number): number {
  // Uses the zone's offsets on the day before and on the day after, because clocks may change between.
  const moments = [shown - DAY_MS, shown + DAY_MS].map((near) => shown - (local(near) - near));
  const first = Math.min(...moments);
  return local(first) >= shown ? first : Math.max(...moments);
}

/** Returns the local time of a zone at a moment, written as epoch milliseconds as if the zone were UTC. */
function localTimes(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
    ...({ hour: "numeric", minute: "numeric", second: "numeric" } as const),
  });
  return (moment) => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day, hour, minute, second] = ["year", "month", "day", "hour", "minute", "second"].map(
      (part) => parts.get(part as Intl.DateTimeFormatPartTypes),
    );
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}
