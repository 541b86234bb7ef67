/**
 * Whether an answer belongs to the request for approval as it is now. A request can be made again with other content
 * under the same call, so an approval names the hash of the content that was shown. A refusal runs nothing and needs no
 * hash. A request of an earlier version has no hash; approving it only leads to a new request, with the content that
 * will run.
 */
import type { EventBody } from "@cairn/timeline";

export function answersShown(
  asked: EventBody<"approval.requested">,
  { approve, hash }: { readonly approve: boolean; readonly hash: string | null },
): boolean {
  return hash === null ? !approve || asked.hash === undefined : hash === asked.hash;
}
