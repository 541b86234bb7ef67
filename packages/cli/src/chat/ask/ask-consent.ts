/** Asks the person about waiting calls: for an approval, for the answer to a question, or for an output. */
import { CairnError, type Question, viewApproval } from "@cairn/timeline";
import { plainLine } from "../../command/terminal.ts";
import type { Approval, Conversation } from "../conversation/conversation.ts";
import { describeCall, describeParams } from "../show/describe-call.ts";
import type { ChatOutput } from "../show/output.ts";
import { askQuestion } from "./ask-question.ts";
import type { LineSource } from "./line-source.ts";
import { readConsent } from "./read-consent.ts";

export interface ConsentParts {
  readonly conversation: Conversation;
  readonly output: ChatOutput;
  readonly lines: LineSource;
  /** Whether a person is at the terminal and can answer. */
  readonly interactive: boolean;
  /** Approve every call that needs approval, without asking. */
  readonly consent: boolean;
  /** Called with a call that no person at this terminal can decide. */
  readonly onWaiting: (approval: Approval, what: string, call: string) => void;
}

/** Returns false when a call waits for a person who cannot answer at this terminal. */
export async function askConsent(parts: ConsentParts): Promise<boolean> {
  const { conversation, consent, interactive } = parts;
  for (const approval of await conversation.approvals()) {
    const { tool_id, params, question, client = false } = viewApproval(approval);
    const call = question === undefined ? describeCall(tool_id, params) : plainLine(`${tool_id}: ${question.message}`);
    if (question === undefined && !client && consent) await conversation.decide(approval, { approve: true });
    else if (!interactive) {
      parts.onWaiting(
        approval,
        client ? "the client program that runs the call" : question === undefined ? "approval" : "an answer",
        call,
      );
      return false;
    } else if (!(await decide())) return false;

    function decide(): Promise<boolean> {
      if (question !== undefined) return answerQuestion(parts, approval, question);
      return client ? refuseClient(parts, approval, call) : approve(parts, approval);
    }
  }
  return true;
}

async function refuseClient({ conversation, lines }: ConsentParts, approval: Approval, call: string): Promise<boolean> {
  const line = await lines.next(`${call} waits for the client program that runs it. Refuse the call? [y/N] `);
  if (line === null || !/^y/i.test(line.trim())) return false;
  await conversation.decide(approval, { approve: false });
  return true;
}

async function approve({ conversation, lines, output }: ConsentParts, approval: Approval): Promise<boolean> {
  const { tool_id, params } = viewApproval(approval);
  for (let showAll = false; ; showAll = true) {
    const { lines: shown, isShortened } = describeParams(params, showAll);
    output.line("yellow", plainLine(`${tool_id} asks for approval${shown.length === 0 ? "." : ":"}`));
    for (const line of shown) output.line("dim", line);
    const more = isShortened ? ", v: view all of it" : "";
    const line = await lines.next(
      `${plainLine(`Allow ${tool_id}? [y/N, a: always in this conversation${more}; a reason after a comma]`)} `,
    );
    if (line === null) return false;
    if (isShortened && /^v(iew)?$/i.test(line.trim())) continue;
    await conversation.decide(approval, readConsent(line));
    return true;
  }
}

/** Asks until the answer matches the form. Returns false when the input has ended. */
async function answerQuestion(parts: ConsentParts, approval: Approval, question: Question): Promise<boolean> {
  const { conversation, lines, output } = parts;
  for (;;) {
    const given = await askQuestion(
      question,
      (line) => output.line("yellow", line),
      (text) => lines.next(text),
    );
    if (given === null) return false;
    try {
      await conversation.decide(approval, given);
      return true;
    } catch (error) {
      if (!CairnError.is(error) || error.code !== "bad_request") throw error;
      output.line("red", error.message);
    }
  }
}
