/** The addresses of hosted files and attachments of a conversation, in one scheme. */
import type { ConversationKey } from "@cairn/store";
import type { Hosted } from "./workspace.ts";

/** Makes the hosting fields of a file. `path` is physical. */
export function hostingFields(key: ConversationKey, path: string): Pick<Hosted, "hosted_uri" | "rn" | "key"> {
  const scope = [key.tenant, key.project, key.user, key.conversation].map(encodeURIComponent);
  const place = path.split("/").map(encodeURIComponent).join("/");
  return {
    hosted_uri: `cairn://${scope.join("/")}/${place}`,
    rn: `cairn:${scope.join(":")}:artifact:${place}`,
    key: `${scope.join("/")}/${place}`,
  };
}
