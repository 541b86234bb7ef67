/** Tool settings of the built-in agent, unparsed: commands that open no tools must not load the code of tools. */
import { absolute, badConfig, convertedText, fromFile, isObject, list, type Source, text } from "./setting.ts";

export const TOOLS = {
  search: convertedText(
    {
      variable: "CAIRN_SEARCH",
      byDefault: "the sample library",
      about:
        "Where the built-in agent searches: `corpus:<folder>`, `searxng:<url>`, `brave` (`BRAVE_API_KEY`), `tavily` (`TAVILY_API_KEY`), or `none`. The sample library is Cairn's documentation.",
    },
    searchOf,
  ),
  fetchAllow: list({
    variable: "CAIRN_FETCH_ALLOW",
    byDefault: "none",
    about: "Hosts that the built-in agent may fetch from although their address is not public: `host` or `host:port`.",
  }),
  fetchOnly: list({
    variable: "CAIRN_FETCH_ONLY",
    byDefault: "every public host",
    about:
      "The only hosts the built-in agent fetches pages from, redirects included: `host`, `host:port` or `*.example.com`.",
  }),
  sandbox: text({
    variable: "CAIRN_SANDBOX",
    byDefault: "auto",
    about:
      "The sandbox in which the built-in agent runs programs: `auto` (bubblewrap where it works, otherwise Deno), `bubblewrap`, `deno`, or `none` for no programs.",
  }),
  mcp: fromFile(
    {
      byDefault: "none",
      about:
        "MCP servers for the built-in agent, by name: `{command, args, env, cwd}` or `{url, headers}`; `allow` lists the tools it may use; `approval` is `always` (the default), `unless_read_only` or `never`.",
    },
    mcpOf,
  ),
  mcpFile: convertedText(
    {
      variable: "CAIRN_MCP_FILE",
      byDefault: "none",
      about:
        "A file that lists MCP servers as other programs write it (`.mcp.json`). Its servers are started, so name only a file that you trust. If the entry of a server has no field `allow`, all its tools may be used; without `approval`, a person approves every call.",
    },
    (path, source) => (path === null ? null : absolute(path, source)),
  ),
};

const CORPUS = "corpus:";

/** A relative path of a folder begins at the working directory. */
function searchOf(search: string | null, source: Source): string | null {
  if (search?.toLowerCase().startsWith(CORPUS) !== true) return search;
  const folder = search.slice(CORPUS.length).trim();
  return folder === "" ? search : `${CORPUS}${absolute(folder, source)}`;
}

function mcpOf(value: unknown, source: Source): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(source, "`mcp` must be an object that maps a name to a server");
  return value;
}
