// The line to write in.
import { type KeyboardEvent, type Ref, useState } from 'react'
import { WEBCHAT_TEXT_MAX } from '#shared/limits.ts'
import { SendIcon } from './icons.tsx'
import type { WidgetTexts } from './texts.ts'

type ComposerProps = {
  ref: Ref<HTMLTextAreaElement>
  texts: WidgetTexts
  onSend: (text: string) => void
  onType: () => void
  /** Null: a person is there, or was called. */
  onPerson: (() => void) | null
}

/** Enter sends, with Shift it begins a new line. */
export function Composer({ ref, texts, onSend, onType, onPerson }: ComposerProps) {
  const [text, setText] = useState('')
  const trimmed = text.trim()
  function send() {
    if (trimmed === '') return
    setText('')
    onSend(trimmed)
  }
  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes a word, Enter ends the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {onPerson && (
        <button type="button" className="person" onClick={onPerson}>
          {texts.person}
        </button>
      )}
      <div className="line">
        <textarea
          ref={ref}
          rows={1}
          value={text}
          maxLength={WEBCHAT_TEXT_MAX}
          placeholder={texts.placeholder}
          aria-label={texts.placeholder}
          onChange={(event) => {
            setText(event.target.value)
            onType()
          }}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="icon send" aria-label={texts.send} disabled={trimmed === ''}>
          <SendIcon />
        </button>
      </div>
    </form>
  )
}
