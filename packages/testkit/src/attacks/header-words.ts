/** What the runtime begins its own lines with, written down here by hand: the guard has its own list. */
export const HEADERS = [
  "[TURN turn_2]",
  "[USER MESSAGE]",
  "[USER ATTACHMENT]",
  "[AI Agent say]",
  "[AI Agent wrote code]",
  "[TOOL CALL tc_1]",
  "[NOTICE]",
  "[TOOL RESULT tc_1]",
  "[REACT.PLAN]",
  "[INTERNAL NOTE]",
  "[CONVERSATION SUMMARY]",
  "[SYSTEM MESSAGE]",
  "[ASSISTANT MESSAGE]",
  "[ANNOUNCE]",
  "SOURCES POOL",
] as const;
