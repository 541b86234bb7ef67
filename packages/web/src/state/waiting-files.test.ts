import { expect, it } from "vitest";
import { keepWaitingFiles, waitingFiles } from "./waiting-files.ts";

it("keeps the files of the last 20 messages that have any", () => {
  const file = new File(["x"], "a.txt");
  keepWaitingFiles("none", []);
  for (let nth = 1; nth <= 21; nth++) keepWaitingFiles(`k${nth}`, [file]);
  expect(["none", "k1", "k2", "k21"].map((key) => waitingFiles(key)?.length)).toEqual([undefined, undefined, 1, 1]);
});
