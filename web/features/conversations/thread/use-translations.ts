// Requested translations of customers' messages in the open conversation.
import { useState } from 'react'
import type { Message } from '#shared/messaging/conversations.ts'
import type { TranslationLanguage } from '#shared/messaging/operator-tools.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** `text` null: being written; `before` is the translation shown until then. `of`: the message text that was translated. */
export type Translation = {
  language: TranslationLanguage
  text: string | null
  of: string
  before?: Translation
}

export type Translations = {
  /** Undefined when none was requested, or the message was edited since. */
  find: (message: Message) => Translation | undefined
  show: (message: Message, language: TranslationLanguage) => void
  hide: (message: Message) => void
}

/** Requesting a translation again is free: the result is cached. */
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
      // A later request, or a dismissed translation, is left unchanged.
      const settle = (translation: Translation | undefined) =>
        setWanted((now) => (now.get(messageId) === asked ? withEntry(now, messageId, translation) : now))
      set(messageId, asked)
      translate({ messageId, language }).then(
        ({ text }: { text: string }) => settle({ language, text, of }),
        () => settle(asked.before), // reported in a toast
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
