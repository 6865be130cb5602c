// The line to write in.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { WEBCHAT_TEXT_MAX } from '#shared/limits.ts'
import { AttachButton } from './attach-button.tsx'
import { SendIcon } from './icons.tsx'
import type { WidgetTexts } from './texts.ts'
import { UploadsPanel } from './uploads-panel.tsx'
import type { Uploads } from './use-uploads.ts'

type ComposerProps = {
  input: RefObject<HTMLTextAreaElement | null>
  texts: WidgetTexts
  onSend: (text: string) => void
  onType: () => void
  /** Null: a person is there, or was called. */
  onPerson: (() => void) | null
  /** Null: the widget takes no files. */
  uploads: Uploads | null
}

/** Enter sends, with Shift it begins a new line. Nothing is sent while a file is on its way. */
export function Composer({ input, texts, onSend, onType, onPerson, uploads }: ComposerProps) {
  const [text, setText] = useState('')
  const trimmed = text.trim()
  const hasFiles = uploads?.list.some(({ ticket }) => ticket !== null) ?? false
  const maySend = (trimmed !== '' || hasFiles) && !uploads?.isBusy
  function send() {
    if (!maySend) return
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
      {uploads && <UploadsPanel uploads={uploads} texts={texts} onRemoved={() => input.current?.focus()} />}
      <div className="line">
        {uploads && <AttachButton label={texts.attach} onFiles={uploads.add} />}
        <textarea
          ref={input}
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
        <button type="submit" className="icon send" aria-label={texts.send} disabled={!maySend}>
          <SendIcon />
        </button>
      </div>
    </form>
  )
}
