// The sites whose pages are documents of a space.
import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { Site } from '#shared/knowledge/sites.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { RemoveSiteDialog } from './remove-site-dialog.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { SitePagesDialog } from './site-pages-dialog.tsx'
import { SiteRow } from './site-row.tsx'

type Opened = { dialog: 'edit' | 'pages' | 'remove'; site: Site } | { dialog: 'new' }

/** Live: how far a site is read shows while it is read. */
export function SiteList({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('web-search')
  const sites: Site[] | undefined = useQuery(api.knowledge.sites.list, { knowledgeSpaceId: space._id })
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  if (!sites) return null
  const addButton = (
    <Button onClick={() => setOpened({ dialog: 'new' })}>
      <Plus aria-hidden="true" />
      {t(($) => $.sites.add)}
    </Button>
  )
  return (
    <section aria-labelledby={`sites-${space._id}`} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 id={`sites-${space._id}`} className="font-semibold">
            {t(($) => $.sites.title)}
          </h2>
          <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.sites.hint)}</p>
        </div>
        {sites.length > 0 && addButton}
      </div>
      {sites.length === 0 ? (
        <EmptyState
          icon={Globe}
          title={t(($) => $.sites.emptyTitle)}
          description={t(($) => $.sites.emptyBody)}
          action={addButton}
        />
      ) : (
        <Card>
          <ul className="divide-y divide-border">
            {sites.map((site) => (
              <SiteRow key={site._id} site={site} onOpen={(dialog) => setOpened({ dialog, site })} />
            ))}
          </ul>
        </Card>
      )}
      {opened?.dialog === 'new' && <SiteDialog space={space} site={undefined} onClose={close} />}
      {opened?.dialog === 'edit' && <SiteDialog space={space} site={opened.site} onClose={close} />}
      {opened?.dialog === 'pages' && <SitePagesDialog site={opened.site} onClose={close} />}
      {opened?.dialog === 'remove' && <RemoveSiteDialog site={opened.site} onClose={close} />}
    </section>
  )
}
