// Whether agents search the web for a space, and the daily limit.
import { useId, useState } from 'react'
import type { WebSearchSettings, WebSearchState } from '#shared/agents/web-search.ts'
import { WEB_SEARCHES_PER_DAY_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type SearchSettingsProps = { settings: WebSearchSettings; state: WebSearchState }

/** The switch takes effect at once. */
export function SearchSettings({ settings, state }: SearchSettingsProps) {
  const { t } = useTranslation('web-search')
  const update = useMutation(api.knowledge.webSearch.update)
  const { knowledgeSpaceId, isEnabled } = settings
  const switchId = useId()
  return (
    <Card className="flex flex-col gap-5 p-5">
      <ProviderState state={state} isEnabled={isEnabled} />
      <div className="flex items-start gap-3">
        <Switch
          id={switchId}
          className="mt-0.5"
          checked={isEnabled}
          aria-describedby={`${switchId}-hint`}
          onCheckedChange={
            (next) => void update({ knowledgeSpaceId, patch: { isEnabled: next } }).catch(() => undefined) // reported in a toast
          }
        />
        <div>
          <label htmlFor={switchId} className="font-medium">
            {t(($) => $.settings.enabled)}
          </label>
          <p id={`${switchId}-hint`} className="text-[0.8125rem] text-muted-foreground">
            {t(($) => $.settings.enabledHint)}
          </p>
        </div>
      </div>
      <DailyLimit key={settings.dailyLimit} settings={settings} state={state} />
    </Card>
  )
}

function ProviderState({ state, isEnabled }: { state: WebSearchState; isEnabled: boolean }) {
  const { t } = useTranslation('web-search')
  const { provider, organization } = state
  if (!provider) {
    return (
      <Alert tone={isEnabled ? 'warning' : 'info'} title={t(($) => $.provider.noneTitle)}>
        {t(($) => $.provider.noneBody)}
      </Alert>
    )
  }
  return (
    <p role="status" className="text-muted-foreground">
      {t(($) => $.provider.searches, { provider: t(($) => $.provider[provider]) })}{' '}
      {t(($) => $.provider.organization, {
        used: formatNumber(organization.usedToday),
        limit: formatNumber(organization.dailyLimit),
      })}
    </p>
  )
}

function DailyLimit({ settings: { knowledgeSpaceId, dailyLimit }, state }: SearchSettingsProps) {
  const { t } = useTranslation('web-search')
  const update = useMutation(api.knowledge.webSearch.update)
  const [typed, setTyped] = useState<number | null>(dailyLimit)
  const isGood = typed !== null && Number.isInteger(typed) && typed >= 1 && typed <= WEB_SEARCHES_PER_DAY_MAX
  async function save() {
    if (!isGood) return
    await update({ knowledgeSpaceId, patch: { dailyLimit: typed } })
    toast.success(t(($) => $.settings.saved))
  }
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        save().catch(() => undefined) // reported in a toast
      }}
    >
      <Field
        label={t(($) => $.settings.dailyLimit)}
        hint={t(($) => $.settings.usedToday, { used: formatNumber(state.usedToday), limit: formatNumber(dailyLimit) })}
        error={isGood ? undefined : t(($) => $.settings.limitRange, { max: formatNumber(WEB_SEARCHES_PER_DAY_MAX) })}
      >
        <NumberInput value={typed} onValueChange={setTyped} className="w-40" />
      </Field>
      {typed !== dailyLimit && (
        <Button type="submit" disabled={!isGood}>
          {t(($) => $.settings.save)}
        </Button>
      )}
    </form>
  )
}
