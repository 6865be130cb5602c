// The box in which a message is written and sent. What is typed survives a failure, a reload and a lost session.
import { CircleAlert, CircleStop, SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'

type ComposerProps = {
  label: string
  placeholder: string
  sendLabel: string
  hint?: ReactNode
  /** Stands above the box. */
  note?: ReactNode
  /** What is typed; kept by the caller so that it survives this component. */
  draft: string
  onDraftChange: (text: string) => void
  /** Rejects when it was not sent: the text comes back then, and the reason stands under the box. */
  onSend: (text: string) => Promise<void>
  /** Enter sends and Shift+Enter starts a new line; otherwise only Mod+Enter sends. */
  enterSends?: boolean
  /** Present while an answer is being written: the button stops it. */
  onStop?: (() => void) | undefined
  stopLabel?: string
  isDisabled?: boolean
  hasFocusAtStart?: boolean
}

/** A growing text box with one button. Mod+Enter always sends. */
export function Composer(props: ComposerProps) {
  const { draft, onDraftChange, onSend, isDisabled = false } = props
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const text = draft.trim()
  const isTooLong = text.length > MESSAGE_TEXT_MAX
  const canSend = text !== '' && !isTooLong && !isSending && !isDisabled

  async function send() {
    if (!canSend) return
    setSending(true)
    setFailure(undefined)
    onDraftChange('')
    try {
      await onSend(text)
    } catch (error) {
      onDraftChange(text)
      setFailure(describeError(error).message)
    } finally {
      setSending(false)
      box.current?.focus()
    }
  }

  useShortcut('send', () => {
    if (document.activeElement === box.current) void send()
  })

  function onKeyDown(event: KeyboardEvent) {
    const isPlainEnter = event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey
    if (!isPlainEnter || !props.enterSends || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }

  return (
    <form
      className="border-border border-t bg-surface px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="mx-auto flex max-w-4xl flex-col gap-2">
        {props.note && <p className="text-muted-foreground text-xs">{props.note}</p>}
        <div className="flex items-end gap-2">
          <Textarea
            ref={box}
            value={draft}
            onChange={(event) => onDraftChange(event.target.value)}
            onKeyDown={onKeyDown}
            rows={1}
            aria-label={props.label}
            aria-describedby={`${id}-hint`}
            aria-invalid={isTooLong || undefined}
            placeholder={props.placeholder}
            disabled={isDisabled}
            autoFocus={props.hasFocusAtStart ?? false}
            className="max-h-48 min-h-10 resize-none"
          />
          {props.onStop ? (
            <Button className="h-10" onClick={props.onStop}>
              <CircleStop aria-hidden="true" />
              <span className="max-sm:sr-only">{props.stopLabel}</span>
            </Button>
          ) : (
            <Button type="submit" variant="primary" className="h-10" isBusy={isSending} disabled={!canSend}>
              <SendHorizontal aria-hidden="true" />
              <span className="max-sm:sr-only">{props.sendLabel}</span>
            </Button>
          )}
        </div>
        {failure && (
          <p role="alert" className="flex items-start gap-1.5 text-[0.8125rem] text-destructive-soft-foreground">
            <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            {failure}
          </p>
        )}
        <p id={`${id}-hint`} className="text-muted-foreground text-xs max-sm:hidden">
          {isTooLong ? <TooLong /> : props.hint}
        </p>
      </div>
    </form>
  )
}

function TooLong() {
  const { t } = useTranslation('conversations')
  return (
    <span role="alert" className="text-destructive-soft-foreground">
      {t(($) => $.reply.tooLong, { count: MESSAGE_TEXT_MAX, value: formatNumber(MESSAGE_TEXT_MAX) })}
    </span>
  )
}
