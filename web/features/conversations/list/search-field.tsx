// The field above the list in which words are searched for.
import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { LIST_SEARCH_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useInboxFilters } from '../filters/use-inbox-filters.ts'

/** Who types on is not interrupted by answers to half a word, milliseconds. */
const TYPING_MS = 300

/** Shift+F leads into it; Escape empties it, and leaves it when it is empty. */
export function SearchField() {
  const { t } = useTranslation('conversations')
  const [{ q }, setQuery] = useInboxFilters()
  const [typed, setTyped] = useState(q ?? '')
  const input = useRef<HTMLInputElement>(null)
  useShortcut('searchList', () => input.current?.focus())
  const words = typed.trim() || null
  const own = useRef(q)
  useEffect(() => {
    if (q !== own.current) setTyped(q ?? '') // changed elsewhere: cleared, or those of a view
    own.current = q
  }, [q])
  useEffect(() => {
    if (words === q) return
    const timer = setTimeout(() => {
      own.current = words
      void setQuery({ q: words })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [words, q, setQuery])
  return (
    <div className="relative min-w-0 flex-1">
      <Search aria-hidden="true" className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground" />
      <Input
        ref={input}
        className="px-9"
        aria-label={t(($) => $.search.label)}
        placeholder={t(($) => $.search.placeholder)}
        maxLength={LIST_SEARCH_MAX}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          if (typed) setTyped('')
          else input.current?.blur()
        }}
      />
      {typed && (
        <Button
          variant="ghost"
          size="icon-sm"
          className="absolute top-1/2 right-1 -translate-y-1/2"
          aria-label={t(($) => $.search.clear)}
          onClick={() => setTyped('')}
        >
          <X />
        </Button>
      )}
    </div>
  )
}
