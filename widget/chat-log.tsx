// The messages, oldest first. New messages of others are announced; the log follows its end unless the visitor has scrolled up.
import { useEffect, useRef } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import type { VisitorBubble } from '#shared/channels/webchat.ts'
import { FileBubble } from './file-bubble.tsx'
import { RichText } from './rich-text.tsx'
import type { WidgetTexts } from './texts.ts'
import type { ChatState, Pending } from './use-chat.ts'

/** Distance from the end, in pixels, within which the log counts as scrolled down. */
const NEAR = 80

/** The greeting comes first, and is not a message. */
export function ChatLog({ state, greeting, texts }: { state: ChatState; greeting: string; texts: WidgetTexts }) {
  const { chat, pending } = state
  const log = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const bubbles = chat?.bubbles ?? []
  const isAnswering = chat?.isAnswering ?? false
  const draft = chat?.draft ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever makes the log longer moves its end
  useEffect(() => {
    if (isAtEnd.current) log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [bubbles.length, pending.length, isAnswering, draft])
  return (
    <div
      ref={log}
      className="log"
      role="log"
      aria-label={texts.log}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a log that scrolls must be reachable without a mouse
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR
      }}
    >
      {greeting !== '' && (
        <Bubble
          author="agent"
          text={greeting}
          files={[]}
          name={texts.agent}
          voice={texts.voice}
          loadFile={state.loadFile}
        />
      )}
      {bubbles.map((bubble) => (
        <ErrorBoundary
          key={bubble.id}
          fallback={<div className={`bubble ${bubble.author}`}>{bubble.text}</div>}
          resetKeys={[bubble]}
        >
          <Bubble {...bubble} name={nameOf(bubble.author, texts)} voice={texts.voice} loadFile={state.loadFile} />
        </ErrorBoundary>
      ))}
      {pending.map((message) => (
        <PendingBubble key={message.id} message={message} texts={texts} onRetry={() => state.retry(message)} />
      ))}
      {draft !== null && (
        // Grows too fast to be announced: it is announced when complete.
        <div className="bubble agent draft" aria-hidden="true">
          <RichText text={draft} />
        </div>
      )}
      {isAnswering && draft === null && (
        <p className="bubble agent typing">
          <span className="sr-only">{texts.answering}</span>
          <i />
          <i />
          <i />
        </p>
      )}
    </div>
  )
}

type BubbleProps = Pick<VisitorBubble, 'author' | 'text' | 'files'> &
  Pick<ChatState, 'loadFile'> & { name: string; voice: string }

function Bubble({ author, text, files, name, voice, loadFile }: BubbleProps) {
  return (
    <div className={`bubble ${author}`}>
      <span className={author === 'operator' ? 'name' : 'sr-only'}>{name}: </span>
      <RichText text={text} />
      {files.map((file) => (
        <FileBubble key={file.id} file={file} loadFile={loadFile} voice={voice} />
      ))}
    </div>
  )
}

function PendingBubble({ message, texts, onRetry }: { message: Pending; texts: WidgetTexts; onRetry: () => void }) {
  return (
    <div className={`bubble customer ${message.state}`}>
      <span className="sr-only">{texts.you}: </span>
      <RichText text={message.text} />
      {message.files.map(({ ticket, name }) => (
        <span key={ticket} className="file">
          📎 {name}
        </span>
      ))}
      {message.state === 'sending' && <span className="sr-only">{texts.sending}</span>}
      {(message.state === 'failed' || message.state === 'too_many') && (
        <span className="failure">
          {message.state === 'too_many' ? texts.tooMany : texts.failed}{' '}
          <button type="button" onClick={onRetry}>
            {texts.retry}
          </button>
        </span>
      )}
      {message.state === 'expired' && <span className="failure">{texts.expired}</span>}
    </div>
  )
}

function nameOf(author: VisitorBubble['author'], texts: WidgetTexts): string {
  return author === 'customer' ? texts.you : texts[author]
}
