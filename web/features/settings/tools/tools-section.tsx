// The tools of the organization, each with how it does.
import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { HttpTool } from '#shared/tools/tools.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'

/** Live: a tool that fails is seen at once. */
export function ToolsSection() {
  const { t } = useTranslation('tools')
  const tools: HttpTool[] | undefined = useQuery(api.tools.list, {})
  return (
    <CardSection
      title={t(($) => $.list.title)}
      description={t(($) => $.list.description)}
      actions={
        <May need="agents.write">
          <Link to={paths.tool('new')} className={buttonClasses({ variant: 'primary', size: 'sm' })}>
            <Plus aria-hidden="true" />
            {t(($) => $.list.create)}
          </Link>
        </May>
      }
    >
      {!tools && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {tools?.length === 0 && <p className="text-muted-foreground">{t(($) => $.list.none)}</p>}
      <ul className="divide-y divide-border">
        {tools?.map((tool) => (
          <ToolRow key={tool._id} tool={tool} />
        ))}
      </ul>
    </CardSection>
  )
}

function ToolRow({ tool }: { tool: HttpTool }) {
  const { t } = useTranslation('tools')
  const { name, description, failing, usedToday, perDay } = tool
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <Link to={paths.tool(tool._id)} className="break-all font-medium text-primary hover:underline">
            {name}
          </Link>
          {failing && <Badge tone="destructive">{t(($) => $.list.failing, { count: failing.times })}</Badge>}
        </p>
        <p className="break-words text-[0.8125rem] text-muted-foreground">{description}</p>
      </div>
      <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
        {t(($) => $.list.usedToday, { used: usedToday, max: perDay })}
      </p>
    </li>
  )
}
