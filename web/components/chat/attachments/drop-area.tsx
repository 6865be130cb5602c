// A place over which files can be dropped.
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '#web/lib/i18n.ts'

type DropAreaProps = {
  /** Undefined: files are not taken now. */
  onFiles: ((files: File[]) => void) | undefined
  children: ReactNode
}

/** Says so while files are held over it. */
export function DropArea({ onFiles, children }: DropAreaProps) {
  const { t } = useTranslation('conversations')
  const [isOver, setOver] = useState(false)
  const depth = useRef(0) // entering a child leaves its parent
  const hasFiles = (event: DragEvent) => onFiles !== undefined && event.dataTransfer.types.includes('Files')
  const move = (by: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return
    depth.current += by
    setOver(depth.current > 0)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way to what a button does
    <div
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        depth.current = 0
        setOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        onFiles?.([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-xl border-2 border-primary border-dashed bg-surface/90 font-medium">
          {t(($) => $.attach.drop)}
        </div>
      )}
    </div>
  )
}
