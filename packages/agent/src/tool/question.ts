/**
 * Questions that a running tool asks a person.
 *
 * `run` returns an `Asking`; the call then waits like one that needs approval, and no turn runs. When the answer has
 * arrived, `run` is called again and finds the answer, with the state that it returned, in `context.answered`.
 */
import { CairnError, isJsonObject, type Json, type JsonObject, type Question } from "@cairn/timeline";
import { schemaCheck } from "../schema/schema-check.ts";

export class Asking {
  readonly question: Question;
  /** Stored with the question. People do not see it. */
  readonly state: Json;

  constructor(question: Question, state: Json) {
    this.question = question;
    this.state = state;
  }
}

export interface Answered {
  readonly action: "accept" | "decline" | "cancel";
  /** The values of the form; empty unless the person accepted. */
  readonly content: JsonObject;
  readonly state: Json;
}

/** The answer with the defaults of the form for fields that it leaves out. Throws `bad_request` if it does not match. */
export function checkAnswer({ form = {} }: Question, given: JsonObject): JsonObject {
  const fields = isJsonObject(form.properties) ? Object.entries(form.properties) : [];
  const defaults = fields.flatMap(([name, field]) =>
    isJsonObject(field) && field.default !== undefined ? [[name, field.default] as const] : [],
  );
  const answer = { ...Object.fromEntries(defaults), ...given };
  const check = schemaCheck(form);
  const [issue] = check?.(answer) ?? [];
  if (issue === undefined) return answer;
  const field = issue.path.join(".");
  throw new CairnError(
    "bad_request",
    `The answer does not match the form${field && ` at ${field}`}: ${issue.message}`,
    {
      field,
    },
  );
}
