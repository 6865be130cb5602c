// One line of the command palette.
import type { ReactNode } from 'react'
import { CommandItem } from '#web/components/ui/command.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { type ShortcutName, shortcutKeys } from '#web/lib/browser/shortcuts.ts'

type CommandRowProps = {
  /** Tells equal labels apart; not shown. */
  id: string
  icon: ReactNode
  label: string
  hint?: string | undefined
  /** Other words by which it is found; the hint unless given. */
  keywords?: string
  shortcut?: ShortcutName
  onSelect: () => void
}

/** Found by its label and keywords. */
export function CommandRow({ id, icon, label, hint, keywords = hint, shortcut, onSelect }: CommandRowProps) {
  return (
    <CommandItem value={`${label} ${id}`} keywords={keywords ? [keywords] : []} onSelect={onSelect}>
      {icon}
      <span className="min-w-0 truncate">{label}</span>
      {hint && <span className="min-w-0 flex-1 truncate text-[0.8125rem] text-muted-foreground">{hint}</span>}
      {shortcut && <Kbd keys={shortcutKeys(shortcut)} className="ms-auto pointer-coarse:hidden" />}
    </CommandItem>
  )
}
