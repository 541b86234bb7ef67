import { expect, test } from "vitest";
import { isCallId, isTurnId } from "./id.ts";

test.each(["turn_1", "turn_1770603271112_2yz1lp", "turn_A-b_c", "turn__"])("%j is a turn id", (id) => {
  expect(isTurnId(id)).toBe(true);
});

test.each(["", "turn_", "turn", "Turn_1", "turn_1.x", "turn_1/", "turn_é", " turn_1", "turn_1\n"])(
  "%j is not a turn id",
  (id) => {
    expect(isTurnId(id)).toBe(false);
  },
);

test("a call id is any run of letters, digits, underscore and hyphen", () => {
  expect(["abc123", "tc_0123456789ab", "-", "A_b"].every(isCallId)).toBe(true);
  expect(["", "a.b", "a b", "a/b", "é"].some(isCallId)).toBe(false);
});
