/** The last row of the screen: the model, how full its window is, the cost, and the current activity. */
import { clipLine } from "../draw/style.ts";

export interface Status {
  readonly model: string;
  /** Input tokens of the last request; 0 before the first. */
  readonly tokens: number;
  readonly window: number;
  /** Cost of the conversation in dollars; null if unknown. */
  readonly cost: number | null;
  /** The current activity, its start and, if known, its end (epoch milliseconds). */
  readonly doing: { readonly what: string; readonly since: number; readonly until: number | null } | null;
}

export function drawStatus({ model, tokens, window, cost, doing }: Status, width: number, now: number): string {
  const parts = [
    ...(doing === null ? [] : [`${doing.what} ${clock(doing.until === null ? now - doing.since : doing.until - now)}`]),
    model,
    `${short(tokens)}/${short(window)} tokens`,
    cost === null ? "cost unknown" : formatDollars(cost),
  ];
  return clipLine(parts.join(" · "), width);
}

export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(dollars !== 0 && dollars < 0.1 ? 4 : 2)}`;
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Formats a count in at most four characters, such as 950, 1.2k, 12k or 1.5M. */
function short(count: number): string {
  if (count < 1_000) return String(count);
  const [amount, unit] = count < 999_500 ? [count / 1_000, "k"] : [count / 1_000_000, "M"];
  return `${amount < 9.95 ? amount.toFixed(1).replace(/\.0$/, "") : Math.round(amount)}${unit}`;
}
