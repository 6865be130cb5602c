// One knowledge space in the list.

import { BookOpen, Pencil, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import { KNOWLEDGE_SOURCES, type KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { unbroken } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { RowMenu } from './lists/row-menu.tsx'

type SpaceCardProps = { space: KnowledgeSpace; onEdit: () => void; onRemove: () => void }

/** The whole card opens the space. */
export function SpaceCard({ space, onEdit, onRemove }: SpaceCardProps) {
  const { t } = useTranslation('knowledge')
  const off = KNOWLEDGE_SOURCES.filter((source) => !space.enabledSources.includes(source)).map((source) =>
    t(($) => $.sources.name[source]),
  )
  const counts = [
    t(($) => $.list.documents, { count: space.documents }),
    t(($) => $.list.notes, { count: space.fragments }),
    ...(space.tables > 0 ? [t(($) => $.list.tables, { count: space.tables })] : []),
  ]
  return (
    <Card className="relative flex h-full flex-col gap-3 p-5 transition-shadow hover:shadow-raised">
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="flex size-10 shrink-0 items-center justify-center rounded-lg bg-primary-soft text-primary-soft-foreground"
        >
          <BookOpen className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">
            <Link to={paths.space(space.slug)} className="link-cover">
              {space.name}
            </Link>
          </h2>
          <p className="text-[0.8125rem] text-muted-foreground">{counts.map(unbroken).join(' · ')}</p>
        </div>
        <May need="knowledge.write">
          <RowMenu
            label={t(($) => $.list.actions, { name: space.name })}
            actions={[
              { label: t(($) => $.list.edit), Icon: Pencil, onSelect: onEdit },
              { label: t(($) => $.list.remove), Icon: Trash2, onSelect: onRemove, isDestructive: true },
            ]}
          />
        </May>
      </div>
      {space.description && <p className="line-clamp-2 text-muted-foreground">{space.description}</p>}
      {off.length > 0 && (
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.list.off, { names: off.join(', ') })}</p>
      )}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2 text-muted-foreground text-xs">
        <Badge tone={space.linkedAgents > 0 ? 'success' : 'warning'}>
          {space.linkedAgents > 0 ? t(($) => $.list.agents, { count: space.linkedAgents }) : t(($) => $.list.noAgents)}
        </Badge>
        <RelativeTime at={space.updatedAt} />
      </div>
    </Card>
  )
}
