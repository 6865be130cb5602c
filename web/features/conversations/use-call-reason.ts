// Why a customer waits for an operator, in two or three words.
import type { PauseReason } from '#shared/messaging/conversations.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Reasons that call an operator; with the others one has come already, or is not wanted. */
const CALLS = [
  'customer_request',
  'missing_knowledge',
  'tool_failure',
  'policy',
  'promise',
  'guard',
  'model_failure',
  'availability',
  'limit',
  'machine_talk',
] as const satisfies PauseReason[]

/** @returns the text of a reason; without a reason, that an operator is needed */
export function useCallReason(): (reason: PauseReason | null) => string {
  const { t } = useTranslation('conversations')
  return (reason) => {
    const call = CALLS.find((each) => each === reason)
    return call ? t(($) => $.call[call]) : t(($) => $.list.needsPerson)
  }
}
