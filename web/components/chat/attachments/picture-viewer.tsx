// The pictures of a log in a window above it: each as large as fits, with buttons for the next and the previous one.
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { createContext, type KeyboardEvent, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Attachment } from '#shared/messaging/attachments.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFile } from '#web/lib/server/use-file.ts'
import { useAttachmentTitle } from './use-attachment-title.ts'

type PictureId = Attachment['_id']
const OpenPicture = createContext<((id: PictureId) => void) | null>(null)

/** Opens a picture large; null outside a `PictureViewer`. */
export function useOpenPicture(): ((id: PictureId) => void) | null {
  return useContext(OpenPicture)
}

type PictureViewerProps = {
  /** Oldest first, which is also the order of their pictures. */
  messages: Message[]
  children: ReactNode
}

/** Lets the pictures inside be opened. Closes when the open picture is removed. */
export function PictureViewer({ messages, children }: PictureViewerProps) {
  const [openId, setOpenId] = useState<PictureId | null>(null)
  const pictures = useMemo(() => messages.flatMap(({ attachments }) => attachments.filter(isPicture)), [messages])
  const at = pictures.findIndex(({ _id }) => _id === openId)
  return (
    <OpenPicture value={setOpenId}>
      {children}
      <Dialog open={at >= 0} onOpenChange={(isOpen) => !isOpen && setOpenId(null)}>
        {at >= 0 && <Viewer pictures={pictures} at={at} onMove={setOpenId} />}
      </Dialog>
    </OpenPicture>
  )
}

type ViewerProps = { pictures: Attachment[]; at: number; onMove: (id: PictureId) => void }

/** The arrow keys do the same as the buttons. */
function Viewer({ pictures, at, onMove }: ViewerProps) {
  const { t } = useTranslation('conversations')
  const picture = pictures[at]
  const [previous, next] = [pictures[at - 1], pictures[at + 1]]
  const label = useAttachmentTitle(picture ?? { kind: 'image', name: null })
  if (!picture) return null
  const move = (to: Attachment | undefined) => to && onMove(to._id)
  function onKeyDown(event: KeyboardEvent) {
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    if (!to) return
    event.preventDefault()
    move(to)
  }
  const place = t(($) => $.attachment.place, { number: formatNumber(at + 1), total: formatNumber(pictures.length) })
  return (
    <DialogContent
      title={<span className="break-words">{label}</span>}
      description={<span role="status">{place}</span>}
      className="max-w-5xl gap-4 p-4 sm:p-6"
      onKeyDown={onKeyDown}
    >
      {/* Not disabled at the ends: a disabled button would lose the focus, and the arrow keys with it. */}
      <div className="relative">
        <Button
          size="icon"
          className="absolute start-0 top-1/2 z-10 -translate-y-1/2"
          aria-label={t(($) => $.attachment.previous)}
          aria-disabled={!previous}
          onClick={() => move(previous)}
        >
          <ChevronLeft />
        </Button>
        <Button
          size="icon"
          className="absolute end-0 top-1/2 z-10 -translate-y-1/2"
          aria-label={t(($) => $.attachment.next)}
          aria-disabled={!next}
          onClick={() => move(next)}
        >
          <ChevronRight />
        </Button>
        <Picture key={picture._id} picture={picture} label={label} />
      </div>
    </DialogContent>
  )
}

/** With a download button once the picture is loaded. */
function Picture({ picture, label }: { picture: Attachment; label: string }) {
  const { t } = useTranslation('conversations')
  const { file } = useFile(picture.url, true)
  if (file.status === 'failed') {
    return (
      <p className="flex min-h-40 items-center justify-center px-14 text-center text-destructive-soft-foreground text-sm">
        {t(($) => $.attachment.notLoaded)}
      </p>
    )
  }
  if (file.status !== 'ready') {
    return (
      <div className="flex min-h-40 items-center justify-center">
        <Spinner />
      </div>
    )
  }
  return (
    <div className="flex min-h-40 flex-col items-center justify-center gap-4">
      <img src={file.address} alt={label} className="max-h-[calc(100dvh-14rem)] max-w-full rounded-lg object-contain" />
      <a href={file.address} download={label} className={buttonClasses({ variant: 'secondary' })}>
        <Download aria-hidden="true" />
        {t(($) => $.attachment.save)}
      </a>
    </div>
  )
}

function isPicture({ kind, url }: Attachment): boolean {
  return kind === 'image' && url !== null
}
