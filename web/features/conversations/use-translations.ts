// Translations of what customers have written, as far as somebody wants to see them in the open conversation.
import { useState } from 'react'
import type { Message } from '#shared/conversations.ts'
import type { TranslationLanguage } from '#shared/desk.ts'
import { api } from '#web/api.ts'
import { useAction } from '#web/lib/convex.ts'

/** `text` null: it is being written. `of`: what the message said then. */
export type Translation = { language: TranslationLanguage; text: string | null; of: string }

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
  const set = (id: Message['_id'], translation: Translation | null) =>
    setWanted((before) => {
      const after = new Map(before)
      if (translation) after.set(id, translation)
      else after.delete(id)
      return after
    })
  return {
    find(message) {
      const translation = wanted.get(message._id)
      return translation?.of === message.text ? translation : undefined
    },
    show(message, language) {
      const { _id: messageId, text: of } = message
      set(messageId, { language, text: null, of })
      translate({ messageId, language }).then(
        ({ text }: { text: string }) => set(messageId, { language, text, of }),
        () => set(messageId, null), // the toast has told
      )
    },
    hide: (message) => set(message._id, null),
  }
}
