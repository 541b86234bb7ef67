/** Servers of Chat Completions whose refusals the simulator knows (`refusals/chat-servers.ts`). */
export type ServerName =
  | "mistral"
  | "gemma"
  | "qwen"
  | "llama"
  | "deepseek"
  | "kimi"
  | "ollama"
  | "gemini"
  | "vllm"
  | "toolless";

/** Servers with the field `reasoning_content`. They send it with an answer, and expect it in later requests. */
const WITH_THOUGHTS: ReadonlySet<ServerName> = new Set<ServerName>(["deepseek", "kimi"]);

export function hasThoughts(server: ServerName | readonly ServerName[] = []): boolean {
  return [server].flat().some((name) => WITH_THOUGHTS.has(name));
}
