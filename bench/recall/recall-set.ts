/** Conversations with questions, and the messages that contain the answers. */
export interface RecallMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface RecallQuestion {
  readonly question: string;
  readonly evidence: readonly string[];
  /** The kind of question, if the set names it. */
  readonly about?: string;
}

export interface RecallConversation {
  readonly messages: readonly RecallMessage[];
  readonly questions: readonly RecallQuestion[];
}

export interface RecallSet {
  readonly name: string;
  readonly conversations: readonly RecallConversation[];
}

/** Questions whose evidence is not among the messages cannot be answered. */
export function answerable({ messages, questions }: RecallConversation): RecallQuestion[] {
  const known = new Set(messages.map(({ id }) => id));
  return questions.flatMap((question) => {
    const held = [...new Set(question.evidence)].filter((id) => known.has(id));
    return held.length === 0 ? [] : [{ ...question, evidence: held }];
  });
}
