// The filters: agent, channel, assignee and tag.
import type { AgentSummary } from '#shared/agents/agents.ts'
import { CHANNEL_NAMES, channelName } from '#shared/channels/manifests.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { Select, type SelectOption } from '#web/components/ui/select.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAnalyticsView } from '../use-analytics-view.ts'

/** Stands for "no filter": option values may not be empty. */
const ANY = 'any'

/** Each change takes effect at once. */
export function FilterFields({ agents, members }: { agents: AgentSummary[]; members: Member[] }) {
  const { t } = useTranslation('analytics')
  const [view, setView] = useAnalyticsView()
  const tags: string[] = useQuery(api.conversations.tags, {}) ?? []
  return (
    <>
      <Choice
        label={t(($) => $.toolbar.agent)}
        any={t(($) => $.toolbar.anyAgent)}
        value={view.agent}
        gone={t(($) => $.toolbar.gone)}
        onChange={(agent) => void setView({ agent })}
        options={agents.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
      <Choice
        label={t(($) => $.toolbar.channel)}
        any={t(($) => $.toolbar.anyChannel)}
        value={view.channel}
        onChange={(next) => void setView({ channel: CHANNEL_NAMES.find((each) => each === next) ?? null })}
        options={CHANNEL_NAMES.map((each) => ({ value: each, label: channelName(each, currentLanguage()) }))}
      />
      <Choice
        label={t(($) => $.toolbar.assignee)}
        any={t(($) => $.toolbar.anyAssignee)}
        value={view.assignee}
        gone={t(($) => $.toolbar.gone)}
        onChange={(assignee) => void setView({ assignee })}
        options={[
          { value: 'nobody', label: t(($) => $.rows.unassigned) },
          ...members.map(({ _id, name }) => ({ value: _id, label: name })),
        ]}
      />
      {(tags.length > 0 || view.tag !== null) && (
        <Choice
          label={t(($) => $.toolbar.tag)}
          any={t(($) => $.toolbar.anyTag)}
          value={view.tag}
          gone={view.tag ?? ''}
          onChange={(tag) => void setView({ tag })}
          options={tags.map((tag) => ({ value: tag, label: tag }))}
        />
      )}
    </>
  )
}

type ChoiceProps = {
  label: string
  any: string
  value: string | null
  /** What a value is called that is not among the options any more. */
  gone?: string
  options: SelectOption[]
  onChange: (value: string | null) => void
}

function Choice({ label, any, value, gone, options, onChange }: ChoiceProps) {
  const isGone = value !== null && gone !== undefined && !options.some((option) => option.value === value)
  return (
    <Select
      aria-label={label}
      className="w-auto min-w-36 max-w-64 print:data-[any=true]:hidden"
      data-any={value === null}
      value={value ?? ANY}
      onValueChange={(next) => onChange(next === ANY ? null : next)}
      options={[{ value: ANY, label: any }, ...(isGone ? [{ value, label: gone }] : []), ...options]}
    />
  )
}
