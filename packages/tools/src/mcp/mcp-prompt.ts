/** Prompts of a server: texts that a person chooses by name and sends as a message. */
import { CairnError } from "@cairn/timeline";
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/client";
import { CONTROLS } from "./control-characters.ts";
import { nameInUri } from "./keep-files.ts";

export interface ListedPrompt {
  readonly server: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export interface FilledPrompt {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly mime: string; readonly data: string }[];
}

const MAX_PROMPTS = 200;
const MAX_ARGUMENTS = 20;
const MAX_WORDS = 500;
const MAX_NAME = 200;
const MAX_TEXT = 200_000;
const MAX_FILES = 20;
const MAX_BASE64_CHARS = 40_000_000;

/**
 * The prompts by name. A prompt with a name that cannot be typed, or with too many arguments, is left out. If several
 * have the same name, the first is used, as for the arguments of a prompt.
 */
export function listedPrompts(server: string, prompts: readonly Prompt[]): readonly ListedPrompt[] {
  const usable = prompts.filter(
    ({ name, arguments: given = [] }) =>
      name.length <= MAX_NAME && /^[^\s\p{C}]+$/u.test(name) && given.length <= MAX_ARGUMENTS,
  );
  return firstOfEach(usable)
    .slice(0, MAX_PROMPTS)
    .map(({ name, title, description, arguments: given = [] }) => ({
      server,
      name,
      title: words(title),
      description: words(description),
      arguments: firstOfEach(given).map((each) => ({
        name: each.name,
        description: words(each.description),
        required: each.required === true,
      })),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The texts in their order, and everything else as files. Texts of the assistant are marked, because the message is the
 * user's. Throws `mcp_too_large`.
 */
export function filledPrompt(server: string, result: GetPromptResult): FilledPrompt {
  const { messages } = result;
  const files: FilledPrompt["files"][number][] = [];
  const hasBoth = messages.some(({ role }) => role === "assistant");
  const texts = messages.flatMap(({ role, content }) => {
    const text = textOf(content, files);
    if (text === null) return [];
    return [hasBoth ? `${role === "assistant" ? "Assistant" : "User"}: ${text}` : text];
  });
  const text = texts.join("\n\n").toWellFormed();
  const isTooLarge = files.some(({ data }) => data.length > MAX_BASE64_CHARS);
  if (text.length > MAX_TEXT || files.length > MAX_FILES || isTooLarge)
    throw new CairnError("mcp_too_large", `The prompt of the MCP server ${server} is too large for a message.`, {
      server,
    });
  return { text, files };
}

type Content = GetPromptResult["messages"][number]["content"];

/** Adds what is not text to the files. */
function textOf(content: Content, files: FilledPrompt["files"][number][]): string | null {
  const add = (name: string, mime: string, data: string) =>
    files.push({ name: `${files.length + 1}-${name}`, mime, data });
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      add(content.type, content.mimeType, content.data);
      return null;
    case "resource": {
      const { resource } = content;
      if ("text" in resource) return `Resource ${resource.uri}\n${resource.text}`;
      add(nameInUri(resource.uri), resource.mimeType ?? "application/octet-stream", resource.blob);
      return null;
    }
    case "resource_link":
      return `${content.name}: ${content.uri}`;
    default:
      return null;
  }
}

function firstOfEach<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return named.filter(({ name }) => !seen.has(name) && seen.add(name));
}

function words(given = ""): string {
  return given.replace(CONTROLS, " ").replace(/\s+/g, " ").trim().slice(0, MAX_WORDS).toWellFormed();
}
