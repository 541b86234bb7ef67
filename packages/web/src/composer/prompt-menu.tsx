/**
 * The prompts of MCP servers in the composer. A message that begins with "/" lists the prompts whose name contains the
 * rest. Choosing one asks for its arguments, and its text replaces the typed text. The user can then read and send it.
 */
import type { ListedPrompt, SentPrompt } from "@cairn/api";
import { type KeyboardEvent, useEffect, useState } from "react";
import { fillPrompt, listPrompts } from "../api/client.ts";
import { useApp } from "../state/app-state.ts";
import { reasonOf } from "../state/conversation-list.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";

/** The text and the files of a prompt, and the name of the prompt and its server. */
interface PromptMessage {
  readonly text: string;
  readonly files: readonly File[];
  readonly prompt: SentPrompt;
}

const SHOWN = 8;

/** The name that is typed after "/"; null for any other text. */
function typedName(text: string): string | null {
  return /^\/(\S*)$/.exec(text)?.[1]?.toLowerCase() ?? null;
}

function nameOf({ server, name }: Pick<ListedPrompt, "server" | "name">): string {
  return `${server}.${name}`;
}

/** The list for a text; null if no prompt matches. `onKeyDown` returns whether it has used the key. */
export function usePromptMenu(text: string, onFilled: (message: PromptMessage) => void) {
  const hasServers = useApp((state) => (state.meta?.mcp_servers ?? 0) > 0);
  const typed = typedName(text);
  const isAsked = hasServers && typed !== null;
  const [prompts, setPrompts] = useState<readonly ListedPrompt[]>([]);
  const [active, setActive] = useState(0);
  const [chosen, setChosen] = useState<ListedPrompt | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [closed, setClosed] = useState<string | null>(null);
  useEffect(() => {
    if (!isAsked) return;
    const left = new AbortController();
    listPrompts({ signal: left.signal }).then(setPrompts, (error: unknown) => {
      if (!left.signal.aborted) setProblem(reasonOf(error));
    });
    return () => left.abort();
  }, [isAsked]);
  const matches =
    isAsked && chosen === null && closed !== text
      ? prompts.filter((each) => nameOf(each).toLowerCase().includes(typed)).slice(0, SHOWN)
      : [];
  const at = Math.min(active, Math.max(0, matches.length - 1));
  const fill = async (prompt: ListedPrompt, given: Readonly<Record<string, string>>) => {
    const { server, name } = prompt;
    try {
      const filled = await fillPrompt({ server, name, arguments: { ...given } });
      const files = filled.files.map((file) => new File([bytesOf(file.data)], file.name, { type: file.mime }));
      setChosen(null);
      setProblem(null);
      onFilled({ text: filled.text, files, prompt: { server, name, arguments: { ...given } } });
    } catch (error) {
      setProblem(reasonOf(error));
    }
  };
  const choose = (prompt: ListedPrompt) => {
    setProblem(null);
    if (prompt.arguments.length === 0) void fill(prompt, {});
    else setChosen(prompt);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const current = matches[at];
    if (current === undefined || event.nativeEvent.isComposing) return false;
    if (event.key === "ArrowDown") setActive((at + 1) % matches.length);
    else if (event.key === "ArrowUp") setActive((at + matches.length - 1) % matches.length);
    else if (event.key === "Escape") setClosed(text);
    else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && !event.altKey) choose(current);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    matches,
    at,
    chosen,
    problem: isAsked ? problem : null,
    choose,
    fill,
    onKeyDown,
    leave: () => setChosen(null),
  };
}

type PromptMenuState = ReturnType<typeof usePromptMenu>;

/** Attributes for the text field: which list it controls while the list is open. */
export function listboxProps({ matches, at }: PromptMenuState) {
  if (matches.length === 0) return {};
  return {
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-controls": LIST,
    "aria-activedescendant": `${LIST}-${at}`,
  } as const;
}

const LIST = "prompts";

export function PromptMenu({ menu }: { readonly menu: PromptMenuState }) {
  const { matches, at, chosen, problem, choose } = menu;
  return (
    <>
      {problem === null ? null : (
        <p role="alert" className="px-4 pt-2 text-sm text-danger">
          {problem}
        </p>
      )}
      {chosen !== null ? (
        <PromptForm key={nameOf(chosen)} prompt={chosen} menu={menu} />
      ) : matches.length === 0 ? null : (
        <div role="listbox" id={LIST} aria-label="Prompts" className="flex flex-col border-b border-line p-1.5">
          {matches.map((prompt, nth) => (
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the text field.
            <div
              key={nameOf(prompt)}
              id={`${LIST}-${nth}`}
              role="option"
              aria-selected={nth === at}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(prompt)}
              className={cx(
                "flex cursor-pointer items-baseline gap-2 rounded-lg px-2.5 py-1.5 text-sm",
                nth === at ? "bg-hover" : "",
              )}
            >
              <span className="shrink-0 font-mono text-xs">/{nameOf(prompt)}</span>
              <span className="truncate text-xs text-faint">{prompt.description || prompt.title}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function PromptForm({ prompt, menu }: { readonly prompt: ListedPrompt; readonly menu: PromptMenuState }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isFilling, setFilling] = useState(false);
  const isMissing = prompt.arguments.some(({ name, required }) => required && (values[name] ?? "").trim() === "");
  const submit = async () => {
    if (isMissing || isFilling) return;
    setFilling(true);
    await menu.fill(prompt, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "")));
    setFilling(false);
  };
  return (
    // A field set instead of a form, because HTML allows no form inside the composer's form.
    <fieldset
      className="flex flex-col gap-2 border-b border-line p-3"
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== "Escape") return;
        if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === "Escape") menu.leave();
        else void submit();
      }}
    >
      <legend className="sr-only">Arguments of {nameOf(prompt)}</legend>
      <span className="font-mono text-xs">/{nameOf(prompt)}</span>
      {prompt.arguments.map(({ name, description, required }, nth) => (
        <label key={name} className="flex flex-col gap-1 text-xs text-soft">
          <span>
            {name}
            {required ? "" : " (optional)"}
            {description === "" ? "" : `: ${description}`}
          </span>
          <input
            // biome-ignore lint/a11y/noAutofocus: the user has just chosen the prompt and types its arguments next.
            autoFocus={nth === 0}
            value={values[name] ?? ""}
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            className="rounded-lg border border-line-strong bg-paper px-3 py-1.5 text-sm text-ink outline-none focus:border-accent"
          />
        </label>
      ))}
      <span className="flex gap-2">
        <Button size="small" look="strong" disabled={isMissing || isFilling} onClick={() => void submit()}>
          Use prompt
        </Button>
        <Button size="small" onClick={menu.leave}>
          Cancel
        </Button>
      </span>
    </fieldset>
  );
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
