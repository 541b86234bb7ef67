/** Forgets what a user asked to remember: it is not quoted any more, and its standing order is closed. */
import { statementsOf } from "./forgotten.ts";
import { quoted } from "./recall.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { listNames } from "./wording.ts";

const NOTE = "react.note";

export function forgetNote(situation: Situation): OfflineDecision {
  const { offered, phrases, timeline } = situation;
  const { closed, last } = statementsOf(timeline);
  if (last.length === 0) return answer(situation.introduced(`${phrases.notToldMe} ${phrases.howToChangeNotes}`));
  const calls = closed.map(({ said, rest }) => ({
    name: NOTE,
    params: { kind: "rule", replaces: said, ...(rest === "" ? {} : { text: rest }) },
  }));
  if (offered.has(NOTE) && situation.callOf(NOTE) === undefined) return { text: phrases.forgetting, calls };
  return answer(
    phrases.forgot(
      listNames(
        last.map(({ what }) => quoted(what)),
        phrases,
      ),
    ),
  );
}
