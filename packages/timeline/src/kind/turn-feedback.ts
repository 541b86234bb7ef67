/** `turn.feedback`: how the user liked an answer. */
import { defineKind } from "./block-kind.ts";

export const turnFeedback = defineKind({ type: "turn.feedback", isAnnounced: () => true });
