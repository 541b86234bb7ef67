/** The environment of a process that a test starts without the rest of its own: what makes Node start fast. */
export function childEnv(): Record<string, string> {
  const { PATH = "", NODE_COMPILE_CACHE = "", NODE_OPTIONS = "" } = process.env;
  return { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS };
}
