// Whether a password that is being typed is one of those that guessers try first. The list is loaded when it is needed.
import { useEffect, useState } from 'react'
import { PASSWORD_MIN } from '#shared/limits.ts'

type Check = (password: string) => boolean

/** False until the list is there, and where it cannot be loaded: this is advice, and holds nobody up. */
export function useIsCommonPassword(password: string): boolean {
  const [check, setCheck] = useState<Check | null>(null)
  const isNeeded = password.length >= PASSWORD_MIN
  useEffect(() => {
    if (!isNeeded) return
    import('./common-passwords.ts').then(
      ({ isCommonPassword }) => setCheck(() => isCommonPassword),
      () => undefined,
    )
  }, [isNeeded])
  return check?.(password) ?? false
}
