/** The definition of a tab of the inspector. */
import type { ReactNode } from "react";

/** The part of the address after `/c/<id>/inspect/`: decoded path segments, and the query with its question mark. */
export interface InspectorAddress {
  readonly rest: readonly string[];
  readonly search: string;
}

export interface InspectorTab {
  readonly name: string;
  readonly icon: ReactNode;
  /** The first segments of the tab's addresses. A link to the tab uses the first of them. */
  readonly segments: readonly [string, ...string[]];
  /** Draws the tab; null for an address at which it has no page. */
  readonly draw: (conversationId: string, address: InspectorAddress) => ReactNode;
}
