/**
 * Finds code with which the engine could give different results for the same input: reading a clock, or drawing random
 * numbers. Biome rejects the globals that the engine must not use at all (`process`, `Buffer`, `performance`, timers).
 * The engine may use `Date`, `Math` and `crypto`, so this check distinguishes their members: `new Date(ms)`
 * is arithmetic, `new Date()` reads the clock.
 */
import { type Expression, type Program, Visitor } from "oxc-parser";

const forbiddenMembers = new Set(["Date.now", "Math.random", "crypto.randomUUID", "crypto.getRandomValues"]);
const forbiddenGlobals = new Set(["process", "Buffer", "performance"]);

/** Each use as `line: code`, in source order. */
export function impureUses(program: Program, text: string): string[] {
  const uses: string[] = [];
  const add = (start: number, what: string) => uses.push(`${lineOf(text, start)}: ${what}`);
  new Visitor({
    MemberExpression: (node) => {
      const property = node.computed ? literalOf(node.property) : nameOf(node.property);
      const object = nameOf(node.object);
      if (object === undefined || property === undefined) return;
      if (forbiddenMembers.has(`${object}.${property}`)) add(node.start, `${object}.${property}`);
      if (object === "globalThis" && forbiddenGlobals.has(property)) add(node.start, `globalThis.${property}`);
    },
    NewExpression: (node) => {
      if (nameOf(node.callee) === "Date" && node.arguments.length === 0) add(node.start, "new Date()");
    },
    CallExpression: (node) => {
      if (nameOf(node.callee) === "Date") add(node.start, "Date()");
    },
  }).visit(program);
  return uses;
}

/** The name of `x`, of `globalThis.x`, or of a property that is an identifier. */
function nameOf(node: Expression | { type: string; name?: unknown }): string | undefined {
  if (node.type === "Identifier" && "name" in node && typeof node.name === "string") return node.name;
  if (node.type !== "MemberExpression" || !("object" in node) || node.computed) return undefined;
  return nameOf(node.object) === "globalThis" ? nameOf(node.property) : undefined;
}

function literalOf(node: { type: string; value?: unknown }): string | undefined {
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
