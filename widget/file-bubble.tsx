// A file of the conversation: a picture shows itself, anything else is saved by its button.
import { useEffect, useState } from 'react'
import type { VisitorFile } from '#shared/webchat.ts'
import type { ChatState } from './use-chat.ts'

type FileBubbleProps = { file: VisitorFile; loadFile: ChatState['loadFile'] }

/** A picture that cannot be had is a button like the others. */
export function FileBubble({ file, loadFile }: FileBubbleProps) {
  const picture = usePicture(file, loadFile)
  if (picture) return <img className="picture" src={picture} alt={file.name} />
  const save = async () => {
    const blob = await loadFile(file.id).catch(() => null)
    if (blob) saveAs(blob, file.name)
  }
  return (
    <button type="button" className="file" onClick={() => void save()}>
      📎 {file.name}
    </button>
  )
}

/** The address of a picture on this device, until it is shown no more. */
function usePicture({ id, isImage }: FileBubbleProps['file'], loadFile: FileBubbleProps['loadFile']): string | null {
  const [picture, setPicture] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the way to the file is another one each time, the file is not
  useEffect(() => {
    if (!isImage) return
    let url: string | null = null
    let isOver = false
    loadFile(id).then(
      (blob) => {
        if (isOver || !blob.type.startsWith('image/')) return
        url = URL.createObjectURL(blob)
        setPicture(url)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      if (url) URL.revokeObjectURL(url)
    }
  }, [id, isImage])
  return picture
}

function saveAs(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
