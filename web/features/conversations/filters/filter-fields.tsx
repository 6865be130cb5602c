// The less frequent filters of the inbox, one field each.
import type { ReactNode } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { CHANNEL_NAMES, channelName } from '#shared/channels/manifests.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { FOLDERS, useInboxFilters } from './use-inbox-filters.ts'

/** Stands for "no filter": option values may not be empty. */
export const ANY = 'any'

type FilterFieldsProps = { agents: AgentSummary[]; members: Member[]; tags: string[] }

/** Each change takes effect at once. */
export function FilterFields({ agents, members, tags }: FilterFieldsProps) {
  const { t } = useTranslation('conversations')
  const [query, setQuery] = useInboxFilters()
  return (
    <div className="flex flex-col gap-3">
      <Choice
        label={t(($) => $.list.folder)}
        any={t(($) => $.list.folders.inbox)}
        value={query.folder}
        onChange={(next) => void setQuery({ folder: FOLDERS.find((each) => each === next) ?? null })}
        options={FOLDERS.map((each) => ({ value: each, label: t(($) => $.list.folders[each]) }))}
      />
      <Choice
        label={t(($) => $.list.agent)}
        any={t(($) => $.list.anyAgent)}
        value={query.agent}
        onChange={(agent) => void setQuery({ agent })}
        options={agents.map((each) => ({ value: each.slug, label: each.name }))}
      />
      <Choice
        label={t(($) => $.list.channel)}
        any={t(($) => $.list.anyChannel)}
        value={query.channel}
        onChange={(next) => void setQuery({ channel: CHANNEL_NAMES.find((each) => each === next) ?? null })}
        options={CHANNEL_NAMES.map((each) => ({ value: each, label: channelName(each, currentLanguage()) }))}
      />
      <Choice
        label={t(($) => $.list.assignee)}
        any={t(($) => $.list.anyAssignee)}
        value={query.assignee}
        onChange={(assignee) => void setQuery({ assignee })}
        options={[
          { value: 'me', label: t(($) => $.list.me) },
          { value: 'nobody', label: t(($) => $.list.nobody) },
          ...members.map((each) => ({ value: each._id, label: each.name })),
        ]}
      />
      {tags.length > 0 && (
        <Choice
          label={t(($) => $.list.tag)}
          any={t(($) => $.list.anyTag)}
          value={query.tag}
          onChange={(tag) => void setQuery({ tag })}
          options={tags.map((each) => ({ value: each, label: each }))}
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <Field label={t(($) => $.list.from)}>
          <Input
            type="date"
            value={query.from ?? ''}
            onChange={(event) => void setQuery({ from: event.target.value || null })}
          />
        </Field>
        <Field label={t(($) => $.list.to)}>
          <Input
            type="date"
            value={query.to ?? ''}
            onChange={(event) => void setQuery({ to: event.target.value || null })}
          />
        </Field>
      </div>
      <Toggle
        label={t(($) => $.list.onlyUnread)}
        isOn={query.unread ?? false}
        onChange={(unread) => void setQuery({ unread })}
      />
      <Toggle
        label={t(($) => $.list.onlyProblem)}
        isOn={query.problem ?? false}
        onChange={(problem) => void setQuery({ problem })}
      />
    </div>
  )
}

type ChoiceProps = {
  label: string
  any: string
  value: string | null
  onChange: (value: string | null) => void
  options: { value: string; label: ReactNode }[]
}

function Choice({ label, any, value, onChange, options }: ChoiceProps) {
  return (
    <Field label={label}>
      <Select
        value={value ?? ANY}
        onValueChange={(next) => onChange(next === ANY ? null : next)}
        options={[{ value: ANY, label: any }, ...options]}
      />
    </Field>
  )
}

type ToggleProps = { label: string; isOn: boolean; onChange: (next: true | null) => void }

function Toggle({ label, isOn, onChange }: ToggleProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control
    <label className="flex min-h-6 items-center justify-between gap-3 text-sm">
      {label}
      <Switch checked={isOn} onCheckedChange={(next) => onChange(next || null)} />
    </label>
  )
}
