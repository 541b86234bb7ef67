/**
 * Sends a message and sees it through: shown at once, uploaded with its attachments, tried again while the server is
 * gone, kept with what went wrong when it is refused. Nothing typed is lost on the way, whatever page is open meanwhile.
 */
import { ApiError } from "../api/api-error.ts";
import { waitAfter } from "../api/follow.ts";
import { type SendMode, sendTurn } from "../api/send-turn.ts";
import { updateSession } from "./app-state.ts";
import { chosenModel } from "./chosen-model.ts";
import { reasonOf, refreshList } from "./conversation-list.ts";
import { forgetUnsent, keepUnsent, readUnsent, type Unsent } from "./outbox.ts";
import { randomKey } from "./random-key.ts";
import { addOutgoing, changeOutgoing, dropOutgoing, type Outgoing } from "./session.ts";

export interface Message {
  readonly text: string;
  readonly files: readonly File[];
  readonly mode: SendMode;
}

/** What is on its way from this page, by key. */
const onTheWay = new Map<string, { readonly outgoing: Outgoing; readonly control: AbortController }>();
/** How often a server that answers, but has no room, is asked before the user is. */
const MOST_TRIES = 6;
const FILES_LOST = "The page was closed before the files were uploaded. Take it back and attach them again.";

export async function sendMessage(id: string, { text, files, mode }: Message): Promise<void> {
  // A message that steers is for the turn that runs, with the model it has.
  const model = mode === "steer" ? null : chosenModel();
  await deliver(id, { ...{ key: randomKey(), mode, model, message: text, files }, ...FRESH });
}

const FRESH = { progress: 0, delay: null, problem: null, acceptedSeq: null } as const;

/** Sends again what was refused or did not get through. */
export async function resendMessage(id: string, outgoing: Outgoing): Promise<void> {
  await deliver(id, { ...outgoing, ...FRESH });
}

/** Takes back a message that has not arrived. */
export function takeBackMessage(id: string, key: string): void {
  onTheWay.get(key)?.control.abort();
  forgetUnsent(id, key);
  updateSession(id, (session) => dropOutgoing(session, key));
}

/** Takes up, in a conversation that is opened, what had not been sent when it or the page was left. */
export function resumeUnsent(id: string): void {
  for (const kept of readUnsent(id)) {
    const running = onTheWay.get(kept.key)?.outgoing;
    const outgoing = running ?? restored(kept);
    if (running !== undefined || outgoing.problem !== null)
      updateSession(id, (session) => addOutgoing(session, outgoing));
    else void deliver(id, outgoing);
  }
}

function restored({ key, mode, model, message, files, problem }: Unsent): Outgoing {
  const lost = files > 0 ? FILES_LOST : null;
  return { ...{ key, mode, model, message, files: [] }, ...FRESH, problem: problem ?? lost };
}

async function deliver(id: string, outgoing: Outgoing): Promise<void> {
  const { key, message, mode, model, files } = outgoing;
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
      () => sendTurn(id, { message, mode, model, key, attachments: files }, { signal, onProgress }),
      signal,
      (delay) => change({ delay, progress: 0 }),
    );
    forgetUnsent(id, key);
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

/** Tries while the server is gone, for as long as it takes, and a few times while it has no room. */
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
      if (error.status !== 0 && tries >= MOST_TRIES) throw error;
      // That the server is gone is told for the whole page already.
      if (error.status !== 0) onDelay(error.message);
      await wait(error.retryAfterMs ?? waitAfter(tries), signal);
      signal.throwIfAborted();
    }
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      resolve();
    },
    { once: true },
  );
  return promise;
}

/** A file that was moved or changed since it was attached breaks the upload as a server that is gone would: asked first. */
async function checkReadable(files: readonly File[]): Promise<void> {
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      throw new Error(`${file.name} can no longer be read. Take the message back and attach the file again.`);
    }
  }
}
