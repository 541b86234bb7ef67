/** How well standing orders are distinguished from the rest of a chat. */
import { standingOrders, Timeline } from "@cairn/timeline";
import { isForGood, type LabelledMessage } from "./labelled-set.ts";

export interface JudgedMessage {
  readonly message: LabelledMessage;
  /** Whether the message gave a standing order. */
  readonly isOrder: boolean;
}

export interface OrdersResult {
  readonly messages: number;
  /** Of the messages that gave an order, the share that holds one; from 0 to 1. */
  readonly precision: number;
  /** Of the messages that hold an order, the share that gave it; from 0 to 1. */
  readonly recall: number;
}

/** As the product decides: each is the one message of a conversation. */
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
