/**
 * Policies of an operator: whether calls of a tool are allowed, refused, or need approval.
 *
 * A policy applies to a tool id or to a prefix of ids: `mcp.shop.*` means every tool of the server `shop`. The longest
 * match counts. Without a match, the tool's own rule applies.
 */
export const TOOL_POLICIES = ["ask", "allow", "refuse"] as const satisfies readonly ToolPolicy[];
export type ToolPolicy = "ask" | "allow" | "refuse";
export type ToolPolicies = Readonly<Record<string, ToolPolicy>>;

export function policyOf(policies: ToolPolicies, toolId: string): ToolPolicy | null {
  if (Object.hasOwn(policies, toolId)) return policies[toolId] ?? null;
  const fitting = Object.keys(policies).filter((name) => name.endsWith("*") && toolId.startsWith(name.slice(0, -1)));
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (policies[longest] ?? null);
}
