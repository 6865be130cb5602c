// Language and time zone that a person has chosen for themselves: they hold on every device.
import { useEffect } from 'react'
import type { CurrentUser } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { setShownTimeZone } from '#web/lib/format.ts'
import { currentLanguage, type Language, setLanguage } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** Shows everything in the person's language and time zone; where they have chosen none, in those of the browser. */
export function useOwnSettings({ language, timeZone }: Pick<CurrentUser, 'language' | 'timeZone'>): void {
  setShownTimeZone(timeZone) // before anything below is drawn
  useEffect(() => () => setShownTimeZone(''), [])
  useEffect(() => {
    if (language !== '' && language !== currentLanguage()) void setLanguage(language)
  }, [language])
}

/** Switches the language at once, here and on the person's other devices. */
export function useLanguageChoice(): (language: Language) => void {
  const update = useMutation(api.users.updateProfile, { hasToast: false })
  return (language) => {
    void setLanguage(language)
    update({ patch: { language } }).catch(() => undefined) // this browser keeps it
  }
}
