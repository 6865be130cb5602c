// Which passwords are too easily guessed to be taken: those of public breaches, keys in a row, one sign over and over, one's own address.
import fs from 'node:fs'
import { isPatternPassword } from '#shared/password-patterns.ts'

const LIST = new URL('./common-passwords.txt', import.meta.url)

let common: ReadonlySet<string> | undefined

/** Whether a password is among the first that are guessed. `email`: of the account that it is for, where that is known. */
export function isGuessable(password: string, email?: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase()
  const withoutMarks = plain.replace(/[^\p{L}\p{N}]+$/u, '')
  const own = email?.trim().toLowerCase() ?? ''
  if (own !== '' && (plain === own || plain === own.split('@')[0])) return true
  return [plain, withoutMarks].some((text) => isPatternPassword(text) || commonPasswords().has(text))
}

/** Read when the first password is chosen. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    fs
      .readFileSync(LIST, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  )
  return common
}
