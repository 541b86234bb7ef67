import { describe, expect, it } from "vitest";
import { Desk, LETTER } from "../../test/offline-desk.ts";
import { intentOf } from "./intent.ts";

const OLD = "# Lease\n\nThe rent is 980 euros. Pets need consent.\n\n- Quiet hours begin at ten.";
const NEW =
  "# Lease\n\nThe rent is 1,050 euros. Pets need consent.\n\n- Quiet hours begin at ten.\n- Smoking is not allowed.";

describe("a comparison of two files", () => {
  it("lists what is only in one of them, with citations", async () => {
    const { text, calls } = await new Desk().say("Compare these two files", { "old.md": OLD, "new.md": NEW });
    expect(calls).toEqual(["react.read"]);
    expect(text.split("\n\n_")[0]).toBe(
      [
        "old.md and new.md have 3 passages in common.",
        "Only in old.md:\n\n- “The rent is 980 euros.” [[S:1]]",
        "Only in new.md:\n\n- “The rent is 1,050 euros.” [[S:2]]\n- “Smoking is not allowed.” [[S:2]]",
      ].join("\n\n"),
    );
  });

  it("is of the files that the message names, and says when they are the same", async () => {
    const desk = new Desk();
    await desk.say("What is this about?", { "a.md": OLD, "b.md": OLD, "letter.txt": LETTER });
    expect((await desk.say("Compare a.md with b.md")).text).toBe("a.md and b.md contain the same text.");
    expect((await desk.say("Was ist der Unterschied zwischen b.md und letter.txt?")).text).toContain("Nur in b.md:");
  });

  it("of other things is a question", async () => {
    expect((await new Desk().say("Compare these two files", { "old.md": OLD })).text).not.toContain("Only in");
    for (const message of ["What changed in the rent?", "How do I compare two versions?"])
      expect(intentOf(message).kind).toBe("question");
  });
});
