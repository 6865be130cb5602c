// /knowledge/space/:slug: what is in one space, who uses it, and what it answers.

import { Pencil, Trash2 } from 'lucide-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { reveal } from '#web/lib/browser/reveal.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useKnowledgeSpace } from '#web/lib/server/use-entity.ts'
import { May, ReadOnlyNote, useMay, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { AgentsTab } from './agents-tab.tsx'
import { DocumentsTab } from './documents/documents-tab.tsx'
import { SpaceEmbedding } from './embedding-progress.tsx'
import { NotesTab } from './notes/notes-tab.tsx'
import { ReviewTab } from './proposals/review-tab.tsx'
import { RemoveSpaceDialog } from './remove-space-dialog.tsx'
import { SearchTab } from './search-tab.tsx'
import { SpaceDialog } from './space-dialog.tsx'
import { TablesTab } from './tables/tables-tab.tsx'
import { WebTab } from './web-search/web-tab.tsx'

const TABS = ['documents', 'notes', 'tables', 'web', 'agents', 'review', 'search'] as const

/** The open part is in the URL (`?part=notes`). */
export function SpacePage() {
  const { t } = useTranslation('knowledge')
  const { slug } = useParams()
  const { entity: space, name } = useKnowledgeSpace(slug)
  return (
    <Page
      title={name ?? t(($) => $.list.title)}
      description={space?.description || undefined}
      actions={
        space && (
          <May need="knowledge.write">
            <SpaceActions space={space} />
          </May>
        )
      }
    >
      {space ? (
        <>
          <WritableBy permission="knowledge.write" isQuiet>
            <SpaceEmbedding space={space} />
          </WritableBy>
          <SpaceParts space={space} />
        </>
      ) : (
        <Delayed>
          <div className="flex flex-col gap-4">
            <Skeleton className="h-10 w-full max-w-md" />
            <Skeleton className="h-28 rounded-xl" />
            <Skeleton className="h-48 rounded-xl" />
          </div>
        </Delayed>
      )}
    </Page>
  )
}

function SpaceParts({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const [part, setPart] = useQueryState('part', parseAsStringLiteral(TABS).withDefault('documents'))
  const mayTest = useMay('agents.test')
  const tabs = TABS.filter((tab) => tab !== 'search' || mayTest)
  const counts = {
    documents: space.documents,
    notes: space.fragments,
    tables: space.tables,
    web: null,
    agents: space.linkedAgents,
    review: null,
    search: null,
  }
  return (
    <Tabs value={part} onValueChange={(next) => setPart(TABS.find((tab) => tab === next) ?? null)}>
      <TabsList aria-label={t(($) => $.tabs.label)}>
        {tabs.map((tab) => (
          <TabsTrigger key={tab} value={tab} ref={tab === part ? reveal : undefined}>
            {t(($) => $.tabs[tab])}
            {counts[tab] !== null && (
              <span className="rounded-full bg-accent px-1.5 font-normal text-foreground text-xs tabular-nums max-sm:hidden">
                {formatNumber(counts[tab])}
              </span>
            )}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="documents">
        <DocumentsTab space={space} />
      </TabsContent>
      <TabsContent value="notes">
        <NotesTab space={space} />
      </TabsContent>
      <TabsContent value="tables">
        <TablesTab space={space} />
      </TabsContent>
      <TabsContent value="web">
        <WritableBy permission="knowledge.write">
          <WebTab space={space} />
        </WritableBy>
      </TabsContent>
      <TabsContent value="agents">
        <WritableBy permission="knowledge.write">
          <AgentsTab space={space} />
        </WritableBy>
      </TabsContent>
      <TabsContent value="review">
        <WritableBy permission="knowledge.write">
          <ReviewTab space={space} />
        </WritableBy>
      </TabsContent>
      <TabsContent value="search">{mayTest ? <SearchTab space={space} /> : <ReadOnlyNote />}</TabsContent>
    </Tabs>
  )
}

function SpaceActions({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null)
  return (
    <>
      <Button onClick={() => setOpen('edit')}>
        <Pencil aria-hidden="true" />
        {t(($) => $.space.edit)}
      </Button>
      <Button className="text-destructive-soft-foreground" onClick={() => setOpen('remove')}>
        <Trash2 aria-hidden="true" />
        {t(($) => $.space.remove)}
      </Button>
      {open === 'edit' && <SpaceDialog isOpen space={space} onOpenChange={() => setOpen(null)} />}
      {open === 'remove' && (
        <RemoveSpaceDialog space={space} onClose={() => setOpen(null)} onConfirmed={() => navigate(paths.knowledge)} />
      )}
    </>
  )
}
