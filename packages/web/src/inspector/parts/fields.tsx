/** Inputs for words and choices that filter a list. */
import { Search } from "lucide-react";

export interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  return (
    <label className="flex h-8 min-w-32 flex-1 items-center gap-2 rounded-lg border border-line bg-surface px-2.5 focus-within:border-accent pointer-coarse:h-9">
      <Search className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
      <input
        type="search"
        value={value}
        aria-label={label}
        placeholder="Search"
        onChange={(event) => onChange(event.target.value)}
        className="min-w-0 flex-1 bg-transparent text-xs outline-none placeholder:text-faint"
      />
    </label>
  );
}

export interface SelectFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

export function SelectField({ label, value, options, onChange }: SelectFieldProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 max-w-44 min-w-0 rounded-lg border border-line bg-surface px-2 text-xs text-ellipsis pointer-coarse:h-9"
    >
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {name}
        </option>
      ))}
    </select>
  );
}
