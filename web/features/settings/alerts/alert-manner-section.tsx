// Sound, texts and quiet hours of a person's alerts.
import { useId } from 'react'
import type { AlertSettings, QuietHours } from '#shared/organizations/alerts.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** What is proposed when quiet hours are switched on. */
const NIGHT: QuietHours = { from: 22, to: 8 }
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` }))

type Props = { settings: AlertSettings; onChange: (patch: Partial<AlertSettings>) => void }

/** Three switches and, while they are on, the quiet hours. */
export function AlertMannerSection({ settings, onChange }: Props) {
  const { t } = useTranslation('settings')
  const { quietHours, timeZone } = settings
  return (
    <CardSection title={t(($) => $.alerts.how)} description={t(($) => $.alerts.howDescription)}>
      <div className="flex flex-col gap-4">
        <Row
          label={t(($) => $.alerts.sound)}
          hint={t(($) => $.alerts.soundHint)}
          isOn={settings.hasSound}
          onChange={(hasSound) => onChange({ hasSound })}
        />
        <Row
          label={t(($) => $.alerts.previews)}
          hint={t(($) => $.alerts.previewsHint)}
          isOn={settings.hasPreviews}
          onChange={(hasPreviews) => onChange({ hasPreviews })}
        />
        <Row
          label={t(($) => $.alerts.quiet)}
          hint={t(($) => $.alerts.quietHint, { timeZone })}
          isOn={quietHours !== null}
          onChange={(isOn) => onChange({ quietHours: isOn ? NIGHT : null })}
        />
        {quietHours && (
          <div className="grid max-w-sm grid-cols-2 gap-4">
            {(['from', 'to'] as const).map((edge) => (
              <Field key={edge} label={t(($) => $.alerts.edges[edge])}>
                <Select
                  value={String(quietHours[edge])}
                  onValueChange={(hour) => onChange({ quietHours: { ...quietHours, [edge]: Number(hour) } })}
                  options={HOURS}
                />
              </Field>
            ))}
          </div>
        )}
      </div>
    </CardSection>
  )
}

type RowProps = { label: string; hint: string; isOn: boolean; onChange: (isOn: boolean) => void }

function Row({ label, hint, isOn, onChange }: RowProps) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="max-w-md text-[0.8125rem] text-muted-foreground">
          {hint}
        </p>
      </div>
      <Switch id={id} aria-describedby={`${id}-hint`} checked={isOn} onCheckedChange={onChange} />
    </div>
  )
}
