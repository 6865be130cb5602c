// The warning above the reply box that a colleague is answering, or looking, too.
import { Eye, PencilLine } from 'lucide-react'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Colleagues } from '../use-colleagues.ts'

/** Renders nothing when no colleague is there. */
export function ColleaguesNote({ colleagues: { typing, looking } }: { colleagues: Colleagues }) {
  const { t } = useTranslation('conversations')
  const isTyping = typing.length > 0
  const text = isTyping
    ? t(($) => $.colleagues.typing, { names: typing.join(', ') })
    : looking.length > 0 && t(($) => $.colleagues.looking, { names: looking.join(', ') })
  const Icon = isTyping ? PencilLine : Eye
  return (
    <p role="status" className={isTyping ? 'text-warning-soft-foreground' : undefined}>
      {text && (
        <span
          className={
            isTyping
              ? 'inline-flex items-center gap-1.5 rounded-md bg-warning-soft px-2 py-1 font-medium'
              : 'inline-flex items-center gap-1.5'
          }
        >
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
          {text}
        </span>
      )}
    </p>
  )
}
