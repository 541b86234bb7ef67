/** Opens the inspector beside the conversation, or closes it. */
import { navigate } from "../route/location.ts";
import type { Route } from "../route/route.ts";

export function toggleInspector(route: Route): void {
  if (route.page === "inspect") navigate({ page: "chat", conversationId: route.conversationId });
  else if (route.page === "chat")
    navigate({ page: "inspect", conversationId: route.conversationId, rest: [], search: "" });
}
