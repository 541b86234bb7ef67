/** What a message asks for, as far as the offline model can tell: a few plain forms, English only. */
export type Intent =
  | { readonly kind: "greeting" }
  | { readonly kind: "identity" }
  | { readonly kind: "remember"; readonly what: string }
  | { readonly kind: "report"; readonly topic: string }
  | { readonly kind: "question"; readonly text: string };

/** Longer messages are pasted text; what is asked stands at their beginning or end. */
const LONGEST_LOOK = 4_000;
const REMEMBER = /^(?:please )?(?:remember|note|keep in mind|don'?t forget)(?: down)?(?: that|:|,)?\s+(\S[\s\S]*)$/i;
const REPORT =
  /\b(?:write|draft|create|prepare|compose|make|produce)\b[^.?!\n]{0,60}\b(?:report|summary|memo|document|article|brief|overview|essay|paper|file)\b/i;
const TOPIC = /\b(?:about|on|of|for|regarding|summari[sz]ing|describing)\s+(\S[\s\S]*)$/i;
const IDENTITY =
  /\b(?:who|what) are you\b|\bwhat can you do\b|\bwhat (?:kind of |sort of )?(?:model|ai|llm) (?:are you|is this)\b|^help\b[.!?]*$|\bare you (?:a |an )?(?:real |offline )?(?:ai|model|llm|bot)\b/i;
const GREETING = /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|thanks|thank you)\b[^?]{0,30}$/i;

export function intentOf(message: string): Intent {
  const text = message.trim();
  const look =
    text.length <= LONGEST_LOOK ? text : `${text.slice(0, LONGEST_LOOK / 2)}\n${text.slice(-LONGEST_LOOK / 2)}`;
  const remember = text.endsWith("?") ? null : REMEMBER.exec(look);
  if (remember !== null) return { kind: "remember", what: remember[1]?.trim() ?? "" };
  if (REPORT.test(look)) {
    const after = look.slice(REPORT.exec(look)?.index ?? 0);
    return { kind: "report", topic: (TOPIC.exec(after)?.[1] ?? "").replace(/[.!?\s]+$/, "").slice(0, 300) };
  }
  if (IDENTITY.test(look)) return { kind: "identity" };
  if (GREETING.test(look)) return { kind: "greeting" };
  return { kind: "question", text: look };
}
