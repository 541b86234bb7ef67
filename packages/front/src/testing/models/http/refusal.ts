/** An error response, thrown by the code that finds the reason: status, headers, and a body in a provider's format. */
import type { JsonObject } from "@cairn/timeline";

export interface ErrorAnswer {
  readonly status: number;
  readonly body: string | JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends Error {
  readonly answer: ErrorAnswer;

  constructor(answer: ErrorAnswer) {
    super(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
    this.name = "Refusal";
    this.answer = answer;
  }
}
