/** Shown in place of missing content, with the reason and what the user can do. */
import type { ReactNode } from "react";

export interface EmptyStateProps {
  readonly icon?: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="m-auto flex max-w-sm flex-col items-center gap-3 p-8 text-center">
      <div className="text-faint [&_svg]:size-8">{icon}</div>
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      <div className="text-sm text-soft text-pretty">{children}</div>
      {action}
    </div>
  );
}
