// A field for a list of short phrases: each becomes a chip that can be removed.
import { X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useDisabled } from '#web/lib/read-only.ts'
import { addChips } from './chip-input.rules.ts'
import { inputClasses } from './input.tsx'

type ChipInputProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'max'> & {
  value: readonly string[]
  onValueChange: (value: string[]) => void
  /** Most phrases of the list. */
  max: number
}

/** Enter and comma end a phrase, a pasted list becomes many; Backspace in the empty field removes the last one. */
export function ChipInput({ value, onValueChange, max, className, onBlur, disabled, ...props }: ChipInputProps) {
  const isDisabled = useDisabled(disabled)
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const add = (text: string) => {
    setTyped('')
    const next = addChips(value, text, max)
    if (next.length !== value.length) onValueChange(next)
  }
  const remove = (index: number) => {
    onValueChange(value.filter((_, at) => at !== index))
    input.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault() // Enter would save the form
      add(typed)
    } else if (event.key === 'Backspace' && typed === '' && value.length > 0) remove(value.length - 1)
  }
  return (
    <div
      className={cn(
        inputClasses,
        'flex min-h-9 flex-wrap items-center gap-1.5 px-2 py-1.5 focus-within:border-ring focus-within:outline-2 focus-within:outline-ring/35',
        className,
      )}
    >
      <Chips value={value} onRemove={remove} />
      <input
        ref={input}
        autoComplete="off"
        {...props}
        disabled={isDisabled}
        value={typed}
        onChange={(event) =>
          /[,;\n]/.test(event.target.value) ? add(event.target.value) : setTyped(event.target.value)
        }
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const text = event.clipboardData.getData('text')
          if (!/[,;\n]/.test(text)) return
          event.preventDefault()
          add(typed + text)
        }}
        onBlur={(event) => {
          if (typed.trim()) add(typed)
          onBlur?.(event)
        }}
        className="min-w-24 flex-1 bg-transparent px-1 py-0.5 outline-none placeholder:text-muted-foreground"
      />
    </div>
  )
}

function Chips({ value, onRemove }: { value: readonly string[]; onRemove: (index: number) => void }) {
  const { t } = useTranslation()
  const isDisabled = useDisabled(false)
  if (value.length === 0) return null
  return (
    <ul className="contents">
      {value.map((phrase, index) => (
        <li key={phrase} className="flex min-w-0 items-center rounded-md bg-accent ps-2 text-[0.8125rem]">
          <span className="min-w-0 truncate">{phrase}</span>
          <button
            type="button"
            disabled={isDisabled}
            aria-label={t(($) => $.action.removeNamed, { name: phrase })}
            onClick={() => onRemove(index)}
            className="flex size-6 shrink-0 items-center justify-center rounded-md text-muted-foreground hover:text-foreground pointer-coarse:size-9"
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  )
}
