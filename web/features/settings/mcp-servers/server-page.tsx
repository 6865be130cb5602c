// /settings/mcp-servers/:serverId: one server: how it does, and which of its tools are allowed. `?result=` says how a consent ended.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { MCP_CONSENT_RESULTS, type McpServer } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { May, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { AccessSection } from './access-section.tsx'
import { ServerTools } from './server-tools.tsx'

/** Live: what an hourly look finds is seen at once. */
export function ServerPage() {
  const { t } = useTranslation('tools')
  const { serverId } = useParams()
  const servers: McpServer[] | undefined = useQuery(api.mcpServers.list, {})
  const server = servers?.find(({ _id }) => _id === serverId)
  return (
    <Page
      title={server?.name ?? t(($) => $.mcp.title)}
      description={server && <span className="break-all">{server.url}</span>}
      width="narrow"
      actions={server && <RemoveButton server={server} />}
    >
      {!servers && (
        <Delayed>
          <Skeleton className="h-64 rounded-xl" />
        </Delayed>
      )}
      <ConsentResult />
      {servers && !server && <EmptyState icon={SearchX} title={t(($) => $.mcp.gone)} />}
      {server && (
        <WritableBy permission="keys.write">
          <AccessSection server={server} />
          <ServerTools server={server} />
        </WritableBy>
      )}
    </Page>
  )
}

function ConsentResult() {
  const { t } = useTranslation('tools')
  const [search] = useSearchParams()
  const result = MCP_CONSENT_RESULTS.find((each) => each === search.get('result'))
  if (!result) return null
  const tone = result === 'connected' ? 'success' : result === 'denied' ? 'info' : 'destructive'
  return <Alert tone={tone}>{t(($) => $.mcp.result[result])}</Alert>
}

function RemoveButton({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const navigate = useNavigate()
  const remove = useMutation(api.mcpServers.remove)
  const [isAsking, setAsking] = useState(false)
  return (
    <May need="keys.write">
      <Button onClick={() => setAsking(true)}>{t(($) => $.mcp.remove)}</Button>
      {isAsking && (
        <ConfirmDialog
          title={t(($) => $.mcp.removeTitle, { name: server.name })}
          description={t(($) => $.mcp.removeBody)}
          confirmLabel={t(($) => $.mcp.remove)}
          onConfirm={async () => {
            await remove({ serverId: server._id })
            void navigate(paths.tools)
          }}
          onClose={() => setAsking(false)}
          isDestructive
        />
      )}
    </May>
  )
}
