/** A link to a place in the inspector. */
import type { ReactNode } from "react";
import { Link } from "../../route/link.tsx";
import { cx } from "../../ui/class-names.ts";
import { type InspectorPlace, routeTo } from "../data/place.ts";

export interface InspectorLinkProps {
  readonly conversationId: string;
  readonly to: InspectorPlace;
  readonly className?: string;
  readonly children: ReactNode;
}

export function InspectorLink({ conversationId, to, className, children }: InspectorLinkProps) {
  return (
    <Link
      to={routeTo(conversationId, to)}
      className={cx("rounded-sm text-accent underline-offset-2 hover:underline", className)}
    >
      {children}
    </Link>
  );
}
