/**
 * The wait that a provider asks for, in milliseconds; null if it asks for none. Checks `retry-after-ms`, `retry-after`
 * in seconds or as a date, and the body: Google's `retryDelay`, OpenAI's and Groq's "try again in 7.66s".
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  now: number,
): number | null {
  const exact = numberOf(headers["retry-after-ms"]);
  if (exact !== null) return exact;
  const after = headers["retry-after"];
  const seconds = numberOf(after);
  if (seconds !== null) return seconds * 1_000;
  // A date contains a month; without this check, any number would be parsed as a year.
  const date = after !== undefined && /[a-z]{3}/i.test(after) ? Date.parse(after) : Number.NaN;
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  return inBody(body.slice(0, 20_000));
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined || !/^\s*\d{1,12}(?:\.\d{1,6})?\s*$/.test(text)) return null;
  return Number(text);
}

function inBody(body: string): number | null {
  const delay = /"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body);
  if (delay !== null) return Math.ceil(Number(delay[1]) * 1_000);
  const again = /try again in (?:(\d{1,6})m)?(\d{1,9}(?:\.\d{1,9})?)(ms|s)\b/i.exec(body);
  if (again === null) return null;
  const [, minutes = "0", amount, unit] = again;
  return Math.ceil(Number(minutes) * 60_000 + Number(amount) * (unit?.toLowerCase() === "ms" ? 1 : 1_000));
}
