/**
 * The choices that a message makes for its turn: the agent and the model it asks for, the application's context for
 * tools, the schema that its answer must match, and how much the model reasons. A turn keeps the choices of the message
 * that opened it.
 */
import type { EventBody } from "./event.ts";

/** The choice of a message; empty when the message makes no choice. */
export type TurnChoice = Pick<EventBody<"turn.opened">, "agent" | "model" | "context" | "output" | "reasoning">;

/** The choice in the body of an event, without its other fields. */
export function turnChoiceIn({ agent, model, context, output, reasoning }: TurnChoice): TurnChoice {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(context === undefined ? {} : { context }),
    ...(output === undefined ? {} : { output }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
