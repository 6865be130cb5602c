// /knowledge: every knowledge space of the organization.

import { BookOpen, Plus } from 'lucide-react'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { KnowledgeNav } from './parts/knowledge-nav.tsx'
import { WaitingNotice } from './proposals/waiting-notice.tsx'
import { RemoveSpaceDialog } from './remove-space-dialog.tsx'
import { SpaceCard } from './space-card.tsx'
import { SpaceDialog } from './space-dialog.tsx'

/** The list, live. `?create=true` opens the dialog for a new space. */
export function KnowledgePage() {
  const { t } = useTranslation('knowledge')
  const spaces: KnowledgeSpace[] | undefined = useQuery(api.knowledge.spaces.list, {})
  const [isCreating, setCreating] = useQueryState('create', parseAsBoolean.withDefault(false))
  const [edited, setEdited] = useState<KnowledgeSpace | null>(null)
  const [removed, setRemoved] = useState<KnowledgeSpace | null>(null)
  const mayCreate = useMay('knowledge.write')
  useShortcut('newItem', () => void setCreating(true), { isEnabled: mayCreate })
  const createButton = mayCreate && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      {t(($) => $.list.create)}
    </Button>
  )
  return (
    <Page
      title={t(($) => $.list.title)}
      description={t(($) => $.list.subtitle)}
      actions={spaces?.length !== 0 && createButton}
    >
      {spaces?.length !== 0 && <KnowledgeNav />}
      <WaitingNotice />
      {!spaces && (
        <Delayed>
          <SpacesSkeleton />
        </Delayed>
      )}
      {spaces?.length === 0 && (
        <EmptyState
          icon={BookOpen}
          title={t(($) => $.list.emptyTitle)}
          description={t(($) => $.list.emptyBody)}
          action={createButton}
        />
      )}
      {spaces && spaces.length > 0 && (
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {spaces.map((space) => (
            <li key={space._id}>
              <PartBoundary text={space.name} resetKeys={[space]}>
                <SpaceCard space={space} onEdit={() => setEdited(space)} onRemove={() => setRemoved(space)} />
              </PartBoundary>
            </li>
          ))}
        </ul>
      )}
      <SpaceDialog isOpen={mayCreate && isCreating} onOpenChange={(isOpen) => setCreating(isOpen || null)} />
      {edited && <SpaceDialog isOpen space={edited} onOpenChange={() => setEdited(null)} />}
      {removed && <RemoveSpaceDialog space={removed} onClose={() => setRemoved(null)} />}
    </Page>
  )
}

function SpacesSkeleton() {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {['a', 'b', 'c'].map((key) => (
        <Skeleton key={key} className="h-40 rounded-xl" />
      ))}
    </div>
  )
}
