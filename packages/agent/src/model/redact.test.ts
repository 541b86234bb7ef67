import { growthOnDoubling } from "@cairn/testkit/growth";
import { CairnError } from "@cairn/timeline";
import { expect, it, vi } from "vitest";
import { toolFailure } from "../tool/tool-failure.ts";
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

it("removes the key from a provider's error message", () => {
  const said = "Incorrect API key provided: sk-proj-abcdefgh12345678. See https://example.com.";
  expect(new ModelError("fatal", said).message).toBe("Incorrect API key provided: [removed]. See https://example.com.");
});

it("removes secrets of the environment, whatever their form, for models and for tools", () => {
  vi.stubEnv("ODD_PROVIDER_API_KEY", "0123-correct-horse-4567");
  try {
    const said = "The key 0123-correct-horse-4567 was refused.";
    const clean = "The key [removed] was refused.";
    expect(new ModelError("fatal", said).message).toBe(clean);
    expect(toolFailure(new Error(said)).message).toBe(clean);
    expect(toolFailure(new CairnError("mcp_error", said)).message).toBe(clean);
    expect(toolFailure(said).message).toBe(`The tool threw the string "${clean}".`);
    const cut = toolFailure(new Error(`${"x".repeat(3_990)}0123-correct-horse-4567`)).message;
    expect(cut).not.toContain("0123-corr");
  } finally {
    vi.unstubAllEnvs();
  }
});
