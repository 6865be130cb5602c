// What is stored and how much room is left, the biggest tables, and the slowest statements. Measured on its own: it takes a moment.
import type { ReactNode } from 'react'
import type { SlowStatement, StatementHealth, StorageHealth } from '#shared/organizations/health.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatBytes, formatDuration, formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Facts, HealthSection } from './health-section.tsx'
import type { Polled } from './use-polled.ts'

/** Shows what was measured last, also when a later measurement failed. */
export function StorageSection({ storage }: { storage: Polled<StorageHealth> }) {
  const { t } = useTranslation('admin')
  const { result, failure, isBusy, renew } = storage
  return (
    <HealthSection name="storage" problems={result?.problems}>
      {failure !== null && (
        <Alert
          tone="destructive"
          action={
            <Button isForReading size="sm" isBusy={isBusy} onClick={renew}>
              {t(($) => $.health.refresh)}
            </Button>
          }
        >
          {failure}
        </Alert>
      )}
      {result && <Measured storage={result} />}
      {!result && failure === null && (
        <Delayed>
          <Skeleton className="h-40" />
        </Delayed>
      )}
    </HealthSection>
  )
}

function Measured({ storage: { database, files, statements } }: { storage: StorageHealth }) {
  const { t } = useTranslation('admin')
  const free = t(($) => $.health.storage.freeOf, {
    free: formatBytes(files.freeBytes),
    share: formatPercent(files.totalBytes === 0 ? 0 : files.freeBytes / files.totalBytes),
  })
  const facts = [
    { label: t(($) => $.health.storage.database), value: formatBytes(database.sizeBytes) },
    { label: t(($) => $.health.storage.files), value: formatBytes(files.sizeBytes) },
    { label: t(($) => $.health.storage.fileCount), value: formatNumber(files.count) },
    { label: t(($) => $.health.storage.free, { host: files.host }), value: free },
  ]
  const heads = [t(($) => $.health.storage.table), t(($) => $.health.storage.size), t(($) => $.health.storage.rows)]
  return (
    <>
      <Facts facts={facts} />
      <Table title={t(($) => $.health.storage.tables)} heads={heads}>
        {database.tables.map(({ name, sizeBytes, rows }) => (
          <Row
            key={name}
            name={name}
            values={[
              formatBytes(sizeBytes),
              rows === null ? '–' : t(($) => $.health.storage.about, { value: formatNumber(rows) }),
            ]}
          />
        ))}
      </Table>
      <Statements statements={statements} />
    </>
  )
}

function Statements({ statements }: { statements: StatementHealth }) {
  const { t } = useTranslation('admin')
  if (statements.state === 'on') return <Slowest slowest={statements.slowest} />
  return (
    <div>
      <h3 className="mb-1 font-medium">{t(($) => $.health.storage.statements)}</h3>
      {statements.state === 'off' ? (
        <>
          <p className="max-w-prose text-muted-foreground">{t(($) => $.health.storage.statementsOff)}</p>
          <Commands
            lines={["shared_preload_libraries = 'pg_stat_statements'", 'create extension pg_stat_statements;']}
          />
        </>
      ) : (
        <>
          <p className="max-w-prose text-muted-foreground">{t(($) => $.health.storage.statementsHidden)}</p>
          <Commands lines={[`grant pg_read_all_stats to ${statements.role};`]} />
        </>
      )}
    </div>
  )
}

function Commands({ lines }: { lines: string[] }) {
  return (
    <pre className="mt-2 whitespace-pre-wrap break-all rounded-lg border border-border bg-muted px-3 py-2 text-[0.8125rem]">
      {lines.join('\n')}
    </pre>
  )
}

function Slowest({ slowest }: { slowest: SlowStatement[] }) {
  const { t } = useTranslation('admin')
  const heads = [
    t(($) => $.health.storage.statement),
    t(($) => $.health.storage.mean),
    t(($) => $.health.storage.calls),
    t(($) => $.health.storage.total),
  ]
  return (
    <Table title={t(($) => $.health.storage.statements)} heads={heads}>
      {slowest.map(({ text, calls, meanMs, totalMs }) => (
        <Row key={text} name={text} values={[formatDuration(meanMs), formatNumber(calls), formatDuration(totalMs)]} />
      ))}
    </Table>
  )
}

function Table({ title, heads, children }: { title: string; heads: string[]; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-2 font-medium">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard */}
      <section tabIndex={0} aria-label={title} className="overflow-x-auto">
        <table className="w-full text-[0.8125rem]">
          <thead className="text-muted-foreground">
            <tr>
              {heads.map((head, at) => (
                <th
                  key={head}
                  scope="col"
                  className={`pe-4 pb-2 font-medium last:pe-0 ${at === 0 ? 'text-start' : 'text-end'}`}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">{children}</tbody>
        </table>
      </section>
    </div>
  )
}

function Row({ name, values }: { name: string; values: string[] }) {
  return (
    <tr className="align-top">
      <th scope="row" className="min-w-40 py-2 pe-4 text-start font-normal">
        <code className="break-all">{name}</code>
      </th>
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stand under their heads
        <td key={at} className="whitespace-nowrap py-2 pe-4 text-end tabular-nums last:pe-0">
          {value}
        </td>
      ))}
    </tr>
  )
}
