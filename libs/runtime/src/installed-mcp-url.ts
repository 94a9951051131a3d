/** Where MCP clients reach this installation: as configured, else where the gateway stands below the public address. */
export const installedMcpUrl = ({
  publicUrl,
  mcpUrl,
}: {
  readonly publicUrl: string | null;
  readonly mcpUrl: string | null;
}): string | null => mcpUrl ?? (publicUrl === null ? null : `${publicUrl}/mcp`);
