// Why a reply failed or was withheld, in words.
import { useTranslation } from '#web/lib/i18n.ts'

const KNOWN = [
  'paused',
  'stopped',
  'model_failed',
  'model_not_configured',
  'model_unknown',
  'rate_limited',
  'allowance_exhausted',
  'timeout',
  'disconnected',
  'superseded',
  'interrupted',
] as const
type Known = (typeof KNOWN)[number]

/** Translates the `reason` of a message; an unknown code is shown as it is inside a general sentence. */
export function useOutcomeText(): (reason: string) => string {
  const { t } = useTranslation('conversations')
  return (reason) => (isKnown(reason) ? t(($) => $.outcome[reason]) : t(($) => $.outcome.other, { code: reason }))
}

function isKnown(reason: string): reason is Known {
  return (KNOWN as readonly string[]).includes(reason)
}
