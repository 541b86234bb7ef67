/** Asks for the token of a server that requires one. */
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../api/api-error.ts";
import { getMeta } from "../api/client.ts";
import { hasToken, setToken } from "../api/token.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { Button } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";

export function SignIn() {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(() =>
    hasToken() ? "The server no longer accepts your token. Enter another one." : null,
  );
  const [isAsking, setAsking] = useState(false);
  const enter = async () => {
    setAsking(true);
    setToken(text.trim());
    try {
      await getMeta();
      location.reload();
    } catch (error) {
      setToken(null);
      const isUnknown = error instanceof ApiError && error.status === 401;
      setProblem(
        isUnknown
          ? "This server does not accept that token. Check that you copied all of it, or ask for a new one."
          : reasonOf(error),
      );
      setAsking(false);
    }
  };
  return (
    <main className="grid h-dvh place-items-center p-6">
      <form
        className="flex w-full max-w-sm flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Mark className="size-12" breathing={isAsking} />
        <h1 className="font-serif text-2xl tracking-tight">Cairn</h1>
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          Your token
          <input
            type="password"
            autoComplete="current-password"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="h-10 rounded-lg border border-line-strong bg-surface px-3 font-mono font-normal outline-none focus:border-accent"
          />
        </label>
        {problem === null ? null : (
          <p role="alert" className="text-sm text-danger">
            {problem}
          </p>
        )}
        <Button
          type="submit"
          look="strong"
          disabled={text.trim() === "" || isAsking}
          icon={<KeyRound className="size-4" />}
        >
          Sign in
        </Button>
        <p className="text-xs text-faint">
          The operator of this server creates one with <code className="font-mono">cairn token</code>. It is stored in
          this browser only.
        </p>
      </form>
    </main>
  );
}
