/** The start page: an introduction, three tasks that work without a key, and the composer. */
import { BookOpenText, SquareTerminal, TextQuote } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Composer, type ComposerHandle } from "../composer/composer.tsx";
import { LIMITS_UNTIL_KNOWN } from "../composer/limits.ts";
import { tell, useApp } from "../state/app-state.ts";
import type { Message } from "../state/send-message.ts";
import { startConversation } from "../state/turn-actions.ts";
import { Mark } from "../ui/mark.tsx";
import { useShortcut } from "../ui/shortcuts.ts";
import { FIRST_TASKS, type FirstTask } from "./first-tasks.ts";

const ICONS: Readonly<Record<FirstTask["icon"], ReactNode>> = {
  report: <BookOpenText />,
  run: <SquareTerminal />,
  ask: <TextQuote />,
};

export function FirstRun() {
  const composer = useRef<ComposerHandle>(null);
  const [isStarting, setStarting] = useState(false);
  const [agent, setAgent] = useState<string | null>(null);
  const limits = useApp((state) => state.meta?.limits ?? LIMITS_UNTIL_KNOWN);
  const isOffline = useApp((state) => state.meta?.offline ?? false);
  useShortcut("compose", () => composer.current?.focus());
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) composer.current?.focus();
  }, []);
  const start = async (message: Message) => {
    setStarting(true);
    const id = await startConversation(message, agent);
    setStarting(false);
    // A message that could not be sent returns to the composer.
    if (id === null) composer.current?.add(message.text, message.files);
  };
  const tryTask = async (task: FirstTask) => {
    try {
      await start({ text: task.message, files: await task.files(), mode: "turn" });
    } catch {
      tell("problem", "The sample could not be loaded from the server.");
    }
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto px-4">
      <div className="mx-auto my-auto flex w-full max-w-[46rem] flex-col gap-7 py-8">
        <div className="flex flex-col gap-3">
          <Mark className="size-12" breathing={isStarting} />
          <h2 className="font-serif text-2xl tracking-tight text-balance">What shall we look into?</h2>
          <p className="max-w-[34rem] text-soft text-pretty">
            Every answer links to its sources, every file to the turn that wrote it, and every request to exactly what
            the model saw.
          </p>
        </div>
        <Composer
          ref={composer}
          conversationId={null}
          isBusy={false}
          limits={limits}
          onSend={(message) => void start(message)}
        />
        <AgentChoice agent={agent} onChoose={setAgent} />
        <section aria-labelledby="try">
          <h3 id="try" className="mb-2.5 text-sm font-semibold text-soft">
            Or try one of these
          </h3>
          <ul className="grid gap-2.5 sm:grid-cols-3">
            {FIRST_TASKS.map((task) => (
              <li key={task.title} className="flex">
                <button
                  type="button"
                  disabled={isStarting}
                  onClick={() => void tryTask(task)}
                  className="flex w-full gap-3 rounded-xl border border-line bg-surface p-3.5 text-left transition-colors hover:border-accent disabled:opacity-60 sm:flex-col sm:gap-1.5"
                >
                  <span className="text-accent [&_svg]:size-5">{ICONS[task.icon]}</span>
                  <span className="flex flex-col gap-0.5">
                    <span className="text-sm font-medium">{task.title}</span>
                    <span className="text-xs text-faint text-pretty">{task.note}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {isOffline ? (
            <p className="mt-4 text-xs text-faint text-pretty">
              No model is configured, so Cairn's offline model answers: it quotes what it reads and adds nothing of its
              own. Set <code className="font-mono">CAIRN_MODEL</code> to use a language model.
            </p>
          ) : null}
        </section>
      </div>
    </div>
  );
}

const NO_AGENTS: readonly { readonly name: string; readonly model: string }[] = [];

/** The choice of an agent, if there are several. */
function AgentChoice({
  agent,
  onChoose,
}: {
  readonly agent: string | null;
  readonly onChoose: (name: string) => void;
}) {
  const agents = useApp((state) => state.meta?.agents ?? NO_AGENTS);
  if (agents.length < 2) return null;
  return (
    <label className="-mt-4 flex items-center gap-2 text-sm text-soft">
      Ask
      <select
        value={agent ?? agents[0]?.name}
        onChange={(event) => onChoose(event.target.value)}
        className="h-8 rounded-lg border border-line bg-surface px-2 text-ink"
      >
        {agents.map(({ name, model }) => (
          <option key={name} value={name}>
            {name} ({model})
          </option>
        ))}
      </select>
    </label>
  );
}
