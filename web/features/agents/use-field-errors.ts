// Words for what the shared schemas refuse in the forms of an agent.
import type { FieldError } from 'react-hook-form'
import { AGENT_NAME_MAX, SYSTEM_PROMPT_MAX } from '#shared/limits.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type ErrorText = (error: FieldError | undefined) => string | undefined

/** Too long, or missing. */
export function useNameError(): ErrorText {
  const { t } = useTranslation('agents')
  return (error) => {
    if (!error) return undefined
    return error.type === 'too_big'
      ? t(($) => $.validation.nameTooLong, { count: AGENT_NAME_MAX })
      : t(($) => $.validation.nameRequired)
  }
}

/** Only length can be wrong. */
export function usePromptError(): ErrorText {
  const { t } = useTranslation('agents')
  return (error) => (error ? t(($) => $.validation.promptTooLong, { count: SYSTEM_PROMPT_MAX }) : undefined)
}
