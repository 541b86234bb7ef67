/** Conversations with questions, and which messages hold the answers. */
export interface RecallMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface RecallQuestion {
  readonly question: string;
  /** Ids of messages. */
  readonly evidence: readonly string[];
}

export interface RecallConversation {
  readonly messages: readonly RecallMessage[];
  readonly questions: readonly RecallQuestion[];
}

export interface RecallSet {
  readonly name: string;
  readonly conversations: readonly RecallConversation[];
}

/** Questions whose evidence is not among the messages can be answered by nobody. */
export function answerable({ messages, questions }: RecallConversation): RecallQuestion[] {
  const known = new Set(messages.map(({ id }) => id));
  return questions.flatMap(({ question, evidence }) => {
    const held = [...new Set(evidence)].filter((id) => known.has(id));
    return held.length === 0 ? [] : [{ question, evidence: held }];
  });
}
