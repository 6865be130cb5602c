// Whether the typed password is one that attackers try first. The list is loaded on demand.
import { useEffect, useState } from 'react'
import { PASSWORD_MIN } from '#shared/limits.ts'

type Check = (password: string) => boolean

/** False until the list is loaded, and when it cannot be: this is advice only, and does not block the form. */
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
