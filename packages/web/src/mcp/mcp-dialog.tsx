/** The MCP servers of the agents: what they offer the user, and the user's logins at them. */
import type { ListedMcpServer } from "@cairn/api";
import { useEffect, useState } from "react";
import { beginMcpLogin, endMcpLogin, listMcpServers } from "../api/client.ts";
import { tell } from "../state/app-state.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { isLoginAddress, keepLogin } from "./begun-login.ts";

export function McpDialog({ onClose }: { readonly onClose: () => void }) {
  const [servers, setServers] = useState<readonly ListedMcpServer[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [changed, setChanged] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of a login loads the list again.
  useEffect(() => {
    const closed = new AbortController();
    listMcpServers({ signal: closed.signal }).then(setServers, (error: unknown) => {
      if (!closed.signal.aborted) setProblem(reasonOf(error));
    });
    return () => closed.abort();
  }, [changed]);
  const logIn = async (server: string) => {
    try {
      const address = await beginMcpLogin(server);
      if (address === null) return tell("done", `${server} requires no further login.`);
      if (!isLoginAddress(address)) throw new Error(`${server} gave a login page that cannot be opened.`);
      keepLogin(address, { server, from: location.pathname });
      location.assign(address);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  const logOut = async (server: string) => {
    try {
      await endMcpLogin(server);
      setChanged((times) => times + 1);
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title="MCP servers">
      <div className="flex flex-col gap-4 p-5">
        <p className="text-sm text-soft">Servers whose tools the agent uses. A login is yours alone.</p>
        {problem === null ? null : (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        {servers === null && problem === null ? <p className="text-sm text-faint">Asking the servers…</p> : null}
        <ul aria-label="MCP servers" className="flex flex-col gap-3">
          {servers?.map((each) => (
            <li key={each.server} className="flex items-start gap-3">
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="text-sm font-medium">{each.server}</span>
                <span className="text-xs break-words text-faint">{describeServer(each)}</span>
              </span>
              {!each.takes_login ? null : each.logged_in ? (
                <Button size="small" aria-label={`Disconnect ${each.server}`} onClick={() => void logOut(each.server)}>
                  Disconnect
                </Button>
              ) : (
                <Button
                  size="small"
                  look={each.needs_login ? "strong" : "plain"}
                  aria-label={`Connect ${each.server}`}
                  onClick={() => void logIn(each.server)}
                >
                  Connect
                </Button>
              )}
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function describeServer({ needs_login, logged_in, tools, problems }: ListedMcpServer): string {
  const offered = `${tools} ${tools === 1 ? "tool" : "tools"}${logged_in ? ", connected with your login" : ""}`;
  if (needs_login) return logged_in ? "The login has ended. Disconnect, then connect again." : "Requires your login.";
  return [...(problems.length > 0 && tools === 0 ? [] : [offered]), ...problems].join(". ");
}
