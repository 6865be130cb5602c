// Mod+/ or ?: the shortcuts that work on the present page.
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import {
  isChord,
  type ShortcutName,
  shortcutGroup,
  shortcutKeys,
  useActiveShortcuts,
} from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const GROUPS = ['general', 'navigation', 'page'] as const

/** Open while mounted; built from the one registry and searchable. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const active = useActiveShortcuts()
  const label = (name: ShortcutName) => t(($) => $.shortcuts[name])
  const found = active.filter((name) => label(name).toLocaleLowerCase().includes(query.trim().toLocaleLowerCase()))
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.shortcuts.title)} className="max-h-[80dvh] max-w-xl">
        <SearchBox value={query} onChange={setQuery} />
        {found.length === 0 && (
          <p className="py-6 text-center text-muted-foreground">{t(($) => $.state.nothingFound)}</p>
        )}
        {active.includes('writeReply') && (
          <p className="text-muted-foreground text-sm">{t(($) => $.shortcuts.typing)}</p>
        )}
        {GROUPS.map((group) => {
          const names = found.filter((name) => shortcutGroup(name) === group)
          if (names.length === 0) return null
          return (
            <section key={group}>
              <h3 className="mb-1 font-medium text-muted-foreground text-xs">{t(($) => $.shortcuts[group])}</h3>
              <dl>
                {names.map((name) => (
                  <div
                    key={name}
                    className="flex min-h-9 items-center justify-between gap-4 border-border/70 border-b last:border-0"
                  >
                    <dt>{label(name)}</dt>
                    <dd className="flex items-center">
                      <Keys name={name} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </DialogContent>
    </Dialog>
  )
}

function SearchBox({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="relative">
      <Search aria-hidden="true" className="absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground" />
      <Input
        id={id}
        type="search"
        aria-label={t(($) => $.shortcuts.search)}
        placeholder={t(($) => $.shortcuts.search)}
        className="ps-9"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

function Keys({ name }: { name: ShortcutName }) {
  const { t } = useTranslation()
  const keys = shortcutKeys(name)
  if (!isChord(name)) return <Kbd keys={keys} />
  return (
    <span className="flex items-center gap-1.5 text-muted-foreground text-xs">
      <Kbd keys={keys.slice(0, 1)} /> {t(($) => $.shortcuts.then)} <Kbd keys={keys.slice(1)} />
    </span>
  )
}
