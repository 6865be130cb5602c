// A length of time as a person says it.

import { formatLength } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** @returns seconds below a minute, minutes below an hour, hours and minutes below two days, then days; words where it is unknown */
export function useLength(): (milliseconds: number | null) => string {
  const { t } = useTranslation('analytics')
  return (milliseconds) => (milliseconds === null ? t(($) => $.figures.none) : formatLength(milliseconds))
}
