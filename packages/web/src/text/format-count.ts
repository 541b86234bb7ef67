/** Formats numbers of the inspector, as short as possible without being misleading. */

const whole = new Intl.NumberFormat("en-GB");

export function formatCount(value: number): string {
  return whole.format(Math.round(value));
}

/** Formats a count briefly, such as `950`, `12.3k` or `1.2M`. */
export function formatShort(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  if (value < 999_500) return `${(value / 1_000).toFixed(value < 99_950 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** Dollars, with as many digits as needed: `$1.24`, `$0.0123`, `$0.00004`. Empty if the price is unknown. */
export function formatCost(dollars: number): string {
  if (dollars === 0) return "–";
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  const digits = Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(dollars))));
  return `$${dollars.toFixed(digits)}`;
}

export function formatShare(share: number): string {
  const percent = share * 100;
  // Values just below 100 are rounded down, so that only the whole is 100 %.
  if (percent > 99 && percent < 100) return "99 %";
  return `${percent > 0 && percent < 1 ? "< 1" : Math.round(percent)} %`;
}

/** Formats a count with its noun, such as `1 block` or `3 blocks`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
