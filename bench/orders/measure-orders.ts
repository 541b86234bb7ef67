/** Measures how well standing orders are distinguished from other sentences of a chat. */
import { standingOrders, Timeline } from "@cairn/timeline";
import { isForGood, type LabelledMessage } from "./labelled-set.ts";

export interface JudgedMessage {
  readonly message: LabelledMessage;
  /** Whether the rules found a standing order in the message. */
  readonly isOrder: boolean;
}

export interface OrdersResult {
  readonly messages: number;
  /** Precision: of the messages in which an order was found, the share that contains one; from 0 to 1. */
  readonly precision: number;
  /** Recall: of the messages that contain an order, the share in which it was found; from 0 to 1. */
  readonly recall: number;
}

/** Decides as the product does: each message is the only message of a conversation. */
export function judgeMessages(messages: readonly LabelledMessage[]): JudgedMessage[] {
  return messages.map((message) => ({ message, isOrder: givesOrder(message.text) }));
}

function givesOrder(text: string): boolean {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (each) => each.length });
  timeline.openTurn("turn_1");
  timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text }]);
  return standingOrders(timeline.state).length > 0;
}

export function measureOrders(judged: readonly JudgedMessage[]): OrdersResult {
  const given = judged.filter(({ isOrder }) => isOrder);
  const meant = judged.filter(({ message }) => isForGood(message));
  const right = given.filter(({ message }) => isForGood(message)).length;
  return { messages: judged.length, precision: right / given.length, recall: right / meant.length };
}
