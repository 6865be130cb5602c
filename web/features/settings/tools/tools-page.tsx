// /settings/tools: the tools that agents of the organization may be given, the hosts that they may call, the vault, and
// MCP servers.
import { ServersSection } from '../mcp-servers/servers-section.tsx'
import { SettingsLayout } from '../settings-layout.tsx'
import { HostsSection } from './hosts-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { ToolsSection } from './tools-section.tsx'

/** Four sections; everyone sees them, and each says who may change it. */
export function ToolsPage() {
  return (
    <SettingsLayout tab="tools">
      <ToolsSection />
      <HostsSection />
      <SecretsSection />
      <ServersSection />
    </SettingsLayout>
  )
}
