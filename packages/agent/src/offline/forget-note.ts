/** Forgets what a user asked to remember: it is not quoted any more, and its standing order is closed. */
import { statementsOf } from "./forgotten.ts";
import { quoted } from "./recall.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import { listNames } from "./wording.ts";

const NOTE = "react.note";

export function forgetNote(situation: Situation): OfflineDecision {
  const { offered, phrases, timeline } = situation;
  const { last } = statementsOf(timeline.turns);
  if (last.length === 0) return answer(situation.introduced(phrases.howToChangeNotes));
  const calls = last.map(({ said }) => ({ name: NOTE, params: { kind: "rule", replaces: said } }));
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
