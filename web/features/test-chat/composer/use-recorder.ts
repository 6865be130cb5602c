// A voice message from the microphone, as browsers record it.
import { useCallback, useEffect, useRef, useState } from 'react'

export type Recorder = {
  /** False where the browser cannot record, for instance without HTTPS. */
  isAble: boolean
  isRecording: boolean
  /** Asks for the microphone the first time. @throws when it is not given */
  start: () => Promise<void>
  /** What was recorded so far goes to `onRecorded`. */
  stop: () => void
}

/** One recording at a time; leaving the page throws it away. */
export function useRecorder(onRecorded: (file: File) => void): Recorder {
  const [isRecording, setRecording] = useState(false)
  const recorder = useRef<MediaRecorder | null>(null)
  const heard = useRef(onRecorded)
  heard.current = onRecorded

  const start = useCallback(async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    const made = new MediaRecorder(stream)
    const parts: Blob[] = []
    made.ondataavailable = ({ data }) => parts.push(data)
    made.onstop = () => {
      release(made)
      setRecording(false)
      if (recorder.current === made) heard.current(fileOf(parts, made.mimeType))
      recorder.current = null
    }
    recorder.current = made
    made.start()
    setRecording(true)
  }, [])
  const stop = useCallback(() => recorder.current?.stop(), [])
  useEffect(
    () => () => {
      const left = recorder.current
      recorder.current = null
      if (left) release(left)
    },
    [],
  )
  const isAble = typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined
  return { isAble, isRecording, start, stop }
}

/** The sign of recording in the browser goes out. */
function release({ stream }: MediaRecorder): void {
  for (const track of stream.getTracks()) track.stop()
}

function fileOf(parts: Blob[], mimeType: string): File {
  const type = mimeType.split(';')[0] || 'audio/webm'
  return new File(parts, `voice.${type.split('/')[1]}`, { type })
}
