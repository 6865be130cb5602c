// Words for what the shared schemas refuse in the forms of an agent.
import type { core } from 'zod/mini'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type Issue = core.$ZodRawIssue

/** Says what is wrong with a value and what is allowed, with the bounds of the schema itself. For zodResolver's `error`. */
export function useIssueText(): (issue: Issue) => string {
  const { t } = useTranslation('agents')
  return (issue) => {
    switch (issue.code) {
      case 'too_small':
        if (issue.origin === 'string' || issue.origin === 'array') return t(($) => $.validation.required)
        return issue.inclusive
          ? t(($) => $.validation.tooSmall, { value: formatNumber(Number(issue.minimum)) })
          : t(($) => $.validation.notAbove, { value: formatNumber(Number(issue.minimum)) })
      case 'too_big': {
        const count = Number(issue.maximum)
        const value = formatNumber(count)
        if (issue.origin === 'string') return t(($) => $.validation.tooLong, { count, value })
        return t(($) => (issue.origin === 'array' ? $.validation.tooMany : $.validation.tooBig), { value })
      }
      case 'invalid_type':
        return t(($) => (issue.expected === 'int' ? $.validation.wholeNumber : $.validation.number))
      case 'invalid_format':
        return t(($) => $.validation.toolName)
      default:
        return t(($) => $.validation.choose)
    }
  }
}
