/**
 * Calls that a server runs as a task: the server returns an id at once, and the client asks for the outcome. In
 * 2025-11-25 a tool declares that its calls must be tasks. In 2026-07-28 (the extension
 * `io.modelcontextprotocol/tasks`) the server decides for each call; a question is part of the task, so its answer
 * needs no open connection.
 */
import { addAbortListener } from "node:events";
import { setTimeout } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";
import {
  type CallToolResult,
  type Client,
  type ElicitResult,
  type InputRequiredResult,
  type JSONRPCMessage,
  type Tool as McpTool,
  specTypeSchemas,
  type Transport,
} from "@modelcontextprotocol/client";
import { z } from "zod";

export const TASKS = "io.modelcontextprotocol/tasks";

const POLL_MS = { least: 100, usual: 1_000, most: 30_000 };
const MAX_TIMER_LENGTH = 2 ** 31 - 1;

/** The status of a task in both revisions. Only the older revision has `pollInterval`. */
const taskSchema = z.looseObject({
  taskId: z.string().min(1).max(1_000),
  status: z.string(),
  statusMessage: z.string().optional(),
  pollInterval: z.number().optional(),
  pollIntervalMs: z.number().optional(),
  inputRequests: z.record(z.string(), z.unknown()).optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Task = z.output<typeof taskSchema>;

const createdSchema = z.looseObject({ task: taskSchema });
const anything = z.looseObject({});

export interface TaskOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Timeout of one request about the task. */
  readonly timeoutMs: number;
  /** Called when the server has told the status of the task. */
  readonly onStatus: (status: string) => void;
}

/** Whether a call of the tool must be a task (2025-11-25). */
export function mustBeTask(client: Client, tool: McpTool | undefined): boolean {
  return (
    tool?.execution?.taskSupport === "required" && client.getServerCapabilities()?.tasks?.requests?.tools !== undefined
  );
}

/** Starts a task in 2025-11-25, and returns its id. */
export async function startTask(
  params: { readonly name: string; readonly arguments: Record<string, unknown> },
  { client, signal, timeoutMs }: TaskOptions,
): Promise<string> {
  const request = { method: "tools/call", params: { ...params, task: {} } };
  return (await client.request(request, createdSchema, { signal, timeout: timeoutMs })).task.taskId;
}

/**
 * Waits for the outcome of a task in 2025-11-25. The request for the result stays open until there is a result, and the
 * server asks its questions meanwhile. The client also asks for the status of the task.
 */
export async function awaitTask(taskId: string, options: TaskOptions): Promise<CallToolResult> {
  const { client, signal } = options;
  using _ = cancelOnAbort(taskId, options);
  const over = new AbortController();
  const watching = watch(taskId, options, AbortSignal.any([signal, over.signal]));
  try {
    const request = { method: "tasks/result", params: { taskId } };
    return await client.request(request, specTypeSchemas.CallToolResult, { signal, timeout: MAX_TIMER_LENGTH });
  } finally {
    over.abort();
    await watching;
  }
}

/** Asks for the status until the result has arrived. Errors are ignored: the request for the result reports them. */
async function watch(taskId: string, options: TaskOptions, signal: AbortSignal): Promise<void> {
  try {
    for (;;) {
      const task = await readTask(taskId, { ...options, signal });
      options.onStatus(statusOf(task));
      await setTimeout(pauseOf(task), undefined, { signal });
    }
  } catch {
    return;
  }
}

/** Answers the questions of a task in 2026-07-28. */
export async function answerTask(
  taskId: string,
  inputResponses: Readonly<Record<string, ElicitResult>>,
  { client, signal, timeoutMs }: TaskOptions,
): Promise<void> {
  const request = { method: "tasks/update", params: { taskId, inputResponses } };
  await client.request(request, anything, { signal, timeout: timeoutMs });
}

/** Waits for the outcome of a task in 2026-07-28, or for questions besides those that were answered. */
export async function pollTask(
  taskId: string,
  answered: Readonly<Record<string, unknown>>,
  options: TaskOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal, onStatus } = options;
  using _ = cancelOnAbort(taskId, options);
  for (;;) {
    const task = await readTask(taskId, options);
    onStatus(statusOf(task));
    switch (task.status) {
      case "completed":
        return resultOf(task);
      case "failed":
      case "cancelled":
        throw new CairnError(
          "mcp_error",
          `The task of the MCP server ${task.status === "failed" ? "failed" : "was cancelled"}: ${task.error?.message ?? statusOf(task)}`,
        );
      default: {
        const open = Object.entries(task.inputRequests ?? {}).filter(([key]) => !Object.hasOwn(answered, key));
        if (task.status === "input_required" && open.length > 0)
          return { resultType: "input_required", inputRequests: Object.fromEntries(open) } as InputRequiredResult;
        await setTimeout(pauseOf(task), undefined, { signal });
      }
    }
  }
}

function resultOf({ result }: Task): CallToolResult {
  const parsed = specTypeSchemas.CallToolResult["~standard"].validate(result);
  if (parsed instanceof Promise || parsed.issues !== undefined)
    throw new CairnError("mcp_error", "The task of the MCP server has ended without a valid result.");
  return parsed.value;
}

async function readTask(taskId: string, { client, signal, timeoutMs }: TaskOptions): Promise<Task> {
  return await client.request({ method: "tasks/get", params: { taskId } }, taskSchema, { signal, timeout: timeoutMs });
}

/** Cancels a task, so that the server ends the work of a call that was cancelled or that timed out. */
function cancelOnAbort(taskId: string, { client, signal, timeoutMs }: TaskOptions): Disposable {
  return addAbortListener(signal, () => {
    cancelTask(taskId, client, timeoutMs).catch(() => undefined); // The call has already ended here, so the error is ignored.
  });
}

export async function cancelTask(taskId: string, client: Client, timeout: number): Promise<void> {
  await client.request({ method: "tasks/cancel", params: { taskId } }, anything, { timeout });
}

function statusOf({ statusMessage, status }: Task): string {
  return (statusMessage ?? status).slice(0, 500).toWellFormed();
}

function pauseOf({ pollIntervalMs, pollInterval }: Task): number {
  const asked = pollIntervalMs ?? pollInterval ?? POLL_MS.usual;
  return Math.min(POLL_MS.most, Math.max(POLL_MS.least, asked));
}

/**
 * The client rejects results of extensions. A task in 2026-07-28 is therefore put into the metadata of a complete result
 * before the client reads the message.
 */
export function admitTasks(transport: Transport): void {
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!("result" in message) || message.result.resultType !== "task") return;
    const { resultType: _, ...task } = message.result;
    Object.assign(message, {
      result: { resultType: "complete", content: [], structuredContent: {}, _meta: { [TASKS]: task } },
    });
  };
}

/** The id of the task that the server has begun instead of returning a result; null for a result. */
export function taskIn(result: object): string | null {
  const meta = "_meta" in result ? (result._meta as Readonly<Record<string, unknown>> | undefined) : undefined;
  return taskSchema.safeParse(meta?.[TASKS]).data?.taskId ?? null;
}
