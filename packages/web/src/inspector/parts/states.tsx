/** Placeholders for content that is loading or could not be loaded. */
import { TriangleAlert } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Mark } from "../../ui/mark.tsx";

export function Waiting({ label }: { readonly label: string }) {
  return (
    <div className="grid min-h-40 flex-1 place-items-center">
      <Mark breathing className="size-9" />
      <span className="sr-only" role="status">
        {label}
      </span>
    </div>
  );
}

export interface ProblemProps {
  readonly title: string;
  readonly problem: string;
  readonly onRetry: () => void;
}

export function Problem({ title, problem, onRetry }: ProblemProps) {
  return (
    <EmptyState icon={<TriangleAlert />} title={title} action={<Button onClick={onRetry}>Try again</Button>}>
      {problem}
    </EmptyState>
  );
}
