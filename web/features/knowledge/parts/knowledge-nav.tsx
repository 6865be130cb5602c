// The ways between the spaces and the pages of single parts.
import { NavLink, useLocation } from 'react-router'
import { reveal } from '#web/lib/browser/reveal.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { keptQuery } from './kept-query.ts'

/** Parts that have a page of their own, in the order shown. */
const PARTS = ['documents', 'base', 'tables', 'web-search', 'rag-tester'] as const
export type KnowledgePart = (typeof PARTS)[number]

/** A row of links that keeps the space on the way from part to part. */
export function KnowledgeNav({ spaceSlug }: { spaceSlug?: string | undefined }) {
  const { t } = useTranslation('knowledge')
  const { search } = useLocation()
  const query = keptQuery(search, spaceSlug ? { spaceSlug } : {})
  return (
    <nav
      aria-label={t(($) => $.parts.label)}
      className="flex gap-1 overflow-x-auto border-border border-b [scrollbar-width:none]"
    >
      <Item to={`${paths.knowledge}${keptQuery(search)}`} label={t(($) => $.parts.spaces)} />
      {PARTS.map((part) => (
        <Item key={part} to={`${paths.knowledgePart(part)}${query}`} label={t(($) => $.parts[part].title)} />
      ))}
    </nav>
  )
}

function Item({ to, label }: { to: string; label: string }) {
  const { pathname } = useLocation()
  return (
    <NavLink
      ref={to.split('?')[0] === pathname ? reveal : undefined}
      to={to}
      end
      className={({ isActive }) =>
        cn(
          '-mb-px inline-flex h-10 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground focus-visible:-outline-offset-2 pointer-coarse:h-11 max-sm:px-2',
          isActive && 'border-primary text-foreground',
        )
      }
    >
      {label}
    </NavLink>
  )
}
