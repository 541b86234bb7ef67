/**
 * The beginnings of the runtime's own lines, written by hand here so that the test does not depend on the guard's list.
 */
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
