import { expect, it } from "vitest";
import { showDirections } from "./shown-directions.ts";

it("marks that turn a text are shown, and everything else is left as it is", () => {
  expect(showDirections("report\u202efdp.exe")).toBe("report⟨U+202E⟩fdp.exe");
  expect(showDirections("\u2067x\u2069")).toBe("⟨U+2067⟩x⟨U+2069⟩");
  expect(showDirections("مرحبا 👩‍🚀 é")).toBe("مرحبا 👩‍🚀 é");
});
