// What is being written: a reply to the customer, or a note for the team.
import { MessageSquareReply, StickyNote } from 'lucide-react'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** The button that turns to the other. */
export function WritingSwitch({ isNote, onChange }: { isNote: boolean; onChange: () => void }) {
  const { t } = useTranslation('conversations')
  const Icon = isNote ? MessageSquareReply : StickyNote
  return (
    <Button
      variant="ghost"
      size="sm"
      className={isNote ? 'text-warning-soft-foreground' : ''}
      title={isNote ? t(($) => $.note.toReplyKeys) : t(($) => $.note.toNoteKeys)}
      onClick={onChange}
    >
      <Icon aria-hidden="true" />
      {isNote ? t(($) => $.note.toReply) : t(($) => $.note.title)}
    </Button>
  )
}
