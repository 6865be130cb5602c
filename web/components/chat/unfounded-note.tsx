// What of an answer stands neither in the knowledge nor in the conversation, for the team.
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from '#web/lib/i18n.ts'

/** The sentences in question; nothing where there are none. */
export function UnfoundedNote({ sentences }: { sentences: string[] }) {
  const { t } = useTranslation('conversations')
  if (sentences.length === 0) return null
  return (
    <div className="flex items-start gap-1.5 text-warning-soft-foreground text-xs leading-5">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p>{t(($) => $.message.unfounded)}</p>
        <ul className="flex flex-col gap-0.5">
          {sentences.map((sentence) => (
            <li key={sentence} className="break-words">
              <q>{sentence}</q>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
