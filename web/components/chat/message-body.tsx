// What a message says: as Markdown, as it was typed, or as the messages that a channel would make of it.
import type { Markup } from '#shared/channels/manifest.ts'
import { channelName, manifestOf } from '#shared/channels/manifests.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { keepNumbersWhole, keepNumbersWholeInMarkdown } from '#shared/number-spaces.ts'
import { Markdown } from '#web/components/ui/markdown.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'

const RENDERED: readonly Markup[] = ['entities', 'html', 'rendered']

/** What a model wrote is Markdown; by a channel that has no formatting of its own its text shows as it goes out. What a person typed is shown as typed. */
export function MessageBody({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  const { shownAs } = message
  return (
    <>
      {shownAs && (
        <p className="mb-1 text-muted-foreground text-xs">
          {t(($) => $.message.shownAs, { channel: channelName(shownAs, currentLanguage()) })}
        </p>
      )}
      {message.parts.length > 1 ? (
        <MessageParts message={message} />
      ) : (
        <MessageText message={message} text={(shownAs && message.parts[0]) ?? message.text} />
      )}
    </>
  )
}

/** What a channel would send one after another. */
function MessageParts({ message }: { message: Message }) {
  const { t } = useTranslation('conversations')
  return (
    <ol className="flex flex-col gap-2.5">
      {message.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a finished answer never change
        <li key={index} className="border-border border-dashed not-first:border-t not-first:pt-2.5">
          <span className="mb-1 block text-muted-foreground text-xs">
            {t(($) => $.message.part, { number: index + 1, total: message.parts.length })}
          </span>
          <MessageText message={message} text={part} />
        </li>
      ))}
    </ol>
  )
}

function MessageText({ message: { author, status, shownAs }, text }: { message: Message; text: string }) {
  const isFormatted =
    author === 'agent' &&
    (shownAs === undefined || RENDERED.some((markup) => markup === manifestOf(shownAs)?.showing.markup))
  if (isFormatted) return <Markdown text={keepNumbersWholeInMarkdown(text)} isStreaming={status === 'streaming'} />
  return <p className="whitespace-pre-wrap break-words leading-relaxed">{keepNumbersWhole(text)}</p>
}
