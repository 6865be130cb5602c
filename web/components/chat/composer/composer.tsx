// The box in which a message is written and sent. What is typed survives a failure, a reload and a lost session.
import { CircleAlert, CircleStop, type LucideIcon, SendHorizontal } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import type { DraftChange } from '#web/lib/browser/draft.ts'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { useSending } from './use-sending.ts'
import { type Suggest, useSuggestions } from './use-suggestions.ts'
import { focusAtEnd, useTypingBox } from './use-typing-box.ts'

type ComposerProps = {
  label: string
  placeholder: string
  sendLabel: string
  hint?: ReactNode
  /** Shown above the box. */
  note?: ReactNode
  /** The typed text; kept by the caller so that it survives this component. */
  draft: string
  onDraftChange: (change: DraftChange) => void
  /** Rejects when it was not sent: the text returns to the box together with what was typed since, and the reason is shown under it. */
  onSend: (text: string) => Promise<void>
  /** Present while an answer is being written; the button then stops it. */
  onStop?: (() => void) | undefined
  stopLabel?: string
  /** Attachments of the text, which may then be empty. `waiting`: not uploaded yet, sending is disabled. */
  extras?: 'none' | 'waiting' | 'ready'
  /** Shows the attachments. */
  tray?: ReactNode
  /** Further buttons under the box. */
  tools?: ReactNode
  /** Receives pasted files. */
  onFiles?: ((files: File[]) => void) | undefined
  /** Completes names and canned texts while they are typed. */
  suggest?: Suggest
  /** The sign that opens the suggestions, also offered as a button: it is hard to find on a Russian keyboard, or missing. */
  sign?: SignButtonProps['sign'] | undefined
  /** Looks like a note, which is read by the team only. */
  isNote?: boolean
  isDisabled?: boolean
  hasFocusAtStart?: boolean
  /** Incremented to move the focus into the box. */
  focusAsked?: number
  /** The conversation of the box. With it the box also receives what is typed while no field has the focus. */
  typedFor?: string
}

/** A growing text box with one button. Enter and Mod+Enter send, Shift+Enter starts a new line. */
export function Composer(props: ComposerProps) {
  const { draft, onDraftChange, onSend, isDisabled = false, extras = 'none', focusAsked = 0 } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const suggestions = useSuggestions({ box, draft, onDraftChange, suggest: props.suggest })
  const { shown } = suggestions
  const text = draft.trim()
  useTypingBox(props.typedFor, box, (typed) => onDraftChange((now) => now + typed))
  useEffect(() => {
    if (focusAsked > 0) focusAtEnd(box.current)
  }, [focusAsked])
  const isTooLong = text.length > MESSAGE_TEXT_MAX
  const isSomething = extras === 'ready' || (text !== '' && extras === 'none')
  const { send, canSend, isSending, failure } = useSending({
    ...{ box, text, onDraftChange, onSend },
    isAllowed: isSomething && !isTooLong && !isDisabled,
  })

  useShortcut('send', () => {
    if (document.activeElement === box.current) void send()
  })

  function onKeyDown(event: KeyboardEvent) {
    if (suggestions.onKeyDown(event)) return
    const isPlainEnter = event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey
    if (!isPlainEnter || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }

  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || !props.onFiles) return
    event.preventDefault()
    props.onFiles(files)
  }

  return (
    <form
      className={cn(
        'border-border border-t px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6',
        props.isNote ? 'bg-warning-soft' : 'bg-surface',
      )}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div className="mx-auto flex max-w-4xl flex-col gap-2">
        {props.note && <div className="text-muted-foreground text-xs">{props.note}</div>}
        {props.tray}
        <div className="relative flex items-end gap-2">
          {shown && <SuggestionList suggestions={shown} />}
          <Textarea
            ref={box}
            value={draft}
            onChange={({ target }) => {
              onDraftChange(target.value)
              suggestions.onCaret(target.selectionStart)
            }}
            onSelect={({ currentTarget }) => suggestions.onCaret(currentTarget.selectionStart)}
            aria-autocomplete={props.suggest && 'list'}
            aria-controls={shown?.id}
            aria-activedescendant={shown ? `${shown.id}-${shown.chosen}` : undefined}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            rows={1}
            aria-label={props.label}
            aria-describedby={`${id}-hint`}
            aria-invalid={isTooLong || undefined}
            placeholder={props.placeholder}
            disabled={isDisabled}
            autoFocus={props.hasFocusAtStart ?? false}
            className="max-h-48 min-h-10 resize-none"
          />
          <SendOrStop {...props} isSending={isSending} canSend={canSend} />
        </div>
        {failure && <Failure text={failure} />}
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          {props.sign && <SignButton sign={props.sign} onPress={suggestions.begin} />}
          {props.tools}
          <p
            id={`${id}-hint`}
            className={cn(
              'min-w-0 grow text-xs max-sm:hidden',
              props.isNote ? 'text-warning-soft-foreground' : 'text-muted-foreground',
            )}
          >
            {isTooLong ? <TooLong /> : props.hint}
          </p>
        </div>
      </div>
    </form>
  )
}

type SendOrStopProps = Pick<ComposerProps, 'onStop' | 'stopLabel' | 'sendLabel'> & {
  isSending: boolean
  canSend: boolean
}

function SendOrStop({ onStop, stopLabel, sendLabel, isSending, canSend }: SendOrStopProps) {
  if (onStop)
    return (
      <Button className="h-10" onClick={onStop}>
        <CircleStop aria-hidden="true" />
        <span className="max-sm:sr-only">{stopLabel}</span>
      </Button>
    )
  return (
    <Button type="submit" variant="primary" className="h-10" isBusy={isSending} disabled={!canSend}>
      <SendHorizontal aria-hidden="true" />
      <span className="max-sm:sr-only">{sendLabel}</span>
    </Button>
  )
}

function Failure({ text }: { text: string }) {
  return (
    <p role="alert" className="flex items-start gap-1.5 text-[0.8125rem] text-destructive-soft-foreground">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  )
}

type SignButtonProps = { sign: { text: string; label: string; icon: LucideIcon }; onPress: (text: string) => void }

function SignButton({ sign: { text, label, icon: Icon }, onPress }: SignButtonProps) {
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} onClick={() => onPress(text)}>
      <Icon aria-hidden="true" />
    </Button>
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
