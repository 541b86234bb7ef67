/** The keyboard shortcuts, shown with the question mark key. */
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import { REACHABLE } from "../ui/reachable.ts";
import { SHORTCUTS } from "../ui/shortcuts.ts";

const IN_THE_COMPOSER = [
  { keys: "Enter", label: "Send; while the agent works: steer it" },
  { keys: "Alt+Enter", label: "While the agent works: send after this turn" },
  { keys: "Shift+Enter", label: "New line" },
] as const;

export function HelpDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <div {...REACHABLE} className="flex flex-col gap-5 p-5">
        <ShortcutList name="Everywhere" items={Object.values(SHORTCUTS)} />
        <ShortcutList name="While writing" items={IN_THE_COMPOSER} />
      </div>
    </Dialog>
  );
}

interface ShortcutListProps {
  readonly name: string;
  readonly items: readonly { readonly keys: string; readonly label: string }[];
}

function ShortcutList({ name, items }: ShortcutListProps) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-faint">{name}</h3>
      <dl>
        {items.map(({ keys, label }) => (
          <div
            key={keys}
            className="flex items-center justify-between gap-4 border-b border-line py-2 text-sm last:border-0"
          >
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
