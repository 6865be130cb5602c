// Why a reply failed or was withheld, and why a part was not delivered, in words.
import { MODEL_FAILURE_REASONS } from '#shared/agents/models.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const OUTCOMES = [
  ...MODEL_FAILURE_REASONS,
  'model_not_configured',
  'model_unknown',
  'gave_up',
  'agent_deleted',
  'agent_off',
  'connection_off',
  'connection_error',
  'organization_suspended',
  'outside_hours',
  'customer_limit',
  'agent_limit',
  'visitors_limit',
  'customer_limit_near',
  'agent_limit_near',
  'spending_limit',
  'allowance_used_up',
  'welcomed',
  'command_answered',
  'customer_stop',
  'customer_request',
  'machine_talk',
  'follow_up_later',
  'follow_ups_off',
  'nothing_to_follow_up',
  'follow_up_undelivered',
  'follow_up_needs_model',
  'follow_up_out_of_window',
  'handed_off_customer_request',
  'handed_off_missing_knowledge',
  'handed_off_tool_failure',
  'handed_off_policy',
  'handed_off_promise',
  'handed_off_guard',
  'guarded_question',
  'guarded_answer',
  'nobody_came',
  'superseded',
  'merged',
  'unwanted',
  'withheld',
  'stopped',
  'paused',
  'ended',
  'nothing_to_answer',
  'internal',
] as const
const DELIVERY_REASONS = [
  'connection_off',
  'blocked',
  'unauthorized',
  'permanent',
  'temporary',
  'undelivered',
  'rate_limited',
  'suspended',
  'out_of_window',
  'earlier_part',
  'too_late',
  'internal',
] as const

/** Reasons of providers for losing or refusing a message, with the provider's wording of each. */
const UNDELIVERED = [
  ['noAccount', 'noAccount'],
  ['notInGroup', 'notInGroup'],
  ['yellowCard', 'yellowCard'],
  ['dropped', 'dropped from the queue'],
  ['outOfWindow', 'out_of_window'],
  ['noWhatsapp', 'blocked'],
  ['advertising', 'advertising'],
  ['business', 'business'],
] as const

/** Translates the `reason` of a message; an unknown code is shown as it is inside a general sentence. */
export function useOutcomeText(): (reason: string) => string {
  const { t } = useTranslation('conversations')
  return (reason) => {
    const known = OUTCOMES.find((each) => each === reason)
    return known ? t(($) => $.outcome[known]) : t(($) => $.outcome.other, { code: reason })
  }
}

/** Translates the error of a part: a code, or a code and the channel's own text after a colon, which is kept as detail. */
export function useDeliveryErrorText(): (error: string | null) => { text: string; detail: string | null } {
  const { t } = useTranslation('conversations')
  return (error) => {
    const [code = '', ...rest] = (error ?? '').split(': ')
    const known = DELIVERY_REASONS.find((each) => each === code) ?? 'internal'
    const isProviders = known === 'undelivered' || known === 'permanent'
    const reason = UNDELIVERED.find(([, words]) => isProviders && words === rest[0])
    if (reason) return { text: t(($) => $.delivery.undelivered[reason[0]]), detail: rest.slice(1).join(': ') || null }
    return { text: t(($) => $.delivery.reason[known]), detail: rest.join(': ') || null }
  }
}
