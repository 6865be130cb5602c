// An entry of the trail: who did what to whom and when, and what has changed.
import { ArrowRight } from 'lucide-react'
import type { AuditEntry } from '#shared/organizations/audit.ts'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAuditWords } from './audit-words.ts'

/** `hasOrganization`: it names whom it concerns. */
export function AuditEntryItem({ entry, hasOrganization }: { entry: AuditEntry; hasOrganization: boolean }) {
  const { t } = useTranslation('audit')
  const words = useAuditWords()
  const { actor, action, resource, organization, reason, address, at } = entry
  return (
    <li className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
        <p className="min-w-0 break-words font-medium">
          {words.action(action)}
          {resource && (
            <span className="font-normal text-muted-foreground">
              {' · '}
              <Resource resource={resource} />
            </span>
          )}
        </p>
        <DateTime at={at} className="shrink-0 text-[0.8125rem] text-muted-foreground" />
      </div>
      <p className="flex flex-wrap gap-x-2 break-words text-[0.8125rem] text-muted-foreground">
        <span>{actor ? `${actor.name} (${actor.email})` : t(($) => $.program)}</span>
        {address && <span>{t(($) => $.from, { address })}</span>}
        {hasOrganization && <span>{organization ? (organization.name ?? t(($) => $.gone)) : t(($) => $.ofNone)}</span>}
      </p>
      {reason && <p className="text-[0.8125rem]">{t(($) => $.reason, { reason })}</p>}
      <Changes entry={entry} />
    </li>
  )
}

/** By the name that people gave it; where the name is the program's, by what it is. */
function Resource({ resource: { kind, id, name } }: { resource: NonNullable<AuditEntry['resource']> }) {
  const words = useAuditWords()
  if (name && kind !== 'job') return name
  return (
    <>
      {words.kind(kind)} <code className="break-all text-[0.8125rem]">{name || id}</code>
    </>
  )
}

function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const words = useAuditWords()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <dl className="mt-1 grid gap-x-4 gap-y-1 rounded-lg bg-muted/60 px-3 py-2 text-[0.8125rem] sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {names.map((name) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{words.field(name)}</dt>
          <dd className="flex min-w-0 flex-wrap items-center gap-x-2 break-words">
            {before && <Value value={before[name]} />}
            {before && after && <ArrowRight aria-label={t(($) => $.became)} className="size-3.5 shrink-0" />}
            {after && <Value value={after[name]} isNew />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** As it was stored: people's own words, or values of the program. */
function Value({ value, isNew }: { value: unknown; isNew?: boolean }) {
  const { t } = useTranslation('audit')
  if (value === null || value === undefined || value === '') return <span>{t(($) => $.empty)}</span>
  return (
    <code className={cn('min-w-0 whitespace-pre-wrap break-words font-sans', isNew && 'font-medium')}>
      {typeof value === 'string' ? value : JSON.stringify(value)}
    </code>
  )
}
