/** Sends one call of a tool over an open connection, as a task if the tool or the server wants that. */
import type { Answered } from "@cairn/agent";
import type { CallToolResult, Client, InputRequiredResult, Tool as McpTool } from "@modelcontextprotocol/client";
import type { Rounds } from "./elicitation.ts";
import type { RunningCall } from "./running-call.ts";
import { answerTask, awaitTask, mustBeTask, pollTask, startTask, taskIn } from "./tool-task.ts";

export interface McpCall {
  readonly name: string;
  readonly params: Record<string, unknown>;
  /** Whether making the call twice has the same effect as making it once. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** The answer to the question that the call asked. */
  readonly answered?: Answered | undefined;
}

/** A call of a tool as it is sent to the server. */
export interface SentCall extends Omit<McpCall, "answered"> {
  readonly running: RunningCall;
  readonly rounds: Rounds | null;
}

const MAX_TIMER_LENGTH = 2 ** 31 - 1;

/** `toolDefinition`: as the server has listed the tool. */
export async function sendCall(
  client: Client,
  { name, params, signal, onProgress, running, rounds }: SentCall,
  toolDefinition: McpTool | undefined,
  timeoutMs: number,
): Promise<CallToolResult | InputRequiredResult> {
  const { requestState, answers = {}, task = null } = rounds ?? {};
  const about = {
    client,
    signal,
    timeoutMs,
    onStatus: (status: string) => {
      running.heard();
      onProgress(status);
    },
  };
  if (mustBeTask(client, toolDefinition)) {
    running.task ??= await startTask({ name, arguments: params }, about);
    return await awaitTask(running.task, about);
  }
  if (task !== null && running.task === null) await answerTask(task, answers, about);
  running.task ??= task;
  if (running.task !== null) return await pollTask(running.task, answers, about);
  const result = await client.callTool(
    {
      name,
      arguments: params,
      ...(Object.keys(answers).length === 0 ? {} : { inputResponses: answers }),
      ...(requestState === undefined ? {} : { requestState }),
    },
    {
      signal,
      // The SDK's own timeout is off, because the running call has one.
      timeout: MAX_TIMER_LENGTH,
      allowInputRequired: true,
      onprogress: ({ progress, total, message }) => {
        running.heard();
        onProgress(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`));
      },
      // The definition says which parameters are also sent as headers.
      ...(toolDefinition === undefined ? {} : { toolDefinition }),
    },
  );
  running.task = taskIn(result);
  return running.task === null ? result : await pollTask(running.task, {}, about);
}
