/** A link to a place in the inspector. */
import type { ReactNode } from "react";
import { Link } from "../../route/link.tsx";
import { cx } from "../../ui/class-names.ts";
import { type InspectorPlace, routeTo } from "../data/place.ts";

export interface InspectorLinkProps {
  readonly conversationId: string;
  readonly to: InspectorPlace;
  readonly className?: string | undefined;
  /** Whether the link leads to the page that is shown. */
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

export function InspectorLink({ conversationId, to, className, isCurrent = false, children }: InspectorLinkProps) {
  return (
    <Link
      to={routeTo(conversationId, to)}
      {...(isCurrent ? { "aria-current": "true" as const } : {})}
      className={cx("rounded-sm text-accent underline-offset-2 hover:underline", className)}
    >
      {children}
    </Link>
  );
}
