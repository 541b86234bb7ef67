/** Formats durations, times and sizes in short form. */
export function formatDuration(fromIso: string | null, toIso: string | null): string {
  if (fromIso === null || toIso === null) return "";
  const ms = Date.parse(toIso) - Date.parse(fromIso);
  return formatMs(ms);
}

export function formatMs(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "";
  if (ms < 1_000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

export function formatBytes(bytes: number | null): string {
  if (bytes === null) return "";
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0)} MB`;
}

/** A time in short form: `14:05` today, `Mon 14:05` this week, `3 Mar` this year, `3 Mar 2025` before. */
export function formatMoment(iso: string, now: number): string {
  const time = Date.parse(iso);
  if (!Number.isFinite(time)) return "";
  const date = new Date(time);
  const today = new Date(now);
  const say = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", options).format(date);
  if (date.toDateString() === today.toDateString()) return say({ hour: "2-digit", minute: "2-digit" });
  if (now - time < 6 * 86_400_000 && now > time) return say({ weekday: "short", hour: "2-digit", minute: "2-digit" });
  const isThisYear = date.getFullYear() === today.getFullYear();
  return say({ day: "numeric", month: "short", ...(isThisYear ? {} : { year: "numeric" }) });
}
