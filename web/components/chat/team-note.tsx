// A note of the team between the messages. It looks unlike any message, because no customer ever sees it.
import { StickyNote, X } from 'lucide-react'
import type { Note } from '#shared/messaging/operator-tools.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type TeamNoteProps = { note: Note; onRemove: (() => void) | undefined }

/** Says to screen readers, too, that it is for the team alone. */
export function TeamNote({ note, onRemove }: TeamNoteProps) {
  const { t } = useTranslation('conversations')
  const name = note.author?.name ?? t(($) => $.note.formerAuthor)
  return (
    <li
      id={`note-${note._id}`}
      className="mx-auto flex w-full max-w-2xl items-start gap-2.5 rounded-xl border border-warning/40 border-dashed bg-warning-soft px-3.5 py-2.5 text-warning-soft-foreground"
    >
      {note.author ? (
        <PersonAvatar person={note.author} />
      ) : (
        <StickyNote aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      )}
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-1.5 text-xs">
          <span className="font-medium">{t(($) => $.note.title)}</span>
          <span>{name}</span>
          <time dateTime={new Date(note.createdAt).toISOString()} title={formatDateTime(note.createdAt, 'full')}>
            {formatDateTime(note.createdAt, 'time')}
          </time>
        </p>
        <p className="whitespace-pre-wrap break-words leading-relaxed">
          <Marked text={note.text} names={note.mentions.map((member) => member.name)} />
        </p>
      </div>
      {onRemove && (
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t(($) => $.note.remove)}
          title={t(($) => $.note.remove)}
          className="text-current"
          onClick={onRemove}
        >
          <X aria-hidden="true" />
        </Button>
      )}
    </li>
  )
}

/** The text with the names of those whom it calls for in bold. */
function Marked({ text, names }: { text: string; names: string[] }) {
  const marks = names.map((name) => `@${name}`)
  const pieces = marks.reduce<string[]>(
    (before, mark) => before.flatMap((piece) => (marks.includes(piece) ? [piece] : parted(piece, mark))),
    [text],
  )
  return pieces.map((piece, index) =>
    marks.includes(piece) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text of a note never changes
      <strong key={index}>{piece}</strong>
    ) : (
      piece
    ),
  )
}

/** A text cut before and after each mark. */
function parted(text: string, mark: string): string[] {
  return text.split(mark).flatMap((piece, index) => (index === 0 ? [piece] : [mark, piece]))
}
