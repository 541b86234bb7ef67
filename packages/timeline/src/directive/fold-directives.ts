/**
 * The directives that apply, in order. A later directive replaces the ones it corrects.
 *
 * A repeated directive counts as the latest. A standing order replaces earlier orders on the same subject. A directive
 * may name others that it closes; a directive without words does only that. Closed and replaced directives are
 * remembered, so that they do not come back from another conversation, and other conversations stop showing them.
 */
import { type Directive, type DirectiveName, isStanding } from "./directives.ts";
import { isSameSubject, type Subject, subjectOf } from "./subject.ts";

export interface HeldDirectives {
  /** The directives that apply, oldest first. */
  readonly directives: readonly Directive[];
  /** The directives that were ended, and when, oldest first. */
  readonly closed_orders: readonly ClosedOrder[];
}

export interface ClosedOrder {
  readonly text: string;
  readonly ts?: string;
}

const MAX_DIRECTIVES = 5_000;
const MAX_CLOSED = 200;

export function foldDirectives(earlier: HeldDirectives, said: readonly Directive[]): HeldDirectives {
  const subjects = new Map<Directive, Subject | null>();
  /** The subject of each directive, computed once; null for a directive that neither replaces one nor is replaced. */
  const subjectAmong = (directive: Directive) => {
    const known = subjects.get(directive);
    if (known !== undefined) return known;
    const subject = isStanding(directive) ? subjectOf(directive) : null;
    subjects.set(directive, subject);
    return subject;
  };
  const closed = new Map(earlier.closed_orders.map((order) => [order.text, order]));
  let held = [...earlier.directives];
  for (const { closes = [], ...directive } of said) {
    const since = directive.ts === undefined ? {} : { ts: directive.ts };
    const subject = directive.text === "" ? null : subjectAmong(directive);
    for (const { text } of closes) closed.set(text, { text, ...since });
    held = held.filter((other) => {
      if (closes.some((name) => isNamed(other, name)) || other.text === directive.text) return false;
      const before = subject === null ? null : subjectAmong(other);
      const isReplaced = subject !== null && before !== null && isSameSubject(before, subject);
      if (isReplaced) closed.set(other.text, { text: other.text, ...since });
      return !isReplaced;
    });
    if (directive.text === "") continue;
    closed.delete(directive.text);
    held.push(directive);
  }
  return { directives: held.slice(-MAX_DIRECTIVES), closed_orders: [...closed.values()].slice(-MAX_CLOSED) };
}

function isNamed(directive: Directive, { path, text }: DirectiveName): boolean {
  return directive.text === text && (path === "" || directive.path === path);
}
