// A file of the conversation: a picture shows itself, a spoken answer has a player, anything else is saved by its button.
import { useEffect, useState } from 'react'
import type { VisitorFile } from '#shared/channels/webchat.ts'
import type { ChatState } from './use-chat.ts'

/** `voice`: what a spoken answer is called. */
type FileBubbleProps = { file: VisitorFile; loadFile: ChatState['loadFile']; voice: string }

/** A picture that cannot be had is a button like the others, and so is a recording that the browser cannot play. */
export function FileBubble({ file, loadFile, voice }: FileBubbleProps) {
  const shown = useShown(file, loadFile)
  const [isPlayable, setPlayable] = useState(true)
  if (shown && file.isImage) return <img className="picture" src={shown} alt={file.name} />
  if (shown && isPlayable) {
    // biome-ignore lint/a11y/useMediaCaption: the same words stand in the message before it
    return <audio className="voice" controls src={shown} aria-label={voice} onError={() => setPlayable(false)} />
  }
  const name = file.isVoice ? voice : file.name
  const save = async () => {
    const blob = await loadFile(file.id).catch(() => null)
    if (blob) saveAs(blob, file.isVoice ? `${voice}.ogg` : file.name)
  }
  return (
    <button type="button" className="file" onClick={() => void save()}>
      📎 {name}
    </button>
  )
}

/** The address on this device of what shows itself, until it is shown no more. */
function useShown(
  { id, isImage, isVoice }: FileBubbleProps['file'],
  loadFile: FileBubbleProps['loadFile'],
): string | null {
  const [shown, setShown] = useState<string | null>(null)
  const type = isImage ? 'image/' : isVoice ? 'audio/' : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to the file is another one each time, the file is not
  useEffect(() => {
    if (type === null) return
    let url: string | null = null
    let isOver = false
    loadFile(id).then(
      (blob) => {
        if (isOver || !blob.type.startsWith(type)) return
        url = URL.createObjectURL(blob)
        setShown(url)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [id, type])
  return shown
}

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
