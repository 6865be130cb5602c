// Where messages were written and what kinds they were, each as a list with bars.
import type { ReactNode } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { otherChannels } from './usage.rules.ts'

type Line = { key: string; label: ReactNode; messages: number; hint?: string | undefined }

/** The five channels with most messages, and the rest in one line, so that the lines add up to the total. */
export function ChannelBreakdown({ overview }: { overview: UsageOverview }) {
  const { t } = useTranslation('plan')
  const rest = otherChannels(overview)
  const lines: Line[] = overview.channels.map(({ key, messages }) => ({
    key,
    label: key === 'unknown' ? t(($) => $.channels.unknown) : channelName(key, currentLanguage()),
    messages,
  }))
  if (rest > 0) lines.push({ key: 'rest', label: t(($) => $.channels.rest), messages: rest })
  return (
    <Breakdown
      title={t(($) => $.channels.title)}
      empty={t(($) => $.channels.empty)}
      lines={lines.filter(({ messages }) => messages > 0)}
    />
  )
}

/** All kinds, those without messages too: each that does not count against the allowance says so. */
export function CategoryBreakdown({ categories }: Pick<UsageOverview, 'categories'>) {
  const { t } = useTranslation('plan')
  const lines = categories.map(({ key, messages }) => ({
    key,
    label: t(($) => $.categories.name[key]),
    messages,
    hint: key === 'system_message' ? t(($) => $.categories.systemHint) : undefined,
  }))
  return <Breakdown title={t(($) => $.categories.title)} empty="" lines={lines} />
}

function Breakdown({ title, empty, lines }: { title: string; empty: string; lines: Line[] }) {
  const most = Math.max(1, ...lines.map(({ messages }) => messages))
  return (
    <div className="min-w-0">
      <h3 className="font-medium">{title}</h3>
      {lines.length === 0 && <p className="mt-2 text-muted-foreground">{empty}</p>}
      <ul className="mt-3 flex flex-col gap-3">
        {lines.map(({ key, label, messages, hint }) => (
          <li key={key}>
            <p className="flex items-baseline justify-between gap-3">
              <span className="min-w-0 break-words">{label}</span>
              <span className="font-medium tabular-nums">{formatNumber(messages)}</span>
            </p>
            <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-accent">
              <div className="h-full rounded-full bg-primary" style={{ width: `${(messages / most) * 100}%` }} />
            </div>
            {hint && <p className="mt-1 text-[0.8125rem] text-muted-foreground">{hint}</p>}
          </li>
        ))}
      </ul>
    </div>
  )
}
