// Letters that sign-in writes: in the language of the person's profile, else that of the request.
import { type Letter, type LetterContent, letterLanguage } from '#server/integrations/mail/letters.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { findLanguage } from './people.store.ts'

/** Puts a letter into the outbox, inside the caller's transaction. */
export type SendLetter = (db: Db, letter: Letter) => Promise<void>
type Parts = { database: Database; sendLetter: SendLetter; log: Logger }

/** Not awaited: the time of an answer must not reveal which addresses have accounts, nor may a letter stop a sign-up. */
export function letterSender({ database, sendLetter, log }: Parts) {
  return (to: string, content: LetterContent, request?: Request): void => {
    const write = async (db: Db) => {
      const language = letterLanguage(await findLanguage(db, to), request?.headers.get('accept-language'))
      await sendLetter(db, { to, language, ...content })
    }
    database
      .system('sign-in: letter', write)
      .catch((error: unknown) => log.error({ err: error, kind: content.kind }, 'a letter was not written'))
  }
}
