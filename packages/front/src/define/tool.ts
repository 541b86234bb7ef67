/** A tool of an application: a typed input, and a function that does the work. This file imports no other code. */
import type { AnyTool, Caller, DeclaredTraits, Tool as LowerTool, ToolContext } from "@cairn/agent";
import type { Json, JsonObject } from "@cairn/timeline";
import { CairnError } from "@cairn/timeline/error";
import type { z } from "zod";
import { checkOptions, type OptionKinds } from "./check-options.ts";

/** Identifies a call, and the user for whom it would run. No part of it comes from the model. */
export interface JudgedCall<C = JsonObject> extends Caller<C> {
  /** The id of the call. */
  readonly call: string;
}

/** What a running tool gets in addition to its input. No part of it comes from the model. */
export interface ToolCall<C = JsonObject> extends JudgedCall<C> {
  /** Aborts when the user cancels, when the timeout is reached, and when another process takes over the turn. */
  readonly signal: AbortSignal;
  /** Shows a text to people who watch the running tool. Not stored. */
  readonly progress: (text: string) => void;
}

export interface ToolOptions<I extends z.ZodType, C> {
  /** Name of the tool: letters, digits, `_`, `-` and dots. */
  readonly name: string;
  /** Tells the model what the tool does and when to use it. */
  readonly description: string;
  /** An object schema. Input that does not match the schema is reported to the model, and `run` is not called. */
  readonly input: I;
  /** A schema for the context of the call: its type, and a check. A call with another context fails. */
  readonly context?: z.ZodType<C>;
  /**
   * Whether a person must approve a call first; a function decides by the input and the caller. The person sees the
   * call, so the function must not return true for data that the caller may not see. Default: never.
   */
  readonly approval?: boolean | ((input: z.output<I>, call: JudgedCall<C>) => boolean);
  /** Timeout of a call in milliseconds; default two minutes. */
  readonly timeout?: number;
  /** Whether running a call twice has the same effect as once. After a crash, an interrupted call then runs again. */
  readonly idempotent?: boolean;
  /** The labels of its calls for people, and how its results are pruned and summarised. */
  readonly traits?: DeclaredTraits;
  /**
   * The returned value, as JSON, is the result. The model reads a thrown error. Without `run`, a client such as a
   * browser runs the call, and the turn waits for its output.
   */
  readonly run?: (input: z.output<I>, call: ToolCall<C>) => unknown;
}

/** The type of a tool with any input. */
export type Tool = AnyTool;

const OPTIONS: OptionKinds<ToolOptions<z.ZodType, unknown>> = {
  name: "text",
  description: "text",
  input: "any",
  context: "schema",
  approval: ["flag", "function"],
  timeout: "number",
  idempotent: "flag",
  traits: "object",
  run: "function",
};

/** Defines a tool: what the model is told about it, the schema of its input, and the function that runs it. */
export function tool<I extends z.ZodType, C = JsonObject>(options: ToolOptions<I, C>): Tool {
  checkOptions(options, OPTIONS, options?.name === undefined ? "`tool`" : `the tool ${options.name}`, "bad_tool");
  const { name, description, input, context: schema, approval = false, run, timeout, idempotent, traits } = options;
  if (run === undefined && approval !== false)
    throw new CairnError(
      "bad_tool",
      `The tool ${name} has no \`run\`: its client decides, so it takes no \`approval\`.`,
      { field: "approval" },
    );
  const lower: LowerTool<z.output<I>> = {
    id: name,
    description,
    params: input as z.ZodType<z.output<I>>,
    ...(timeout === undefined ? {} : { timeout }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(run === undefined ? { traits: { ...traits, client: true } } : traits === undefined ? {} : { traits }),
    approval:
      typeof approval === "function"
        ? (params, context) => approval(params, judgedCall(schema, context))
        : approval
          ? "always"
          : "never",
    run: async (params, context) => {
      if (run === undefined) throw new Error("The client runs this tool.");
      const { signal, progress } = context;
      const ret = await run(params, { ...judgedCall(schema, context), signal, progress });
      return { ok: true, error: null, ret: resultOf(ret) };
    },
  };
  return lower;
}

/**
 * Objects with a field `error` or `artifact_path` have a meaning on the timeline: the runtime writes them for failed
 * calls and for files. A tool's result with such a field is put into `{ result }`.
 */
function resultOf(returned: unknown): Json {
  if (typeof returned === "function" || typeof returned === "symbol")
    throw new TypeError(`The tool returned a ${typeof returned}. Return a value that JSON can represent.`);
  const value = (returned ?? null) as Json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { error, artifact_path } = value as JsonObject;
  const isTaken = (typeof error === "object" && error !== null) || typeof artifact_path === "string";
  return isTaken ? { result: value } : value;
}

function judgedCall<C>(
  schema: z.ZodType<C> | undefined,
  { owner: scope, conversation, turnId: turn, callId: call, context }: ToolContext,
): JudgedCall<C> {
  return { scope, conversation, turn, call, context: contextOf(schema, context) };
}

/** Without a schema, the type of the context is any JSON object. */
function contextOf<C>(schema: z.ZodType<C> | undefined, context: JsonObject): C {
  if (schema === undefined) return context as C;
  const checked = schema.safeParse(context);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const field = ["context", ...(issue?.path ?? [])].map(String).join(".");
  throw new Error(`\`${field}\` is not what the tool expects: ${issue?.message ?? ""}`);
}
