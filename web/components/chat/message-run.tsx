// Messages of one author in a row: who, when, what, and what is known about each.
import { Bot, CircleAlert, CircleSlash, Headset } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message, MessageSource } from '#shared/messaging/conversations.ts'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { PartBoundary, Undrawn } from '#web/components/ui/part-boundary.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { MessageAttachments } from './attachments/message-attachments.tsx'
import { type Delivery, deliveryOf } from './delivery.ts'
import { DeliveryBadge } from './delivery-badge.tsx'
import { MessageBody } from './message-body.tsx'
import { MessageChoices } from './message-choices.tsx'
import { MessageFacts } from './message-facts.tsx'
import { EditedMark, ForwardedBody, ForwardMark, MessageQuote, RatingMark } from './message-origin.tsx'
import { MessageSources } from './message-sources.tsx'
import { useOutcomeText } from './outcome-text.ts'
import { SystemNotes } from './system-notes.tsx'
import type { MessageRun as Run } from './timeline.ts'
import { TypingDots } from './typing-dots.tsx'
import { UnfoundedNote } from './unfounded-note.tsx'
import { WhyButton, WhyMessageButton } from './why-button.tsx'

/** Who is reading the log: the reader's own side is aligned to the end. */
export type Perspective = 'operator' | 'customer'

export type MessageRunProps = {
  run: Run
  perspective: Perspective
  agent: { name: string; avatar: string | null }
  customerName: string
  /** The display name of a model. */
  modelLabel?: ((name: string) => string) | undefined
  /** `answer` is the text in which the source was used. */
  onOpenSource: (source: MessageSource, answer: string) => void
  /** Opens the record of why a message was answered or not; absent where the reader may not see it. */
  onWhy?: ((message: Message) => void) | undefined
  onResend?: ((parts: Delivery['resendable']) => Promise<unknown>) | undefined
  /** The message that a link points to: the log opens at it, and it is highlighted. */
  target?: string | null | undefined
  /** Further buttons next to a message. */
  actions?: ((message: Message) => ReactNode) | undefined
  /** Shown under the text of a message. */
  beneath?: ((message: Message) => ReactNode) | undefined
  /** The action of the choices below a message, undefined when they cannot be pressed; absent: they are plain text. */
  chooses?: ((message: Message) => ((choice: string) => Promise<unknown>) | undefined) | undefined
}

/** The element id of a message. */
export function messageAnchor(messageId: string): string {
  return `message-${messageId}`
}

/** One run under one author name. */
export function MessageRun(props: MessageRunProps) {
  const { run, perspective } = props
  const isOwn = (run.author === 'customer') === (perspective === 'customer')
  if (run.author === 'system') return <SystemNotes messages={run.messages} onWhy={props.onWhy} />
  return (
    <li className={cn('flex gap-3', isOwn && 'flex-row-reverse')}>
      <AuthorPicture {...props} />
      <div className={cn('flex min-w-0 max-w-[min(44rem,85%)] flex-col gap-1.5', isOwn && 'items-end')}>
        <AuthorLine {...props} />
        <ul className={cn('flex min-w-0 max-w-full flex-col gap-1.5', isOwn && 'items-end')}>
          {run.messages.map((message) => (
            <PartBoundary key={message._id} fallback={<UndrawnMessage message={message} />} resetKeys={[message]}>
              <MessageItem message={message} isOwn={isOwn} {...props} />
            </PartBoundary>
          ))}
        </ul>
      </div>
    </li>
  )
}

function AuthorPicture({ run, agent, customerName }: MessageRunProps) {
  if (run.author === 'agent') return <Avatar avatar={agent.avatar} name={agent.name} className="mt-0.5 size-8" />
  if (run.author === 'customer') {
    return <Avatar avatar={null} name={customerName} className="mt-0.5 size-8 bg-accent text-foreground" />
  }
  const operator = run.messages[0]?.operator
  if (operator) return <PersonAvatar person={operator} className="mt-0.5" />
  return (
    <span
      aria-hidden="true"
      className="mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-full bg-success-soft text-success-soft-foreground"
    >
      <Headset className="size-4" />
    </span>
  )
}

function AuthorLine({ run, agent, customerName }: MessageRunProps) {
  const { t } = useTranslation('conversations')
  const first = run.messages[0]
  const names = { agent: agent.name, customer: run.authorName ?? customerName, operator: run.authorName }
  const name = run.author === 'system' ? null : names[run.author]
  return (
    <div className="flex max-w-full items-center gap-1.5 text-muted-foreground text-xs">
      <span className="truncate font-medium text-foreground">{name ?? t(($) => $.author[run.author])}</span>
      {run.author === 'agent' && <Bot role="img" aria-label={t(($) => $.author.agent)} className="size-3.5 shrink-0" />}
      {run.author === 'operator' && name && <span className="shrink-0">{t(($) => $.author.operator)}</span>}
      {first && (
        <time
          dateTime={new Date(first.createdAt).toISOString()}
          title={formatDateTime(first.createdAt, 'full')}
          className="shrink-0"
        >
          {formatDateTime(first.createdAt, 'time')}
        </time>
      )}
    </div>
  )
}

const BUBBLES: Record<Message['author'], string> = {
  customer: 'bg-muted',
  agent: 'border border-border bg-surface',
  operator: 'bg-success-soft text-success-soft-foreground',
  system: '',
}

function MessageItem({
  message,
  isOwn,
  perspective,
  modelLabel = (name) => name,
  onOpenSource,
  onWhy,
  onResend,
  target,
  actions,
  beneath,
  chooses,
}: MessageRunProps & { message: Message; isOwn: boolean }) {
  const delivery = deliveryOf(message)
  const isStreaming = message.status === 'streaming'
  const bubble =
    perspective === 'customer' && message.author === 'customer'
      ? 'bg-primary-soft text-primary-soft-foreground'
      : BUBBLES[message.author]
  return (
    <li
      id={messageAnchor(message._id)}
      aria-busy={isStreaming || undefined}
      aria-current={message._id === target || undefined}
      className={cn(
        'group/message flex min-w-0 max-w-full flex-col gap-1.5 aria-[current]:rounded-2xl aria-[current]:outline-2 aria-[current]:outline-primary aria-[current]:outline-offset-4',
        isOwn && 'items-end',
      )}
    >
      {(message.text || isStreaming) && (
        <div className={cn('flex min-w-0 max-w-full items-end gap-1', isOwn && 'flex-row-reverse')}>
          <div className={cn('min-w-0 rounded-2xl px-3.5 py-2.5', bubble)}>
            <MessageQuote message={message} />
            <Words message={message} />
          </div>
          {message.text && !isStreaming && <MessageTools message={message} actions={actions} onWhy={onWhy} />}
        </div>
      )}
      {beneath?.(message)}
      <EditedMark message={message} />
      <RatingMark message={message} />
      <MessageChoices choices={message.choices} onChoose={chooses?.(message)} />
      {message.attachments.length > 0 && (
        <div className={cn('flex min-w-0 max-w-full items-end gap-1', isOwn && 'flex-row-reverse')}>
          <div className="flex min-w-0 max-w-full flex-col gap-1">
            {!message.text && <ForwardMark message={message} />}
            <MessageAttachments attachments={message.attachments} />
          </div>
          {!message.text && <MessageTools message={message} actions={actions} onWhy={onWhy} />}
        </div>
      )}
      <MessageState message={message} />
      <UnfoundedNote sentences={message.unfounded} />
      <MessageSources sources={message.sources} onOpen={(source) => onOpenSource(source, message.text)} />
      {(message.generation || delivery || (message.turnId && onWhy)) && (
        <div className={cn('flex flex-wrap items-center gap-x-3 gap-y-1', isOwn && 'justify-end [&>ul]:justify-end')}>
          {message.generation && <MessageFacts generation={message.generation} modelLabel={modelLabel} />}
          {!isStreaming && <WhyButton message={message} onWhy={onWhy} />}
          {delivery && <DeliveryBadge delivery={delivery} onResend={onResend} />}
        </div>
      )}
    </li>
  )
}

function UndrawnMessage({ message: { _id, text } }: { message: Message }) {
  return (
    <li id={messageAnchor(_id)}>
      <Undrawn text={text} />
    </li>
  )
}

/** Buttons next to the text or the attachments of a message. */
function MessageTools({ message, actions, onWhy }: Pick<MessageRunProps, 'actions' | 'onWhy'> & { message: Message }) {
  const { t } = useTranslation('conversations')
  return (
    <div className="flex shrink-0 opacity-0 focus-within:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
      {message.text && <CopyButton text={message.text} label={t(($) => $.message.copy)} />}
      {actions?.(message)}
      <WhyMessageButton message={message} onWhy={onWhy} />
    </div>
  )
}

function MessageState({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  const outcomeText = useOutcomeText()
  if (message.status !== 'stopped' && message.status !== 'failed') return null
  const hasFailed = message.status === 'failed'
  const Icon = hasFailed ? CircleAlert : CircleSlash
  return (
    <p
      className={cn(
        'flex items-start gap-1.5 text-xs leading-5',
        hasFailed ? 'text-destructive-soft-foreground' : 'text-muted-foreground',
      )}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        {t(($) => $.message[hasFailed ? 'failed' : 'stopped'])}
        {message.reason && message.reason !== 'stopped' && `. ${outcomeText(message.reason)}`}
      </span>
    </p>
  )
}

function Words({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  if (!message.text) return <TypingDots label={t(($) => $.message.streaming)} />
  if (message.forwarded) return <ForwardedBody message={message} text={message.forwarded.text} />
  return <MessageBody message={message} />
}
