/** The composition of a number: one bar with coloured parts, and their names and sizes below. */
import { formatCount } from "../../text/format-count.ts";

export interface CompositionProps {
  readonly title: string;
  readonly note?: string;
  /** The parts, each with the name of its colour in `inspector.css`. */
  readonly parts: readonly { readonly part: string; readonly name: string; readonly value: number }[];
}

export function Composition({ title, note, parts }: CompositionProps) {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <h3 className="flex items-baseline gap-1.5 text-xs">
        <span className="text-soft">{title}</span>
        <span className="font-semibold tabular-nums">{formatCount(total)}</span>
        <span className="text-faint">{note}</span>
      </h3>
      <div className="flex h-2 gap-px overflow-hidden rounded-full bg-sunken" aria-hidden="true">
        {parts
          .filter(({ value }) => value > 0)
          .map(({ part, value }) => (
            <span
              key={part}
              data-part={part}
              className="bg-[var(--part)]"
              style={{ width: `${(value / Math.max(1, total)) * 100}%` }}
            />
          ))}
      </div>
      <dl className="flex flex-wrap gap-x-3 gap-y-0.5 text-2xs">
        {parts.map(({ part, name, value }) => (
          <div key={part} className="flex items-center gap-1">
            <span aria-hidden="true" data-part={part} className="size-2 rounded-[3px] bg-[var(--part)]" />
            <dt className="text-faint">{name}</dt>
            <dd className="text-soft tabular-nums">{formatCount(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
