// Lines of the system between the messages: why the agent did not answer, what the team should know.
import type { Message } from '#shared/messaging/conversations.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOutcomeText } from './outcome-text.ts'
import { foldNotes } from './timeline.ts'
import { WhyButton } from './why-button.tsx'

type NotesProps = { messages: Message[]; onWhy: ((message: Message) => void) | undefined }

/** Equal lines in a row are one with their number, which opens to all of them. */
export function SystemNotes({ messages, onWhy }: NotesProps) {
  return (
    <li className="flex flex-col items-center gap-1 text-center text-muted-foreground text-xs">
      {foldNotes(messages).map((equal) => (
        <Note key={equal[0]?._id} messages={equal} onWhy={onWhy} />
      ))}
    </li>
  )
}

function Note({ messages, onWhy }: NotesProps) {
  const { t } = useTranslation('conversations')
  const noteText = useNoteText()
  const [first] = messages
  if (!first) return null
  const text = noteText(first)
  if (messages.length === 1) {
    return (
      <p className="max-w-prose">
        {text} <WhyButton message={first} onWhy={onWhy} />
      </p>
    )
  }
  return (
    <details className="max-w-prose">
      <summary className="cursor-pointer pointer-coarse:py-3">
        {text} {t(($) => $.message.repeated, { count: messages.length })}
      </summary>
      <ul className="flex flex-col items-center gap-1 pt-1">
        {messages.map((message) => (
          <li key={message._id}>
            <time dateTime={new Date(message.createdAt).toISOString()}>
              {formatDateTime(message.createdAt, 'time')}
            </time>{' '}
            <WhyButton message={message} onWhy={onWhy} />
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What people did to the conversation names them; every other line is a text of its own or a reason. */
function useNoteText(): (note: Message) => string | null {
  const { t } = useTranslation('conversations')
  const outcomeText = useOutcomeText()
  return ({ reason, text, authorName }) => {
    const by = authorName ?? ''
    if (reason === 'assigned') return t(($) => $.outcome.assigned, { by, name: text })
    if (reason === 'routed') return t(($) => $.outcome.routed, { name: text })
    if (reason === 'unassigned') return t(($) => $.outcome.unassigned, { by })
    if (reason === 'merged') return t(($) => $.outcome.merged, { by, count: Number(text) })
    if (reason === 'separated') return t(($) => $.outcome.separated, { by, count: Number(text) })
    if (reason === 'rerouted') return t(($) => $.outcome.rerouted, { number: text })
    return text || (reason && outcomeText(reason))
  }
}
