/**
 * Whether calls of a tool are made, refused, or asked about, as an operator says.
 *
 * Policies are by tool id, or by the beginning of ids: `mcp.shop.*` means every tool of the server `shop`. The longest
 * name that fits counts. Where none fits, the tool's own rule does.
 */
export const TOOL_POLICIES = ["ask", "allow", "refuse"] as const;
export type ToolPolicy = (typeof TOOL_POLICIES)[number];
export type ToolPolicies = Readonly<Record<string, ToolPolicy>>;

export function policyOf(policies: ToolPolicies, toolId: string): ToolPolicy | null {
  if (Object.hasOwn(policies, toolId)) return policies[toolId] ?? null;
  const fitting = Object.keys(policies).filter((name) => name.endsWith("*") && toolId.startsWith(name.slice(0, -1)));
  const longest = fitting.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? null : (policies[longest] ?? null);
}
