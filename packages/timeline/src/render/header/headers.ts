/** The headers by which a model tells kinds of content apart. Content must not begin a line with them. */
export const HEADERS = [
  "[TURN ",
  "[USER MESSAGE]",
  "[USER ATTACHMENT]",
  "[AI Agent say]",
  "[AI Agent wrote code]",
  "[TOOL CALL ",
  "[NOTICE]",
  "[TOOL RESULT ",
  "[REACT.PLAN]",
  "[INTERNAL NOTE]",
  "[CONVERSATION SUMMARY]",
  "[SYSTEM MESSAGE]",
  "[ASSISTANT MESSAGE]",
  "[ANNOUNCE]",
  "SOURCES POOL",
];

/** Every line break that some reader recognises, as the inside of a character class. */
export const LINE_BREAK = "\\n\\r\\v\\f\\x85\\u2028\\u2029";
