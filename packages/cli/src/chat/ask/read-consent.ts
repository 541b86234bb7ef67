/** The answer to a request for approval: `y`, `n` or `a`, and after a comma a reason for the model. */
import type { ConsentAnswer } from "@cairn/agent";

const ANSWER = /^(yes|y|all|always|a|no|n)\s*(?:[,:;.]\s*(.*))?$/is;

/** Only a clear yes approves. Any other words refuse the call and become the reason. */
export function readConsent(line: string): Omit<ConsentAnswer, "ts"> {
  const said = line.trim();
  const [, word = "", reason = ""] = ANSWER.exec(said) ?? ["", "no", said];
  const because = reason.trim() === "" ? {} : { reason: reason.trim() };
  const isForAll = /^a/i.test(word);
  return { approve: isForAll || /^y/i.test(word), ...(isForAll ? { remember: true } : {}), ...because };
}
