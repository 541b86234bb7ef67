/** A choice of one among a few options, side by side. */
import { cx } from "../../ui/class-names.ts";

export interface ChoiceProps<T extends string> {
  /** The label of the choice. */
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChoose: (value: T) => void;
}

export function Choice<T extends string>({ label, options, value, onChoose }: ChoiceProps<T>) {
  const entries = Object.entries(options) as [T, string][];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line of buttons everywhere.
    <div role="group" aria-label={label} className="inline-flex rounded-lg bg-sunken p-0.5">
      {entries.map(([option, name]) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === value}
          onClick={() => onChoose(option)}
          className={cx(
            "h-6 rounded-md px-2 text-xs pointer-coarse:h-8",
            option === value
              ? "bg-surface font-medium text-ink shadow-[0_0_0_1px_var(--line)]"
              : "text-soft hover:text-ink",
          )}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
