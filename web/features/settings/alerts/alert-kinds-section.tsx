// Which kinds of alerts come on which ways.
import { useId } from 'react'
import {
  ALERT_KINDS,
  ALERT_WAYS,
  type AlertKind,
  type AlertSettings,
  type AlertWay,
} from '#shared/organizations/alerts.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type Props = { settings: AlertSettings; onChange: (patch: Partial<AlertSettings>) => void }

/** A group of switches for each kind. */
export function AlertKindsSection({ settings, onChange }: Props) {
  const { t } = useTranslation('settings')
  return (
    <CardSection title={t(($) => $.alerts.what)} description={t(($) => $.alerts.whatDescription)}>
      <div className="flex flex-col divide-y divide-border">
        {ALERT_KINDS.map((kind) => (
          <KindRow
            key={kind}
            kind={kind}
            ways={settings.ways[kind]}
            onChange={(ways) => onChange({ ways: { ...settings.ways, [kind]: ways } })}
          />
        ))}
      </div>
    </CardSection>
  )
}

type RowProps = { kind: AlertKind; ways: AlertWay[]; onChange: (ways: AlertWay[]) => void }

function KindRow({ kind, ways, onChange }: RowProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  return (
    <fieldset
      aria-labelledby={`${id}-kind`}
      className="flex flex-col gap-3 py-3 first:pt-0 last:pb-0 sm:flex-row sm:items-center sm:justify-between sm:gap-6"
    >
      <span id={`${id}-kind`} className="min-w-0 font-medium">
        {t(($) => $.alerts.kinds[kind])}
      </span>
      <span className="grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:shrink-0">
        {ALERT_WAYS.map((way) => (
          <span key={way} className="flex items-center gap-2">
            <Switch
              id={`${id}-${way}`}
              checked={ways.includes(way)}
              onCheckedChange={(isOn) =>
                onChange(ALERT_WAYS.filter((each) => (each === way ? isOn : ways.includes(each))))
              }
            />
            <label htmlFor={`${id}-${way}`}>{t(($) => $.alerts.ways[way])}</label>
          </span>
        ))}
      </span>
    </fieldset>
  )
}
