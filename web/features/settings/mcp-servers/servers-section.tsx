// The MCP servers of the organization, each with how it does.
import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { MCP_SERVERS_MAX, type McpServer } from '#shared/tools/mcp-servers.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { ServerState } from './server-state.tsx'

/** Live: a tool that has changed is seen at once. */
export function ServersSection() {
  const { t } = useTranslation('tools')
  const servers: McpServer[] | undefined = useQuery(api.mcpServers.list, {})
  return (
    <CardSection
      title={t(($) => $.mcp.title)}
      description={t(($) => $.mcp.description)}
      actions={
        servers !== undefined &&
        servers.length < MCP_SERVERS_MAX && (
          <May need="keys.write">
            <Link to={paths.mcpServer('new')} className={buttonClasses({ size: 'sm' })}>
              <Plus aria-hidden="true" />
              {t(($) => $.mcp.add)}
            </Link>
          </May>
        )
      }
    >
      {!servers && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {servers?.length === 0 && <p className="text-muted-foreground">{t(($) => $.mcp.none)}</p>}
      <ul className="divide-y divide-border">
        {servers?.map((server) => (
          <ServerRow key={server._id} server={server} />
        ))}
      </ul>
    </CardSection>
  )
}

function ServerRow({ server }: { server: McpServer }) {
  const { t } = useTranslation('tools')
  const { _id, name, url, tools } = server
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <Link to={paths.mcpServer(_id)} className="break-words font-medium text-primary hover:underline">
            {name}
          </Link>
          <ServerState server={server} />
        </p>
        <p className="break-all text-[0.8125rem] text-muted-foreground">{url}</p>
      </div>
      <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
        {t(($) => $.mcp.allowedOf, { allowed: tools.allowed, all: tools.all })}
      </p>
    </li>
  )
}
