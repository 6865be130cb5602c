// The tags of a document, a note or a table and the time in which it holds, in its row; a button opens the dialog that changes them.
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { type SourceMarks, validityAt } from '#shared/knowledge/knowledge-marks.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { MarksDialog } from './marks-dialog.tsx'

/** Says what is not found now and why; nothing where nothing is set. */
export function MarkBadges({ marks }: { marks: SourceMarks }) {
  const { t } = useTranslation('knowledge')
  const { tags, validFrom, validUntil } = marks
  const validity = validityAt(marks, Date.now())
  return (
    <>
      {validity === 'expired' && (
        <Badge tone="warning" title={t(($) => $.marks.notFound)}>
          {t(($) => $.marks.expired)}
        </Badge>
      )}
      {validity === 'waiting' && (
        <Badge tone="warning" title={t(($) => $.marks.notFound)}>
          {t(($) => $.marks.waiting, { date: formatDateTime(validFrom ?? 0, 'date') })}
        </Badge>
      )}
      {validity === 'valid' && validUntil !== null && (
        <Badge>{t(($) => $.marks.until, { date: formatDateTime(validUntil - 1, 'date') })}</Badge>
      )}
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </>
  )
}

type MarksButtonProps = { source: SourceMarks & { _id: string; name: string } }

/** It stays in reach where the whole row is a link. */
export function MarksButton({ source }: MarksButtonProps) {
  const { t } = useTranslation('knowledge')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="ghost"
        size="icon-sm"
        className="relative z-10"
        aria-label={t(($) => $.marks.change, { name: source.name })}
        onClick={() => setOpen(true)}
      >
        <CalendarClock />
      </Button>
      {isOpen && <MarksDialog source={source} onClose={() => setOpen(false)} />}
    </>
  )
}
