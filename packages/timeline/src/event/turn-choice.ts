/** The agent and the model that a message asks for. A turn keeps those of the message that opened it. */
import type { EventBody } from "./event.ts";

/** Empty when the message asks for neither. */
export type TurnChoice = Pick<EventBody<"turn.opened">, "agent" | "model">;

/** The choice in the body of an event, without its other fields. */
export function choiceIn({ agent, model }: TurnChoice): TurnChoice {
  return { ...(agent === undefined ? {} : { agent }), ...(model === undefined ? {} : { model }) };
}
