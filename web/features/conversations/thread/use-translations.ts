// Translations of what customers have written, as far as somebody wants to see them in the open conversation.
import { useState } from 'react'
import type { Message } from '#shared/messaging/conversations.ts'
import type { TranslationLanguage } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** `text` null: it is being written; `before` is what stood there until then. `of`: what the message said then. */
export type Translation = {
  language: TranslationLanguage
  text: string | null
  of: string
  before?: Translation
}

export type Translations = {
  /** Undefined: none is wanted, or the message says something else by now. */
  find: (message: Message) => Translation | undefined
  show: (message: Message, language: TranslationLanguage) => void
  hide: (message: Message) => void
}

/** What was translated once costs nothing when it is wanted again. */
export function useTranslations(): Translations {
  const translate = useAction(api.conversations.helper.translateMessage)
  const [wanted, setWanted] = useState<ReadonlyMap<Message['_id'], Translation>>(new Map())
  const set = (id: Message['_id'], translation: Translation | undefined) =>
    setWanted((wanted) => withEntry(wanted, id, translation))
  return {
    find(message) {
      const translation = wanted.get(message._id)
      return translation?.of === message.text ? translation : undefined
    },
    show(message, language) {
      const { _id: messageId, text: of } = message
      const before = wanted.get(messageId)
      const asked: Translation = { language, text: null, of, ...(before?.text && { before }) }
      // What was asked for later, or put away, stays as it is.
      const settle = (translation: Translation | undefined) =>
        setWanted((now) => (now.get(messageId) === asked ? withEntry(now, messageId, translation) : now))
      set(messageId, asked)
      translate({ messageId, language }).then(
        ({ text }: { text: string }) => settle({ language, text, of }),
        () => settle(asked.before), // the toast has told
      )
    },
    hide: (message) => set(message._id, undefined),
  }
}

function withEntry<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value | undefined): Map<Key, Value> {
  const changed = new Map(map)
  if (value === undefined) changed.delete(key)
  else changed.set(key, value)
  return changed
}
