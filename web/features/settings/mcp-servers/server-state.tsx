// How a server does, in a word each.
import type { McpServer } from '#shared/tools/mcp-servers.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Nothing where all is well. */
export function ServerState({ server: { status, failure, tools } }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  return (
    <>
      {status !== 'connected' && (
        <Badge tone={status === 'pending' ? 'warning' : 'destructive'}>{t(($) => $.mcp.status[status])}</Badge>
      )}
      {status === 'connected' && failure !== null && <Badge tone="destructive">{t(($) => $.mcp.failing)}</Badge>}
      {tools.changed > 0 && <Badge tone="warning">{t(($) => $.mcp.changed, { count: tools.changed })}</Badge>}
    </>
  )
}
