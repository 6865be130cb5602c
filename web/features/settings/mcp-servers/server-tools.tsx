// The tools of a server: those that changed first, then those that are allowed, then the others.
import type { McpServer, McpTool, McpToolState } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { ServerTool } from './server-tool.tsx'

const ORDER: readonly McpToolState[] = ['changed', 'gone', 'allowed', 'not_allowed']

/** None is given to an agent before it is allowed here. */
export function ServerTools({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const tools: McpTool[] | undefined = useQuery(api.mcpServers.tools.list, { serverId: server._id })
  const sorted = tools?.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <CardSection title={t(($) => $.mcp.tools)} description={t(($) => $.mcp.toolsHint)}>
      {!tools && (
        <Delayed>
          <Skeleton className="h-24" />
        </Delayed>
      )}
      {tools?.length === 0 && (
        <p className="text-muted-foreground">
          {server.status === 'connected' ? t(($) => $.mcp.noTools) : t(($) => $.mcp.noToolsYet)}
        </p>
      )}
      <ul className="divide-y divide-border">
        {sorted?.map((tool) => (
          <ServerTool key={tool._id} tool={tool} />
        ))}
      </ul>
    </CardSection>
  )
}
