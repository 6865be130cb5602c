// What a screen reader hears of a live conversation: that an answer is being written, and then the whole answer. Never single tokens.
import { useEffect, useRef, useState } from 'react'
import type { Message } from '#shared/messaging/conversations.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Longer texts are cut: the reader can go to the message itself. Characters. */
const ANNOUNCED_MAX = 400

/** The text of the polite live region of a log; empty for what was there before it was opened. */
export function useAnnouncement(messages: Message[], agentName: string): string {
  const { t } = useTranslation('conversations')
  const [announcement, setAnnouncement] = useState('')
  const last = messages.at(-1)
  const seen = useRef<string | null>(null)
  const state = last ? `${last._id}:${last.status}` : null
  useEffect(() => {
    const isFirst = seen.current === null
    if (state === null || state === seen.current) return
    seen.current = state
    if (isFirst || !last || last.author === 'operator') return
    if (last.status === 'streaming') setAnnouncement(t(($) => $.message.answering, { name: agentName }))
    else {
      const name = last.author === 'agent' ? agentName : (last.authorName ?? t(($) => $.author[last.author]))
      const kinds = last.attachments.map(({ kind }) => t(($) => $.attachment.kind[kind])).join(', ')
      setAnnouncement(t(($) => $.message.answerDone, { name, text: shorten(last.text || kinds) }))
    }
  }, [state, last, agentName, t])
  return announcement
}

function shorten(text: string): string {
  return text.length > ANNOUNCED_MAX ? `${text.slice(0, ANNOUNCED_MAX)}…` : text
}
