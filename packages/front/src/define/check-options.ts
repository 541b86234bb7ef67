/** Checks the options that an application passes, so that a misspelt or wrong option is not ignored. */
import { CairnError } from "@cairn/timeline/error";

const KINDS = {
  text: (value: unknown) => typeof value === "string",
  number: (value: unknown) => typeof value === "number",
  limit: (value: unknown) => typeof value === "number" && value > 0 && Number.isFinite(value),
  flag: (value: unknown) => typeof value === "boolean",
  function: (value: unknown) => typeof value === "function",
  list: (value: unknown) => Array.isArray(value),
  object: (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value),
  schema: (value: unknown) => typeof (value as { readonly safeParse?: unknown } | null)?.safeParse === "function",
  any: () => true,
};

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  text: "a string",
  number: "a number",
  limit: "a number above 0",
  flag: "true or false",
  function: "a function",
  list: "a list",
  object: "an object",
  schema: "a schema of zod 4",
  any: "any value",
};

type Kind = keyof typeof KINDS;

/** The kinds of values that each option may have. */
export type OptionKinds<T> = { readonly [Name in keyof T]-?: Kind | readonly Kind[] };

/**
 * Throws an error with this code if `given` has an unknown option, or a value of the wrong kind. `what` names the
 * object with the options in the error. An undefined option counts as absent.
 */
export function checkOptions<T>(given: unknown, kinds: OptionKinds<T>, what: string, code = "bad_request"): void {
  if (!KINDS.object(given)) throw new CairnError(code, `The options of ${what} must be an object.`);
  for (const [name, value] of Object.entries(given as object)) {
    if (!Object.hasOwn(kinds, name)) {
      const known = Object.keys(kinds).join(", ");
      throw new CairnError(code, `\`${name}\` is not an option of ${what}. Its options are: ${known}.`, {
        field: name,
      });
    }
    const allowed = [(kinds as Readonly<Record<string, Kind | readonly Kind[]>>)[name] ?? "any"].flat() as Kind[];
    if (value === undefined || allowed.some((kind) => KINDS[kind](value))) continue;
    const expected = allowed.map((kind) => KIND_NAMES[kind]).join(" or ");
    throw new CairnError(code, `\`${name}\` of ${what} must be ${expected}.`, { field: name });
  }
}
