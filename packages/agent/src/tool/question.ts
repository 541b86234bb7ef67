/**
 * Questions that a running tool asks a person.
 *
 * `run` returns an `Asking`; the call then waits like one that needs approval, and no turn runs. When the answer has
 * arrived, `run` is called again and finds in `context.answered` the answer and the state that its `Asking` had.
 */
import { CairnError, isJsonObject, type Json, type JsonObject, type Question } from "@cairn/timeline";
import { schemaCheck } from "../schema/schema-check.ts";

export class Asking {
  readonly question: Question;
  /** State for the next run of the tool. It is stored with the question, and people do not see it. */
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

/** The answer, with the form's defaults for missing fields. Throws `bad_request` if the answer does not match. */
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
