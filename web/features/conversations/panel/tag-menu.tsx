// The tags of one or several conversations: those there are, to be taken off, and a field for another one, which suggests those in use.
import { Tags, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { TAG_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Popover, PopoverContent, PopoverTrigger } from '#web/components/ui/popover.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { Tag } from './tag.tsx'

type TagMenuProps = {
  tagged: string[]
  /** They may have other tags too: any that is in use can be taken off. */
  isPartlyKnown?: boolean
  onChange: (tag: string, isOn: boolean) => void
}

/** Each change takes effect at once. */
export function TagMenu(props: TagMenuProps) {
  const { t } = useTranslation('conversations')
  return (
    <Popover>
      <Tooltip content={t(($) => $.filing.tags)}>
        <PopoverTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t(($) => $.filing.tags)}>
            <Tags />
          </Button>
        </PopoverTrigger>
      </Tooltip>
      <PopoverContent align="end" className="w-72" aria-label={t(($) => $.filing.tags)}>
        <TagFields {...props} />
      </PopoverContent>
    </Popover>
  )
}

function TagFields({ tagged, isPartlyKnown = false, onChange }: TagMenuProps) {
  const { t } = useTranslation('conversations')
  const listId = useId()
  const [typed, setTyped] = useState('')
  const known: string[] = useQuery(api.conversations.tags, {}) ?? []
  const removable = isPartlyKnown ? [...new Set([...tagged, ...known])].sort() : tagged
  function add(event: FormEvent) {
    event.preventDefault()
    const tag = typed.trim()
    if (tag) onChange(tag, true)
    setTyped('')
  }
  return (
    <div className="flex flex-col gap-3">
      {removable.length > 0 && (
        <ul className="flex max-h-60 flex-wrap gap-1.5 overflow-y-auto">
          {removable.map((tag) => (
            <li key={tag} className="flex items-center">
              <Tag tag={tag} />
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t(($) => $.filing.removeTag, { tag })}
                onClick={() => onChange(tag, false)}
              >
                <X />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form className="flex gap-2" onSubmit={add}>
        <Input
          aria-label={t(($) => $.filing.newTag)}
          placeholder={t(($) => $.filing.newTag)}
          list={listId}
          maxLength={TAG_MAX}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <datalist id={listId}>
          {known
            .filter((tag) => !tagged.includes(tag))
            .map((tag) => (
              <option key={tag} value={tag} />
            ))}
        </datalist>
        <Button type="submit" disabled={!typed.trim()}>
          {t(($) => $.filing.addTag)}
        </Button>
      </form>
    </div>
  )
}
