// Shared test chats for people without an account: read-only, with the messages up to the time of sharing.
import { Link2Off, Paperclip, RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { SharedChat, SharedMessage } from '#shared/messaging/test-chat.ts'
import { MessageChoices } from '#web/components/chat/message-choices.tsx'
import { OutageBanner } from '#web/components/outage-banner.tsx'
import { Preferences } from '#web/components/preferences.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Logo } from '#web/components/ui/logo.tsx'
import { Markdown } from '#web/components/ui/markdown.tsx'
import { useDocumentTitle } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useFetched } from '#web/lib/server/query-client.ts'

/** The ticket is in the fragment of the address. */
export function SharedChatPage() {
  const { t } = useTranslation('test-chat')
  const ticket = useTicket()
  const { value: shared, error, isLoading, reload } = useFetched(['shared-chat', ticket], () => loadShared(ticket))
  useDocumentTitle(shared ? t(($) => $.shared.title, { name: shared.agentName }) : t(($) => $.shared.page))
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-3xl flex-col px-4 py-5 sm:px-6">
      <OutageBanner className="mb-5 overflow-hidden rounded-lg" />
      <header className="flex items-center justify-between">
        <Logo />
        <Preferences />
      </header>
      <main className="flex-1 py-8">
        {!shared && <h1 className="sr-only">{t(($) => $.shared.page)}</h1>}
        {isLoading && <Skeleton className="h-40 w-full" />}
        {shared === null && (
          <EmptyState
            icon={Link2Off}
            title={t(($) => $.shared.gone)}
            description={t(($) => $.shared.goneDescription)}
          />
        )}
        {error && (
          <EmptyState
            icon={RotateCw}
            title={t(($) => $.shared.failed)}
            action={<Button onClick={reload}>{t(($) => $.shared.retry)}</Button>}
          />
        )}
        {shared && <Chats shared={shared} />}
      </main>
    </div>
  )
}

function Chats({ shared }: { shared: SharedChat }) {
  const { t } = useTranslation('test-chat')
  const { agentName, chats, sharedAt, expiresAt } = shared
  const filled = chats.filter(({ messages }) => messages.length > 0)
  const dates = { from: formatDateTime(sharedAt), until: formatDateTime(expiresAt) }
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">{t(($) => $.shared.title, { name: agentName })}</h1>
      <p className="mt-1.5 text-muted-foreground">{t(($) => $.shared.subtitle, dates)}</p>
      {filled.map(({ variant, messages }) => (
        <section
          key={variant}
          aria-label={t(($) => $.shared.variant, { name: variant.toUpperCase() })}
          className="mt-8"
        >
          {filled.length > 1 && (
            <h2 className="mb-4 font-semibold">{t(($) => $.shared.variant, { name: variant.toUpperCase() })}</h2>
          )}
          <ol className="flex flex-col gap-4">
            {messages.map((message) => (
              <SharedMessageItem key={message._id} message={message} agentName={agentName} />
            ))}
          </ol>
        </section>
      ))}
    </>
  )
}

function SharedMessageItem({ message, agentName }: { message: SharedMessage; agentName: string }) {
  const { t } = useTranslation('test-chat')
  const { t: kinds } = useTranslation('conversations')
  const { author, text, at, attachments, choices } = message
  const isAsked = author === 'customer'
  const name = author === 'agent' ? agentName : t(($) => $.shared.author[author])
  return (
    <li className={cn('flex flex-col gap-1', isAsked && 'items-end')}>
      <p className="text-[0.8125rem] text-muted-foreground">
        <span className="font-medium text-foreground">{name}</span> <time>{formatDateTime(at)}</time>
      </p>
      <div
        className={cn(
          'max-w-[min(44rem,90%)] rounded-2xl px-4 py-2.5',
          isAsked ? 'bg-primary-soft text-primary-soft-foreground' : 'border border-border bg-surface',
        )}
      >
        {author === 'agent' ? <Markdown text={text} /> : <p className="whitespace-pre-wrap break-words">{text}</p>}
        {attachments.map((attachment) => (
          <p key={attachment._id} className="mt-1 flex items-center gap-1.5 text-[0.8125rem]">
            <Paperclip aria-hidden="true" className="size-3.5 shrink-0" />
            {attachment.name ?? kinds(($) => $.attachment.kind[attachment.kind])}
          </p>
        ))}
      </div>
      <MessageChoices choices={choices} />
    </li>
  )
}

function useTicket(): string {
  const [ticket, setTicket] = useState(readTicket)
  useEffect(() => {
    const read = () => setTicket(readTicket())
    window.addEventListener('hashchange', read)
    return () => window.removeEventListener('hashchange', read)
  }, [])
  return ticket
}

function readTicket(): string {
  try {
    return decodeURIComponent(window.location.hash.slice(1))
  } catch {
    return ''
  }
}

/** Null: the link is expired or invalid. */
async function loadShared(ticket: string): Promise<SharedChat | null> {
  const answer = await fetch('/api/shared-chats', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  if (answer.status === 404) return null
  if (!answer.ok) throw new Error(`The shared chat was answered with ${answer.status}`)
  return (await answer.json()) as SharedChat
}
