// The frame of a page that shows one part of a space, such as /knowledge/documents: which space, and the way back to it.
import { ArrowLeft, BookOpen } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import { type ReactNode, useEffect, useId } from 'react'
import { Link, useLocation } from 'react-router'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useKnowledgeSpace } from '#web/lib/server/use-entity.ts'
import { keptQuery } from './kept-query.ts'
import { KnowledgeNav, type KnowledgePart } from './knowledge-nav.tsx'

type PartPageProps = { part: KnowledgePart; children: (space: KnowledgeSpace) => ReactNode }

/** The space is in the URL (`?spaceSlug=`); without one it is the space that changed last. */
export function PartPage({ part, children }: PartPageProps) {
  const { t } = useTranslation('knowledge')
  const spaces: KnowledgeSpace[] | undefined = useQuery(api.knowledge.spaces.list, {})
  const [slug, setSlug] = useQueryState('spaceSlug', parseAsString)
  const { entity: space } = useKnowledgeSpace(slug ?? undefined)
  const latest = spaces?.toSorted((a, b) => b.updatedAt - a.updatedAt)[0]?.slug
  useEffect(() => {
    if (!slug && latest) void setSlug(latest, { history: 'replace', shallow: false }) // the breadcrumbs read it too
  }, [slug, latest, setSlug])
  return (
    <Page
      title={t(($) => $.parts[part].title)}
      description={t(($) => $.parts[part].description)}
      actions={space && <BackToSpace space={space} />}
    >
      <KnowledgeNav spaceSlug={slug ?? undefined} />
      {spaces?.length === 0 && !slug && <NoSpaces />}
      {space && spaces && (
        <SpaceChoice space={space} spaces={spaces} onChoose={(chosen) => void setSlug(chosen, { shallow: false })} />
      )}
      {space ? (
        <div key={space._id}>{children(space)}</div>
      ) : (
        spaces?.length !== 0 && (
          <Delayed>
            <Skeleton className="h-48 rounded-xl" />
          </Delayed>
        )
      )}
    </Page>
  )
}

function BackToSpace({ space }: { space: KnowledgeSpace }) {
  const { t } = useTranslation('knowledge')
  const { search } = useLocation()
  return (
    <Link
      to={`${paths.space(space.slug)}${keptQuery(search)}`}
      className={buttonClasses({ variant: 'secondary', className: 'max-w-full' })}
    >
      <ArrowLeft aria-hidden="true" />
      <span className="truncate">{t(($) => $.parts.back, { name: space.name })}</span>
    </Link>
  )
}

type SpaceChoiceProps = { space: KnowledgeSpace; spaces: KnowledgeSpace[]; onChoose: (slug: string) => void }

function SpaceChoice({ space, spaces, onChoose }: SpaceChoiceProps) {
  const { t } = useTranslation('knowledge')
  const id = useId()
  if (spaces.length < 2) return null
  return (
    <div className="flex flex-wrap items-center gap-3">
      <label htmlFor={id} className="font-medium">
        {t(($) => $.parts.space)}
      </label>
      <Select
        id={id}
        className="w-72 max-w-full"
        value={space.slug}
        onValueChange={onChoose}
        options={spaces.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
    </div>
  )
}

function NoSpaces() {
  const { t } = useTranslation('knowledge')
  return (
    <EmptyState
      icon={BookOpen}
      title={t(($) => $.list.emptyTitle)}
      description={t(($) => $.list.emptyBody)}
      action={
        <Link to={`${paths.knowledge}?create=true`} className={buttonClasses({ variant: 'primary' })}>
          {t(($) => $.list.create)}
        </Link>
      }
    />
  )
}
