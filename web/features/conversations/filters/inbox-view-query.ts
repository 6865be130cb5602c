// Filters, order and words of the inbox as a kept view holds them, and the view with which the inbox opens.
import { createLoader, createSerializer } from 'nuqs'
import { useEffect, useState } from 'react'
import type { InboxView } from '#shared/messaging/views.ts'
import { paths } from '#web/lib/paths.ts'
import { type InboxQuery, useInboxFilters, viewParsers, withQuery } from './use-inbox-filters.ts'

const read = createLoader(viewParsers)
const write = createSerializer(viewParsers)

/** Of what the address holds, what a view keeps: `?status=paused`; empty when the inbox is shown as it is. */
export function viewQueryOf({ conversation: _conversation, ...query }: InboxQuery): string {
  return write({ ...query, sort: query.sort === 'newest' ? null : query.sort })
}

/** Whether the inbox shows what a view keeps. What means nothing any more is left out of both. */
export function isShown(view: Pick<InboxView, 'query'>, query: InboxQuery): boolean {
  return write(read(view.query)) === viewQueryOf(query)
}

/** The address of a view, and without one of everything. */
export function viewPath(view?: Pick<InboxView, 'query'>): string {
  return withQuery(paths.chats, view ? read(view.query) : {})
}

/**
 * Whether it is decided what the inbox shows. An address that says nothing becomes that of the reader's own view, once: who clears the
 * filters afterwards sees everything.
 */
export function useDefaultView(views: InboxView[] | undefined): boolean {
  const [query, setQuery] = useInboxFilters()
  const [isDecided, setDecided] = useState(() => Object.values(query).some((value) => value !== null))
  useEffect(() => {
    if (isDecided || !views) return
    const kept = views.find(({ isDefault }) => isDefault)
    if (kept) void setQuery(read(kept.query))
    setDecided(true)
  }, [isDecided, views, setQuery])
  return isDecided
}
