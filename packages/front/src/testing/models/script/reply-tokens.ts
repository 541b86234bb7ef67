/** The output tokens of a scripted message, and the text of a call's arguments. */
import type { CountTokens } from "@cairn/timeline";
import type { MessageReply, ScriptedCall } from "./reply.ts";

export interface OutputTokens {
  readonly thinking: number;
  /** All output tokens, thinking included. */
  readonly total: number;
}

export function outputTokensOf(reply: MessageReply, countTokens: CountTokens): OutputTokens {
  const count = (text: string | undefined) => (text === undefined || text === "" ? 0 : countTokens(text));
  const thinking = count(reply.thinking) + count(reply.redacted);
  const calls = (reply.calls ?? []).reduce((sum, call) => sum + count(call.name) + count(argumentsOf(call)), 0);
  return { thinking, total: thinking + count(reply.text) + count(reply.refusal) + calls };
}

export function argumentsOf({ rawInput, input = {} }: ScriptedCall): string {
  return rawInput ?? JSON.stringify(input);
}
