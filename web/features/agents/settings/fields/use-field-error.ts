// What is wrong with one field of the settings form.
import { type FieldPath, get, useFormContext } from 'react-hook-form'
import { formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'

const MINUTE_MS = 60_000

/** The words of the resolver for the field or for the first wrong thing inside it; undefined while all is well. */
export function useFieldError(name: FieldPath<AgentForm>): string | undefined {
  const { errors } = useFormContext<AgentForm>().formState
  return firstMessage(get(errors, name))
}

/** The same for a length of time, in words that fit whatever unit it is shown in. @param maxMs longest time allowed; the shortest is a minute */
export function useSpanError(name: FieldPath<AgentForm>, maxMs: number): string | undefined {
  const { t } = useTranslation('agents')
  const message = useFieldError(name)
  return message && t(($) => $.validation.span, { from: formatSpan(MINUTE_MS), to: formatSpan(maxMs) })
}

function firstMessage(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('message' in error && typeof error.message === 'string') return error.message
  for (const inner of Object.values(error)) {
    const message = firstMessage(inner)
    if (message !== undefined) return message
  }
  return undefined
}
