/** The page to which an MCP server's login sends the user back. It finishes the login and returns to the app. */
import { useEffect, useRef, useState } from "react";
import { PREFIX } from "../api/address.ts";
import { finishMcpLogin } from "../api/client.ts";
import { navigate } from "../route/location.ts";
import { parseRoute } from "../route/route.ts";
import { tell } from "../state/app-state.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { Button } from "../ui/button.tsx";
import { takeLogin } from "./begun-login.ts";

const HOME = { page: "new" } as const;

export function McpLoginPage({ search }: { readonly search: string }) {
  const [problem, setProblem] = useState<string | null>(null);
  const isBegun = useRef(false);
  useEffect(() => {
    // Finishes the login only once: React may run effects twice, and an answer is valid once.
    if (isBegun.current) return;
    isBegun.current = true;
    finish(search).catch((error: unknown) => setProblem(reasonOf(error)));
  }, [search]);
  return (
    <div className="m-auto flex max-w-[30rem] flex-col items-start gap-4 p-6">
      {problem === null ? (
        <p className="text-soft">Finishing the login…</p>
      ) : (
        <>
          <p role="alert" className="text-danger">
            {problem}
          </p>
          <Button onClick={() => navigate(HOME, { replace: true })}>Continue</Button>
        </>
      )}
    </div>
  );
}

async function finish(search: string): Promise<void> {
  const login = takeLogin(new URLSearchParams(search));
  if (login === null) throw new Error("This page did not begin a login. Open the list of MCP servers to connect one.");
  await finishMcpLogin(login.server, search.replace(/^\?/, ""));
  tell("done", `Connected to ${login.server}.`);
  navigate(parseRoute({ pathname: login.from.slice(PREFIX.length), search: "", hash: "" }), { replace: true });
}
