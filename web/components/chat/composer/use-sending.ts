// Sending what stands in the box, and what becomes of it when that fails.
import { type RefObject, useState } from 'react'
import { type DraftChange, withReturned } from '#web/lib/browser/draft.ts'
import { describeError } from '#web/lib/errors.ts'

type Sending = {
  box: RefObject<HTMLTextAreaElement | null>
  text: string
  onDraftChange: (change: DraftChange) => void
  /** Rejects when the text was not sent. */
  onSend: (text: string) => Promise<void>
  isAllowed: boolean
}

/** Sends the text of the box. A text that could not be sent comes back into the box, before what was typed meanwhile. */
export function useSending({ box, text, onDraftChange, onSend, isAllowed }: Sending) {
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const canSend = isAllowed && !isSending

  async function send() {
    if (!canSend) return
    setSending(true)
    setFailure(undefined)
    onDraftChange('')
    try {
      await onSend(text)
    } catch (error) {
      onDraftChange((now) => withReturned(text, now))
      setFailure(describeError(error).message)
    } finally {
      setSending(false)
      if (!isWritingElsewhere(box.current)) box.current?.focus()
    }
  }
  return { send, canSend, isSending, failure }
}

/** Whether the person has moved on to another field. */
function isWritingElsewhere(box: HTMLElement | null): boolean {
  const now = document.activeElement
  return now !== box && now?.closest('input, textarea, select, [contenteditable="true"]') != null
}
