/**
 * Traits of a tool: what the engine and the views need to know about its calls. A tool declares them, and each call
 * records them (`meta.traits` of the call's block), so that a conversation means the same after the tool has changed or
 * is gone. Calls that record no traits have those that belong to the name of their tool (`named-tools.ts`).
 */
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../base/json.ts";

export interface ToolTraits {
  /** Whether results are large and can be requested again, so that pruning also removes them from recent turns. */
  readonly bulky?: boolean | undefined;
  /** Whether the tool shows content that has a path of its own. Showing it again is not a new version. */
  readonly showsAgain?: boolean | undefined;
  /** Whether results only refer to content that has a path of its own, so that a summary does not list them. */
  readonly refers?: boolean | undefined;
  /** The files among its results: written by the agent, written and shown as a diff, or a program's output. */
  readonly files?: "written" | "patched" | "output" | undefined;
  /** Whether the result is a list of sources, which pruning shortens one by one. */
  readonly rows?: boolean | undefined;
  /**
   * How a result that settled as `ok` tells that something failed: the report of a program, an object of pages by
   * address, or an object with the lists `missing` and `unreadable`.
   */
  readonly report?: "program" | "pages" | "paths" | undefined;
  /** Whether the client runs the call, so that the turn waits for the output. */
  readonly client?: boolean | undefined;
  /** The programming language of its code. */
  readonly language?: string | undefined;
  readonly label?: RoundLabel | undefined;
}

/**
 * A round in a few words for people, such as “Read menu.pdf”. People see these words even if the call is internal, so
 * they must not contain its parameters; `shows` names the parameter to add, and adds it only if people may see it.
 */
export interface RoundLabel {
  readonly icon: RoundIcon;
  /** Label of a call that succeeded, in the past tense, such as “Wrote”. */
  readonly done: string;
  /** Label of any other call, in the base form, such as “Write”. */
  readonly doing: string;
  readonly shows?:
    | {
        /** The first of these parameters that the call has: a text, or a list of texts. */
        readonly params: readonly string[];
        /** How the parameter is shown: as it is, in quotation marks, as a file name, or as the host of an address. */
        readonly as: "text" | "quote" | "file" | "host";
      }
    | undefined;
}

const ICONS = ["read", "write", "plan", "search", "web", "run", "hide", "document", "tool"] as const;
export type RoundIcon = (typeof ICONS)[number];

export const NO_TRAITS: ToolTraits = {};

/** The traits that a call's block records, unchecked; null if none. Readers must handle any values. */
export function recordedTraits(meta: JsonObject | undefined): ToolTraits | null {
  const traits = meta?.traits;
  return isJsonObject(traits) ? (traits as ToolTraits) : null;
}

const words = z.string().max(200);

const schemaOfTraits = () =>
  z.object({
    bulky: z.boolean().optional().catch(undefined),
    showsAgain: z.boolean().optional().catch(undefined),
    refers: z.boolean().optional().catch(undefined),
    files: z.enum(["written", "patched", "output"]).optional().catch(undefined),
    rows: z.boolean().optional().catch(undefined),
    report: z.enum(["program", "pages", "paths"]).optional().catch(undefined),
    client: z.boolean().optional().catch(undefined),
    language: words.optional().catch(undefined),
    label: z
      .object({
        icon: z.enum(ICONS),
        done: words,
        doing: words,
        shows: z.object({ params: z.array(words), as: z.enum(["text", "quote", "file", "host"]) }).optional(),
      })
      .optional()
      .catch(undefined),
  });

/** The schema is made with the first check, because only views need it. */
let schema: ReturnType<typeof schemaOfTraits> | null = null;

/** The traits after a check, for views: a field of a wrong type is left out. */
export function checkTraits(traits: ToolTraits): ToolTraits {
  schema ??= schemaOfTraits();
  return schema.parse(traits);
}
