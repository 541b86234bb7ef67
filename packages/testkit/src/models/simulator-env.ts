/** The environment in which every provider is the simulator at `url`. */
export function simulatorEnv(url: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: "k",
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: url,
    CAIRN_MODEL_BASE_URL: url,
    CAIRN_MODEL_API_KEY: "k",
    AWS_BEARER_TOKEN_BEDROCK: "k",
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
    GEMINI_API_KEY: "k",
    GOOGLE_GENERATIVE_AI_BASE_URL: url,
  };
}
