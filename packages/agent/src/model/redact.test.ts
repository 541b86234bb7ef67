import { growthOnDoubling } from "@cairn/testkit/growth";
import { expect, it } from "vitest";
import { ModelError } from "./model-error.ts";
import { redactor } from "./redact.ts";

it.each([
  ["beginnings of signed tokens", "-eyJaaaaaaaa"],
  ["names of secrets", "a-token-"],
  ["addresses", "http://aaaa:"],
])("takes time in proportion to the text, also for a text of %s", (_, piece) => {
  const redact = redactor();
  expect(growthOnDoubling((size) => piece.repeat(size), redact, 2_000)).toBeLessThan(3);
});

it("takes the key out of what a provider says about it", () => {
  const said = "Incorrect API key provided: sk-proj-abcdefgh12345678. See https://example.com.";
  expect(new ModelError("fatal", said).message).toBe("Incorrect API key provided: [removed]. See https://example.com.");
});
