// The list of what a box offers; the caret stays in the box.
import { useEffect, useRef } from 'react'
import { popupClasses } from '#web/components/ui/popup-classes.ts'
import { cn } from '#web/lib/cn.ts'
import type { Suggestions } from './use-suggestions.ts'

/** Stands above the box. */
export function SuggestionList({
  suggestions: { id, label, items, chosen, choose, pick },
}: {
  suggestions: Suggestions
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[chosen]?.scrollIntoView?.({ block: 'nearest' })
  }, [chosen])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={label}
      tabIndex={-1}
      className={cn(popupClasses, 'absolute inset-x-0 bottom-full mb-1 max-h-64 overflow-y-auto p-1')}
    >
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are taken by the box, which keeps the focus
        <div
          key={item.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          tabIndex={-1}
          className={cn(
            'flex min-h-8 cursor-default flex-col justify-center rounded-md px-2.5 py-1.5 text-sm pointer-coarse:min-h-11',
            index === chosen && 'bg-accent',
          )}
          onPointerMove={() => choose(index)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(item)}
        >
          <span className="font-medium">{item.label}</span>
          {item.detail && <span className="truncate text-muted-foreground text-xs">{item.detail}</span>}
        </div>
      ))}
    </div>
  )
}
