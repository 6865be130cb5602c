// A part of the state of the installation: how it is, in a word, and what to do where that is not well.
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HealthProblem } from '#shared/organizations/health.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useAnchor } from '#web/components/use-anchor.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { SECTIONS, type SectionName } from './health-words.ts'

type HealthSectionProps = {
  name: SectionName
  /** Of the whole page; undefined while they are not known. */
  problems: HealthProblem[] | undefined
  children: ReactNode
}

/** Its name is the anchor to which the summary leads. */
export function HealthSection({ name, problems, children }: HealthSectionProps) {
  const { t } = useTranslation('admin')
  useAnchor(name, problems !== undefined)
  const own = problems?.filter((problem) => (SECTIONS[name] as readonly HealthProblem[]).includes(problem))
  return (
    <CardSection
      id={name}
      title={t(($) => $.health[name].title)}
      description={t(($) => $.health[name].description)}
      actions={own && <StateBadge isWell={own.length === 0} />}
    >
      <div className="flex flex-col gap-5">
        {own?.map((problem) => (
          <Alert key={problem} tone="warning" title={t(($) => $.health.problems[problem].title)}>
            {t(($) => $.health.problems[problem].advice)}
          </Alert>
        ))}
        {children}
      </div>
    </CardSection>
  )
}

function StateBadge({ isWell }: { isWell: boolean }) {
  const { t } = useTranslation('admin')
  const Icon = isWell ? CircleCheck : TriangleAlert
  return (
    <Badge tone={isWell ? 'success' : 'warning'}>
      <Icon aria-hidden="true" />
      {isWell ? t(($) => $.health.state.well) : t(($) => $.health.state.attention)}
    </Badge>
  )
}

/** Numbers with their names, side by side. */
export function Facts({ facts }: { facts: { label: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col justify-between gap-1 rounded-lg bg-muted px-4 py-3">
          <dt className="text-[0.8125rem] text-muted-foreground leading-5">{label}</dt>
          <dd className="break-words font-semibold text-lg tabular-nums leading-6">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A list under a small heading. */
export function SubList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 font-medium">{title}</h3>
      <ul className="divide-y divide-border">{children}</ul>
    </div>
  )
}

/** A line of such a list: what it is, what is known of it, and what can be done. */
export function SubItem({ title, facts, action }: { title: ReactNode; facts: ReactNode[]; action?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <div className="break-words">{title}</div>
        <ul className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground tabular-nums">
          {facts.filter(Boolean).map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they stand in a fixed order
            <li key={at}>{fact}</li>
          ))}
        </ul>
      </div>
      {action}
    </li>
  )
}
