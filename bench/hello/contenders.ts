/** The compared libraries, each with the packages that its program needs in addition to `zod`. */
export interface Contender {
  readonly name: string;
  /** The file in `rivals`, without its ending. */
  readonly program: string;
  readonly packages: readonly string[];
}

export const CAIRN: Contender = { name: "Cairn", program: "cairn", packages: ["@ai-sdk/openai"] };

export const AI_SDK: Contender = { name: "AI SDK", program: "ai-sdk", packages: ["ai", "@ai-sdk/openai"] };

export const CONTENDERS: readonly Contender[] = [
  CAIRN,
  AI_SDK,
  { name: "Mastra", program: "mastra", packages: ["@mastra/core", "@ai-sdk/openai"] },
  { name: "OpenAI Agents JS", program: "openai-agents", packages: ["@openai/agents"] },
  {
    name: "LangChain",
    program: "langchain",
    // LangGraph accepts any version 1.12 of its SDK, and npm may choose one with a dependency that does not exist.
    packages: ["langchain", "@langchain/core", "@langchain/langgraph", "@langchain/langgraph-sdk", "@langchain/openai"],
  },
];
