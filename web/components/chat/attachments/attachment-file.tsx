// The file of an attachment: a picture is shown inline and opens large, audio and video load on play, other files are downloads.
import { Download, Play } from 'lucide-react'
import type { Attachment } from '#shared/messaging/attachments.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFile } from '#web/lib/server/use-file.ts'
import { useOpenPicture } from './picture-viewer.tsx'
import { useAttachmentTitle } from './use-attachment-title.ts'

type Shape = 'picture' | 'sound' | 'film' | 'file'
const SHAPES: Partial<Record<Attachment['kind'], Shape>> = {
  image: 'picture',
  voice: 'sound',
  audio: 'sound',
  video: 'film',
  video_note: 'film',
}

/** Renders nothing when there is no file. */
export function AttachmentFile({ attachment }: { attachment: Attachment }) {
  const { t } = useTranslation('conversations')
  const { kind, url } = attachment
  const shape = SHAPES[kind] ?? 'file'
  const { file, load } = useFile(url, shape === 'picture')
  const openPicture = useOpenPicture()
  const label = useAttachmentTitle(attachment)
  if (url === null) return null
  if (file.status === 'failed') {
    return <p className="text-destructive-soft-foreground text-xs">{t(($) => $.attachment.notLoaded)}</p>
  }
  if (file.status === 'ready' && shape === 'picture') {
    const picture = <img src={file.address} alt={label} className="max-h-64 max-w-full rounded-lg object-contain" />
    if (!openPicture) return picture
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        className="cursor-zoom-in self-start rounded-lg"
        onClick={() => openPicture(attachment._id)}
      >
        {picture}
      </button>
    )
  }
  if (file.status === 'ready' && shape === 'sound') {
    // biome-ignore lint/a11y/useMediaCaption: the transcript is shown below as text
    return <audio controls autoPlay src={file.address} aria-label={label} className="w-full max-w-80" />
  }
  if (file.status === 'ready' && shape === 'film') {
    // biome-ignore lint/a11y/useMediaCaption: the transcript is shown below as text
    return <video controls autoPlay src={file.address} aria-label={label} className="max-h-80 max-w-full rounded-lg" />
  }
  if (shape === 'picture') return <Spinner />
  const isPlayed = shape !== 'file'
  const save = async () => {
    const address = await load()
    if (address && !isPlayed) saveAs(address, label)
  }
  const Icon = isPlayed ? Play : Download
  return (
    <Button variant="secondary" size="sm" className="self-start" disabled={file.status === 'loading'} onClick={save}>
      {file.status === 'loading' ? <Spinner /> : <Icon aria-hidden="true" />}
      {isPlayed ? t(($) => $.attachment.play) : t(($) => $.attachment.save)}
    </Button>
  )
}

function saveAs(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
