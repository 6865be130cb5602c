// The list of further wordings of a note's question, edited line by line.
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { ALSO_ASKED_AS_MAX, ALSO_ASKED_AS_MAX_ITEMS } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { wordingsOf } from './notes.rules.ts'

type WordingsFieldProps = {
  initial: readonly string[]
  /** Non-empty wordings, each once. */
  onChange: (wordings: string[]) => void
}
type Row = { key: number; text: string }

/** Enter begins the next wording, Backspace in an empty one removes it, a pasted list becomes many. */
export function WordingsField({ initial, onChange }: WordingsFieldProps) {
  const { t } = useTranslation('knowledge')
  const id = useId()
  const nextKey = useRef(initial.length)
  const list = useRef<HTMLUListElement>(null)
  const [rows, setRows] = useState<Row[]>(() => initial.map((text, key) => ({ key, text })))
  const isFull = rows.length >= ALSO_ASKED_AS_MAX_ITEMS

  function change(next: Row[], focused?: number) {
    setRows(next)
    onChange(wordingsOf(next.map(({ text }) => text).join('\n')))
    if (focused !== undefined) requestAnimationFrame(() => list.current?.querySelectorAll('input')[focused]?.focus())
  }
  /** Puts lines in the place of the row at `index`; beyond the end they are added. */
  function write(index: number, lines: string[], focused?: number) {
    const known = rows[index]?.key
    const written = lines.map((text, at) => ({
      key: at === 0 && known !== undefined ? known : nextKey.current++,
      text,
    }))
    change([...rows.slice(0, index), ...written, ...rows.slice(index + 1)].slice(0, ALSO_ASKED_AS_MAX_ITEMS), focused)
  }
  const remove = (index: number) =>
    change(
      rows.filter((_, at) => at !== index),
      Math.max(0, index - 1),
    )
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>, index: number, text: string) {
    if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
      event.preventDefault() // Enter would save the note
      if (!isFull) write(index, [text, ''], index + 1)
    } else if (event.key === 'Backspace' && text === '') {
      event.preventDefault()
      remove(index)
    }
  }

  return (
    <fieldset aria-describedby={`${id}-hint`} className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">{t(($) => $.notes.alsoAskedAs)}</legend>
      {rows.length > 0 && (
        <ul ref={list} className="flex flex-col gap-2">
          {rows.map(({ key, text }, index) => (
            <li key={key} className="flex items-center gap-1">
              <Input
                value={text}
                maxLength={ALSO_ASKED_AS_MAX}
                autoComplete="off"
                aria-label={t(($) => $.notes.wording, { number: index + 1 })}
                onChange={(event) => write(index, [event.target.value])}
                onKeyDown={(event) => onKeyDown(event, index, text)}
                onPaste={(event) => {
                  const lines = wordingsOf(event.clipboardData.getData('text'))
                  if (lines.length < 2) return
                  event.preventDefault()
                  write(index, text.trim() ? [text, ...lines] : lines)
                }}
              />
              <Button
                variant="ghost"
                size="icon-sm"
                onClick={() => remove(index)}
                aria-label={t(($) => $.notes.removeWording, { number: index + 1 })}
              >
                <X />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button size="sm" disabled={isFull} onClick={() => write(rows.length, [''], rows.length)}>
          <Plus aria-hidden="true" />
          {t(($) => $.notes.addWording)}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground">
        {isFull
          ? t(($) => $.notes.alsoAskedAsTooMany, { count: ALSO_ASKED_AS_MAX_ITEMS })
          : t(($) => $.notes.alsoAskedAsHint)}
      </p>
    </fieldset>
  )
}
