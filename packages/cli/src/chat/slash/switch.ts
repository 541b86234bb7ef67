/** `/resume`, `/fork` and `/new`: continue with another conversation. */
import type { ConversationInfo, ConversationStore } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { newConversationId } from "cairn-agent/process";
import { forkConversation, giveTitle, withLease } from "cairn-agent/turns";
import { scopeOf } from "../../command/open-data.ts";
import { plainLine } from "../../command/terminal.ts";
import type { SlashCommand, SlashContext } from "./slash-command.ts";

const MAX_LISTED = 10;
const FORK_PATIENCE_MS = 5_000;
const MAX_TITLE_LENGTH = 500;

export const newCommand: SlashCommand = {
  about: "begin a new conversation",
  run: (context) => context.open(null),
};

export const resume: SlashCommand = {
  argument: "[<number or id>]",
  about: "list the latest conversations, or continue one",
  values: async (context) => (await latest(context)).map(({ conversation }) => conversation),
  run: async (context, argument) => {
    if (argument !== "") {
      // A number refers to the row of the list that was shown, even if the order has changed since.
      const ids = context.listed ?? (await latest(context)).map(({ conversation }) => conversation);
      await context.open(ids[Number(argument) - 1] ?? argument);
      return;
    }
    const listed = await latest(context);
    context.list(listed.map(({ conversation }) => conversation));
    if (listed.length === 0) context.output.line("dim", "There are no other conversations yet.");
    else show(context, listed);
  },
};

function show({ output }: SlashContext, listed: readonly ConversationInfo[]): void {
  output.print(listed.map((info, nth) => `${String(nth + 1).padStart(2)}  ${describe(info)}`));
  output.line("dim", "/resume <number> continues one.");
}

export const fork: SlashCommand = {
  argument: "[<turn>]",
  about: "continue in a copy of this conversation, up to a turn (default: the last)",
  run: async (context, argument) => {
    const { chat, store, output } = context;
    const turns = chat.conversation.exists ? (await store.loadOutline(chat.key)).state.turnIds : [];
    const number = argument === "" ? turns.length : Number(argument);
    const turnId = turns[number - 1];
    if (turnId === undefined)
      throw new CairnError(
        "not_found",
        `There is no turn ${argument || "yet"}. The conversation has ${turns.length} turns.`,
      );
    const target = newConversationId(Date.now());
    await forkConversation(forkParts(store), chat.key, target, { turn_id: turnId, edge: "after" }, false);
    const { title } = await store.getConversation(chat.key);
    const name = `Fork of ${(title ?? "").replace(/^Fork of /, "")}`.slice(0, MAX_TITLE_LENGTH).toWellFormed();
    // With the same title, lists would show two equal entries.
    if (title) await giveTitle({ store, now: Date.now }, { ...chat.key, conversation: target }, name);
    output.line("dim", `This is a copy of ${chat.key.conversation}, up to turn ${number}.`);
    await context.open(target);
  },
};

function forkParts(store: ConversationStore): Parameters<typeof forkConversation>[0] {
  const held = { store, now: Date.now };
  return { store, withLease: (key, write) => withLease(held, key, FORK_PATIENCE_MS, write) };
}

async function latest({ terminal, store, chat }: SlashContext): Promise<ConversationInfo[]> {
  const { items } = await store.listConversations(scopeOf(terminal), { limit: MAX_LISTED + 1 });
  return items.filter(({ conversation }) => conversation !== chat.key.conversation).slice(0, MAX_LISTED);
}

function describe({ conversation, last_activity_at, title, turns }: ConversationInfo): string {
  const when = new Date(last_activity_at).toISOString().slice(0, 16).replace("T", " ");
  const count = `${turns} ${turns === 1 ? "turn" : "turns"}`;
  return `${when}  ${count.padStart(8)}  ${plainLine(title ?? conversation)}`;
}
