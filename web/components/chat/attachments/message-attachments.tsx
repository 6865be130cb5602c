// What came, or went, with a message: pictures, players, files, and what was understood of each.
import {
  CircleSlash,
  Clapperboard,
  Contact,
  FileText,
  ImageIcon,
  type LucideIcon,
  MapPin,
  Mic,
  Music,
  Paperclip,
  Sticker,
} from 'lucide-react'
import type { Attachment, AttachmentKind } from '#shared/messaging/attachments.ts'
import { formatBytes, formatDuration } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { AttachmentFile } from './attachment-file.tsx'
import { useAttachmentTitle } from './use-attachment-title.ts'

/** Longer texts are folded away. Characters. */
const FOLDED_FROM = 280

const ICONS: Record<AttachmentKind, LucideIcon> = {
  voice: Mic,
  audio: Music,
  image: ImageIcon,
  video: Clapperboard,
  video_note: Clapperboard,
  document: FileText,
  sticker: Sticker,
  location: MapPin,
  contact: Contact,
  other: Paperclip,
}

/** In the order of the message. */
export function MessageAttachments({ attachments }: { attachments: Attachment[] }) {
  if (attachments.length === 0) return null
  return (
    <ul className="flex min-w-0 max-w-full flex-col gap-1.5">
      {attachments.map((attachment) => (
        <li
          key={attachment._id}
          className="flex min-w-0 max-w-full flex-col gap-2 rounded-2xl border border-border bg-surface px-3.5 py-2.5 text-foreground"
        >
          <Caption attachment={attachment} />
          <AttachmentFile attachment={attachment} />
          <Understood attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

function Caption({ attachment }: { attachment: Attachment }) {
  const { kind, sizeBytes, durationSeconds } = attachment
  const Icon = ICONS[kind] ?? Paperclip // one of a newer server
  const title = useAttachmentTitle(attachment)
  const facts = [
    durationSeconds !== null && formatDuration(durationSeconds * 1000),
    sizeBytes !== null && formatBytes(sizeBytes),
  ]
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 break-words font-medium">{title}</span>
      <span className="text-muted-foreground text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</span>
    </p>
  )
}

/** What the agent reads of it, or why it reads nothing. */
function Understood({ attachment }: { attachment: Attachment }) {
  const { t } = useTranslation('conversations')
  const { kind, status, text, reason } = attachment
  if (status === 'failed') {
    return (
      <p className="flex items-start gap-1.5 text-muted-foreground text-xs leading-5">
        <CircleSlash aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {t(($) => $.attachment.failed[reason ?? 'internal'])}
      </p>
    )
  }
  if (status === 'waiting') return <p className="text-muted-foreground text-xs">{t(($) => $.attachment.waiting)}</p>
  if (!text) return null
  const isSpeech = kind === 'voice' || kind === 'audio' || kind === 'video_note'
  const isRead = isSpeech || kind === 'image' || kind === 'document'
  const body = <p className="whitespace-pre-wrap break-words text-sm leading-relaxed">{text}</p>
  if (!isRead) return body
  const title = t(($) => $.attachment[isSpeech ? 'transcript' : 'understood'])
  if (text.length <= FOLDED_FROM) {
    return (
      <div className="flex flex-col gap-0.5">
        <span className="text-muted-foreground text-xs">{title}</span>
        {body}
      </div>
    )
  }
  return (
    <details className="min-w-0">
      <summary className="min-h-6 cursor-pointer text-muted-foreground text-xs pointer-coarse:min-h-11">
        {title}
      </summary>
      {body}
    </details>
  )
}
