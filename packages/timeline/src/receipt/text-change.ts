/**
 * Describes how a text changed, to help find the code that changed it.
 *
 * The tests are made in this order: the same content in another encoding (line ends, Unicode form, JSON written
 * differently, white space), a clock or a number that moved, an edit. Every test is linear in the texts; only a few
 * places of a text are tried as the start of a JSON value.
 */
export interface TextChange {
  /** The end of a sentence that begins with what changed: "… changed: <how>". */
  readonly how: string;
  /** Text around the first character that differs, in both versions. */
  readonly before: string;
  readonly after: string;
}

export function describeChange(before: string, after: string): TextChange {
  const at = firstDifference(before, after);
  const excerpts = { before: excerpt(before, at), after: excerpt(after, at) };
  const how = describeReEncoding(before, after, at) ?? describeMovedNumber(before, after, at);
  return { how: how ?? `${quote(excerpts.before)} became ${quote(excerpts.after)}`, ...excerpts };
}

function firstDifference(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

const EXCERPT_BEFORE = 20;
const EXCERPT_AFTER = 40;

function excerpt(text: string, at: number): string {
  const start = Math.max(0, at - EXCERPT_BEFORE);
  const end = Math.min(text.length, at + EXCERPT_AFTER);
  // The excerpt must not begin or end with half of a surrogate pair.
  const shown = text.slice(start, end).toWellFormed();
  return `${start > 0 ? "…" : ""}${shown}${end < text.length ? "…" : ""}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

function describeReEncoding(before: string, after: string, at: number): string | null {
  const forms: readonly [how: string, normalise: (text: string) => string][] = [
    ["with other line ends", (text) => text.replace(/\r\n?/g, "\n")],
    ["in another Unicode normal form", (text) => text.normalize("NFC")],
    ["with other white space", (text) => text.replace(/\s+/g, "")],
  ];
  for (const [how, normalise] of forms)
    if (normalise(before) === normalise(after)) return `re-encoded: the same text ${how}`;
  return holdSameJson(before, after, at) ? "re-encoded: the same JSON, spelled differently" : null;
}

/** Number of lines tried as the start of a JSON value. Content starts after a header of a few lines. */
const JSON_STARTS = 8;

/** Whether both texts end with the same JSON value, which begins before the first difference. */
function holdSameJson(before: string, after: string, at: number): boolean {
  const lines = /^[{["]/gm;
  for (let tried = 0; tried < JSON_STARTS; tried++) {
    const start = lines.exec(before)?.index;
    if (start === undefined || start > at) return false;
    const [a, b] = [parse(before.slice(start)), parse(after.slice(start))];
    if (a !== undefined && b !== undefined && isSameJson(a.value, b.value)) return true;
  }
  return false;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // There is no JSON from here on, so another place is tried.
  }
}

/** Compares values without regard to the order of keys. Uses its own stack, because nesting may be deep. */
export function isSameJson(a: unknown, b: unknown): boolean {
  const pairs: [unknown, unknown][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = pair;
    if (!isObject(x) || !isObject(y)) {
      if (!Object.is(x, y)) return false;
      continue;
    }
    const keys = Object.keys(x);
    if (Array.isArray(x) !== Array.isArray(y) || keys.length !== Object.keys(y).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(y, key)) return false;
      pairs.push([x[key], y[key]]);
    }
  }
  return true;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

const WEEKDAYS = "mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?";
const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
/** Text that changes with time: runs of digits, and names of days, months and halves of the day. */
const MOVING = new RegExp(`\\d+|\\b(?:${WEEKDAYS}|${MONTHS}|[ap]m)\\b`, "gi");

/** A date, a time of day, or seconds or milliseconds since 1970 in this century. */
const TIME = new RegExp(
  `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|\\b\\d{1,2}:\\d{2}|\\b1\\d{9}(?:\\d{3})?\\b|\\b(?:${WEEKDAYS}|${MONTHS})\\b`,
  "i",
);
const AROUND = 30;

function describeMovedNumber(before: string, after: string, at: number): string | null {
  if (before.replace(MOVING, "0") !== after.replace(MOVING, "0")) return null;
  const [old, now] = [wordAround(before, at), wordAround(after, at)];
  const what = TIME.test(old) && TIME.test(now) ? "a clock in the prefix" : "a number that moved";
  return `${what}: ${quote(old)} became ${quote(now)}`;
}

/** The date, time or number around the character at `at`, limited to this many characters on either side. */
function wordAround(text: string, at: number): string {
  const left = text.slice(Math.max(0, at - AROUND), at);
  const right = text.slice(at, at + AROUND);
  const start = /[\w:.+/-]*$/.exec(left)?.[0] ?? "";
  const end = /^[\w:.+/-]*/.exec(right)?.[0] ?? "";
  return `${start}${end}`;
}
