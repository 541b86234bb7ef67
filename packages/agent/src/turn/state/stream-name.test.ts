import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nameStream, readStreamName } from "./stream-name.ts";

describe("the name of a stream", () => {
  it("gives back its parts, for any path", () => {
    const kinds = fc.constantFrom("write" as const, "code" as const);
    fc.assert(
      fc.property(
        kinds,
        fc.nat(),
        fc.option(fc.string({ unit: anyCharacter, maxLength: 100 })),
        (kind, number, path) => {
          const name = nameStream("turn_1.3.tc_0a", kind, { number, path });
          expect(readStreamName(name)).toEqual({ turnId: "turn_1", kind, path: path?.toWellFormed() ?? null });
        },
      ),
      { numRuns: runs },
    );
    for (const kind of ["say", "thinking"] as const)
      expect(readStreamName(nameStream("turn_1.3.tc_0a", kind, null))).toEqual({ turnId: "turn_1", kind, path: null });
  });

  it("never exceeds the limit of the store: a long path is left out", () => {
    const name = nameStream("turn_1.3.tc_0a", "write", { number: 0, path: `fi:turn_1.files/${"ü".repeat(300)}.md` });
    expect(readStreamName(name)).toEqual({ turnId: "turn_1", kind: "write", path: null });
  });

  it.each(["", "other", "turn_1.x.tc_0a.say", "turn_1.3.tc_0a.sing"])(
    "%j is not the name of a turn's stream",
    (name) => {
      expect(readStreamName(name)).toBeNull();
    },
  );
});
