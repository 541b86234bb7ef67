/** The inspector: what the model saw. Loaded when it is first opened; what stands behind its address is its own. */
import { Microscope } from "lucide-react";
import { EmptyState } from "../ui/empty-state.tsx";

export interface InspectorProps {
  readonly conversationId: string;
  /** Path segments behind `/c/<id>/inspect/`, decoded. */
  readonly rest: readonly string[];
  /** The query, with its question mark. */
  readonly search: string;
}

export default function Inspector({ conversationId }: InspectorProps) {
  return (
    <EmptyState icon={<Microscope />} title="The inspector is not here yet">
      It will show what the model saw of {conversationId}.
    </EmptyState>
  );
}
