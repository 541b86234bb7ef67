/**
 * Sends a message and sees it through: shown at once, uploaded with its attachments, tried again while the server is
 * gone, kept with what went wrong when it is refused. Nothing typed is lost on the way.
 */
import { ApiError } from "../api/api-error.ts";
import { waitAfter } from "../api/follow.ts";
import { type SendMode, sendTurn } from "../api/send-turn.ts";
import { sessionOf, updateSession } from "./app-state.ts";
import { refreshList } from "./conversation-list.ts";
import { randomKey } from "./random-key.ts";
import { addOutgoing, changeOutgoing, dropOutgoing } from "./session.ts";

export interface Message {
  readonly text: string;
  readonly files: readonly File[];
  readonly mode: SendMode;
}

const sending = new Map<string, AbortController>();
/** Passing failures that are met with another try before the user is asked. */
const MOST_TRIES = 6;

export async function sendMessage(id: string, { text, files, mode }: Message): Promise<void> {
  const key = randomKey();
  updateSession(id, (session) =>
    addOutgoing(session, { key, mode, message: text, files, progress: 0, problem: null, acceptedSeq: null }),
  );
  await deliver(id, key);
}

/** Sends again what was refused or did not get through. */
export async function resendMessage(id: string, key: string): Promise<void> {
  updateSession(id, (session) => changeOutgoing(session, key, { problem: null, progress: 0 }));
  await deliver(id, key);
}

/** Takes back a message that has not arrived. */
export function takeBackMessage(id: string, key: string): void {
  sending.get(key)?.abort();
  updateSession(id, (session) => dropOutgoing(session, key));
}

async function deliver(id: string, key: string): Promise<void> {
  const control = new AbortController();
  sending.set(key, control);
  try {
    for (let tries = 1; ; tries++) {
      const outgoing = sessionOf(id)?.outgoing.find((each) => each.key === key);
      if (outgoing === undefined) return;
      try {
        const accepted = await sendTurn(
          id,
          { message: outgoing.message, mode: outgoing.mode, key, attachments: outgoing.files },
          {
            signal: control.signal,
            onProgress: (progress) => updateSession(id, (session) => changeOutgoing(session, key, { progress })),
          },
        );
        updateSession(id, (session) => changeOutgoing(session, key, { progress: 1, acceptedSeq: accepted.seq }));
        return refreshList();
      } catch (error) {
        if (control.signal.aborted) return;
        const passes = error instanceof ApiError && error.isPassing && tries < MOST_TRIES;
        if (!passes) {
          const problem = error instanceof Error ? error.message : String(error);
          return updateSession(id, (session) => changeOutgoing(session, key, { problem, progress: 0 }));
        }
        await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs ?? waitAfter(tries)));
      }
    }
  } finally {
    sending.delete(key);
  }
}
