/**
 * The directives that hold: what was said, in order, with each later one in the place of those it corrects.
 *
 * A directive that is said again counts as said last. A standing one takes the place of earlier ones on the same
 * subject. One may name others that it closes, and one without words does nothing else.
 */
import { type Directive, isStanding } from "./directives.ts";
import { isSameSubject, type Subject, subjectOf } from "./subject.ts";

export function foldDirectives(earlier: readonly Directive[], said: readonly Directive[]): Directive[] {
  const subjects = new Map<Directive, Subject | null>();
  /** Judged once each; null for one that takes nobody's place and gives its own to nobody. */
  const subjectAmong = (directive: Directive) => {
    const known = subjects.get(directive);
    if (known !== undefined) return known;
    const subject = isStanding(directive) ? subjectOf(directive) : null;
    subjects.set(directive, subject);
    return subject;
  };
  let held = [...earlier];
  for (const { closes = [], ...directive } of said) {
    if (closes.length > 0)
      held = held.filter((other) => !closes.some(({ path, text }) => other.path === path && other.text === text));
    if (directive.text === "") continue;
    const subject = subjectAmong(directive);
    held = held.filter((other) => {
      if (other.text === directive.text) return false;
      const before = subject === null ? null : subjectAmong(other);
      return subject === null || before === null || !isSameSubject(before, subject);
    });
    held.push(directive);
  }
  return held;
}
