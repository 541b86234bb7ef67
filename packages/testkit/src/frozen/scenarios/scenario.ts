/** The definition of a frozen conversation, and small functions with which its script is written. */
import type { MessageReply, ModelRequest } from "../../models/index.ts";
import { type Place, PlayedConversation, type PlayOptions } from "./played-conversation.ts";

export interface Scenario {
  /** Name of the conversation. Names of further conversations begin with it. */
  readonly name: string;
  play(place: Place): Promise<void>;
}

export function scenario(
  name: string,
  play: (played: PlayedConversation) => Promise<unknown>,
  options: PlayOptions = {},
): Scenario {
  return {
    name,
    play: async (place) => {
      const played = await PlayedConversation.open(place, name, options);
      await play(played);
      await played.close();
    },
  };
}

export const says = (text: string): MessageReply => ({ text });

export const calls = (...list: readonly [name: string, input: Record<string, unknown>][]): MessageReply => ({
  calls: list.map(([name, input]) => ({ name: name.replace(".", "__"), input: input as never })),
});

export const looks = (what: string, words = 300): MessageReply => calls(["site.look", { what, words }]);

/** A step that hides the last result that the model sees. */
export const hidesLast = ({ texts }: ModelRequest): MessageReply => {
  const path =
    texts
      .join("\n")
      .match(/tc:\S+\.result/g)
      ?.at(-1) ?? "";
  return calls(["react.hide", { path, replacement_text: "Seen; nothing of use." }]);
};

/** Makes a function that accepts the n-th step, from 1, that matches. */
export function step(pattern: RegExp, n = 1): (step: string) => boolean {
  let seen = 0;
  return (each) => pattern.test(each) && ++seen === n;
}

/** Accepts the first step that matches after one that matches `before`. */
export function stepAfter(before: RegExp, pattern: RegExp): (step: string) => boolean {
  let isReached = false;
  return (each) => {
    if (isReached && pattern.test(each)) return true;
    isReached ||= before.test(each);
    return false;
  };
}
