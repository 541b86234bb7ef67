/** Sends a message. It is shown at once, retried while the server is unreachable, and kept if it is rejected. */
import type { SendMode, SentPrompt } from "@cairn/api";
import { ApiError } from "../api/api-error.ts";
import { wait, waitAfter } from "../api/follow.ts";
import { sendTurn } from "../api/send-turn.ts";
import { chosenModel } from "./chosen-model.ts";
import { chosenReasoning } from "./chosen-reasoning.ts";
import { reasonOf, refreshList } from "./conversation-list.ts";
import { updateSession } from "./open-session.ts";
import { forgetUnsent, keepUnsent, readUnsent, type Unsent } from "./outbox.ts";
import { addOutgoing, changeOutgoing, dropOutgoing, type Outgoing } from "./session.ts";
import { keepWaitingFiles } from "./waiting-files.ts";

export interface Message {
  readonly text: string;
  readonly files: readonly File[];
  readonly mode: SendMode;
  /** The prompt of an MCP server that the message was made with. */
  readonly prompt?: SentPrompt | null;
}

/** Messages that this page is sending, by key. */
const onTheWay = new Map<string, { readonly outgoing: Outgoing; readonly control: AbortController }>();
/** Maximum number of attempts while the server is overloaded. Then the user decides. */
const MAX_TRIES = 6;
const FILES_LOST =
  "The page was closed before the files were uploaded. Take the message back and attach the files again.";

export async function sendMessage(id: string, { text, files, mode, prompt = null }: Message): Promise<void> {
  // A message that steers uses the model and the reasoning of the running turn.
  const [model, reasoning] = mode === "steer" ? [null, null] : [chosenModel(), chosenReasoning()];
  await deliver(id, { key: randomKey(), mode, model, reasoning, message: text, prompt, files, ...FRESH });
}

const FRESH = { progress: 0, delay: null, problem: null, acceptedSeq: null } as const;

/** Sends a failed message again. */
export async function resendMessage(id: string, outgoing: Outgoing): Promise<void> {
  await deliver(id, { ...outgoing, ...FRESH });
}

/** Removes a message that was not accepted yet. */
export function takeBackMessage(id: string, key: string): void {
  onTheWay.get(key)?.control.abort();
  forgetUnsent(id, key);
  updateSession(id, (session) => dropOutgoing(session, key));
}

/** Resumes unsent messages when a conversation is opened. */
export function resumeUnsent(id: string): void {
  for (const kept of readUnsent(id)) {
    const running = onTheWay.get(kept.key)?.outgoing;
    const outgoing = running ?? restored(kept);
    if (running !== undefined || outgoing.problem !== null)
      updateSession(id, (session) => addOutgoing(session, outgoing));
    else void deliver(id, outgoing);
  }
}

function restored({ key, mode, model, reasoning, message, prompt, files, problem }: Unsent): Outgoing {
  const lost = files > 0 ? FILES_LOST : null;
  return { key, mode, model, reasoning, message, prompt, files: [], ...FRESH, problem: problem ?? lost };
}

async function deliver(id: string, outgoing: Outgoing): Promise<void> {
  const { key, message, mode, model, reasoning, prompt, files } = outgoing;
  const control = new AbortController();
  const { signal } = control;
  onTheWay.set(key, { outgoing, control });
  keepUnsent(id, outgoing);
  updateSession(id, (session) => addOutgoing(session, outgoing));
  const change = (to: Partial<Outgoing>) => updateSession(id, (session) => changeOutgoing(session, key, to));
  const onProgress = (progress: number) => change({ progress, delay: null });
  try {
    await checkReadable(files);
    const accepted = await untilAnswered(
      () => sendTurn(id, { message, mode, model, reasoning, key, prompt, attachments: files }, { signal, onProgress }),
      signal,
      (delay) => change({ delay, progress: 0 }),
    );
    forgetUnsent(id, key);
    keepWaitingFiles(accepted.input_key, files);
    change({ progress: 1, acceptedSeq: accepted.seq });
    await refreshList();
  } catch (error) {
    if (signal.aborted) return;
    const problem = reasonOf(error);
    keepUnsent(id, { ...outgoing, problem });
    change({ problem, progress: 0 });
  } finally {
    onTheWay.delete(key);
  }
}

/** Retries without limit while the server is unreachable, and a few times while it is overloaded. */
async function untilAnswered<T>(
  send: () => Promise<T>,
  signal: AbortSignal,
  onDelay: (reason: string) => void,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (signal.aborted || !(error instanceof ApiError) || !error.isPassing) throw error;
      if (error.status !== 0 && tries >= MAX_TRIES) throw error;
      // The page already shows that the server is unreachable.
      if (error.status !== 0) onDelay(error.message);
      await wait(error.retryAfterMs ?? waitAfter(tries), signal);
      signal.throwIfAborted();
    }
  }
}

/** Checks the files first, because the upload of a moved or changed file fails as if the server were unreachable. */
async function checkReadable(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      throw new Error(`${file.name} can no longer be read. Take the message back and attach the file again.`);
    }
  }
}

/** A unique key: 128 random bits. (`crypto.randomUUID` is missing on insecure pages.) */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
