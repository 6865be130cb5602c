// The first line of the page: that everything works, or what calls for an administrator, each with a link to its place.
import { Link } from 'react-router'
import type { HealthProblem } from '#shared/organizations/health.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { sectionOf } from './health-words.ts'

/** Of all parts of the page. `isWhole`: the storage has been measured, too. */
export function Summary({ problems, isWhole }: { problems: HealthProblem[]; isWhole: boolean }) {
  const { t } = useTranslation('admin')
  if (problems.length === 0) {
    const state = isWhole ? 'well' : 'partly'
    return (
      <Alert tone={isWhole ? 'success' : 'info'} title={t(($) => $.health.summary[state])}>
        {t(($) => $.health.summary[`${state}Body` as const])}
      </Alert>
    )
  }
  return (
    <Alert tone="warning" title={t(($) => $.health.summary.needs, { count: problems.length })}>
      <ul className="mt-1 list-disc ps-5">
        {problems.map((problem) => (
          <li key={problem}>
            <Link to={{ hash: sectionOf(problem) }} className="inline-block py-0.5 underline underline-offset-4">
              {t(($) => $.health.problems[problem].title)}
            </Link>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
