// What can be set of an instance: the pause between messages, and what customers see of it.
import { useId, useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { type WhatsappSettings, whatsappSettings } from '#shared/channels/whatsapp.ts'
import { WHATSAPP_DELAY_MAX_MS, WHATSAPP_DELAY_MIN_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { useSetup } from './use-setup.ts'

const SWITCHES = ['marksRead', 'marksReadOnReply', 'keepsOnline'] as const

/** Read from GREEN-API when the page opens: they can be changed in its console too. */
export function WhatsappSettingsSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { setup, failure, reload } = useSetup(connection._id)
  return (
    <CardSection title={t(($) => $.whatsappSettings.title)} description={t(($) => $.whatsappSettings.body)}>
      {failure && (
        <Alert
          tone="destructive"
          action={
            <Button size="sm" onClick={reload}>
              {t(($) => $.whatsappSettings.reload)}
            </Button>
          }
        >
          {failure}
        </Alert>
      )}
      {!failure && !setup && (
        <Delayed>
          <Skeleton className="h-48 rounded-lg" />
        </Delayed>
      )}
      {setup && <SettingsForm connectionId={connection._id} saved={setup.settings} onSaved={reload} />}
    </CardSection>
  )
}

type SettingsFormProps = {
  connectionId: ChannelConnection['_id']
  saved: WhatsappSettings
  onSaved: () => void
}

function SettingsForm({ connectionId, saved, onSaved }: SettingsFormProps) {
  const { t } = useTranslation('channels')
  const configure = useAction(api.channels.whatsapp.configure)
  const [delayMs, setDelayMs] = useState<number | null>(saved.delayMs)
  const [switches, setSwitches] = useState<Omit<WhatsappSettings, 'delayMs'>>(saved)
  const [isBusy, setBusy] = useState(false)
  const { marksRead, marksReadOnReply, keepsOnline } = switches
  const parsed = whatsappSettings.safeParse({ delayMs, marksRead, marksReadOnReply, keepsOnline })
  const isChanged = delayMs !== saved.delayMs || SWITCHES.some((name) => switches[name] !== saved[name])

  async function save() {
    if (!parsed.success) return
    setBusy(true)
    try {
      await configure({ connectionId, settings: parsed.data })
      toast.success(t(($) => $.whatsappSettings.saved))
      onSaved()
    } catch {
      setBusy(false) // the toast shows the error
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field
        label={t(($) => $.whatsappSettings.delay)}
        hint={t(($) => $.whatsappSettings.delayHint)}
        error={
          parsed.success
            ? undefined
            : t(($) => $.whatsappSettings.delayRange, { min: WHATSAPP_DELAY_MIN_MS, max: WHATSAPP_DELAY_MAX_MS })
        }
        isRequired
      >
        <NumberInput value={delayMs} onValueChange={setDelayMs} unit={t(($) => $.whatsappSettings.ms)} />
      </Field>
      {SWITCHES.map((name) => (
        <SettingSwitch
          key={name}
          name={name}
          isOn={switches[name]}
          onChange={(isOn) => setSwitches((before) => ({ ...before, [name]: isOn }))}
        />
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={isBusy} disabled={!isChanged || !parsed.success}>
          {t(($) => $.whatsappSettings.save)}
        </Button>
        <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.whatsappSettings.restarts)}</p>
      </div>
    </form>
  )
}

type SettingSwitchProps = { name: (typeof SWITCHES)[number]; isOn: boolean; onChange: (isOn: boolean) => void }

function SettingSwitch({ name, isOn, onChange }: SettingSwitchProps) {
  const { t } = useTranslation('channels')
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {t(($) => $.whatsappSettings[name])}
        </label>
        <p id={`${id}-hint`} className="max-w-prose text-[0.8125rem] text-muted-foreground leading-5">
          {t(($) => $.whatsappSettings.hints[name])}
        </p>
      </div>
      <Switch id={id} checked={isOn} onCheckedChange={onChange} aria-describedby={`${id}-hint`} />
    </div>
  )
}
