// The search field for contacts, and its results.
import { useEffect, useState } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { LIST_SEARCH_MAX } from '#shared/limits.ts'
import type { ContactHit } from '#shared/messaging/contacts.ts'
import { api } from '#web/api.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** Debounce of typing, in ms. */
const TYPING_MS = 300

type ContactFinderProps = {
  /** Excluded from the results. */
  without: Id<'customers'>
  onFound: (id: Id<'customers'>) => void
}

/** Focused on mount. */
export function ContactFinder({ without, onFound }: ContactFinderProps) {
  const { t } = useTranslation('conversations')
  const [typed, setTyped] = useState('')
  const hits = useHits(typed.trim())?.filter(({ _id }) => _id !== without)
  return (
    <div className="flex flex-col gap-3">
      <Field label={t(($) => $.samePerson.find)} hint={t(($) => $.samePerson.findHint)}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={LIST_SEARCH_MAX}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      <div aria-live="polite">
        {hits?.length === 0 && <p className="text-muted-foreground text-sm">{t(($) => $.samePerson.nobody)}</p>}
      </div>
      {hits && hits.length > 0 && (
        <ul aria-label={t(($) => $.samePerson.found)} className="flex flex-col gap-1">
          {hits.map(({ _id, name, identifier: { channel, username, externalId } }) => (
            <li key={_id}>
              <button
                type="button"
                className="flex min-h-10 w-full flex-wrap items-baseline gap-x-2 rounded-lg px-3 py-2 text-start hover:bg-accent pointer-coarse:min-h-11"
                onClick={() => onFound(_id)}
              >
                <span className="break-words font-medium">{name || externalId}</span>
                <span className="break-all text-muted-foreground text-sm">
                  {channelName(channel, currentLanguage())} · {username ? `@${username}` : externalId}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Results for the latest query; null before the first. */
function useHits(words: string): ContactHit[] | null {
  const search = useAction(api.conversations.contacts.search)
  const [hits, setHits] = useState<ContactHit[] | null>(null)
  useEffect(() => {
    if (words === '') return setHits(null)
    let isLatest = true
    const timer = setTimeout(() => {
      void search({ query: words }).then(
        (found: ContactHit[]) => isLatest && setHits(found),
        () => undefined, // reported in a toast
      )
    }, TYPING_MS)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [words, search])
  return hits
}
