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

/** A table of switches: a row for each kind, a column for each way. On phones each row is a card, in which every switch names its way. */
export function AlertKindsSection({ settings, onChange }: Props) {
  const { t } = useTranslation('settings')
  return (
    <CardSection title={t(($) => $.alerts.what)} description={t(($) => $.alerts.whatDescription)}>
      <table className="w-full max-sm:block">
        <thead className="text-[0.8125rem] text-muted-foreground max-sm:hidden">
          <tr>
            <td />
            {ALERT_WAYS.map((way) => (
              <th key={way} scope="col" className="px-2 pb-2 text-center font-medium">
                {t(($) => $.alerts.ways[way])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border max-sm:block">
          {ALERT_KINDS.map((kind) => (
            <KindRow
              key={kind}
              kind={kind}
              ways={settings.ways[kind]}
              onChange={(ways) => onChange({ ways: { ...settings.ways, [kind]: ways } })}
            />
          ))}
        </tbody>
      </table>
    </CardSection>
  )
}

type RowProps = { kind: AlertKind; ways: AlertWay[]; onChange: (ways: AlertWay[]) => void }

function KindRow({ kind, ways, onChange }: RowProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  return (
    <tr className="max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-6 max-sm:gap-y-3 max-sm:py-4 max-sm:first:pt-0 max-sm:last:pb-0">
      <th scope="row" className="py-3 pe-4 text-start font-normal max-sm:col-span-2 max-sm:p-0">
        <span id={`${id}-kind`} className="font-medium">
          {t(($) => $.alerts.kinds[kind])}
        </span>
        {isExplained(kind) && (
          <span id={`${id}-hint`} className="block max-w-md text-[0.8125rem] text-muted-foreground">
            {t(($) => $.alerts.kindHints[kind])}
          </span>
        )}
      </th>
      {ALERT_WAYS.map((way) => (
        <td key={way} className="px-2 py-3 text-center max-sm:p-0 max-sm:text-start">
          <span className="inline-flex items-center gap-2">
            <Switch
              id={`${id}-switch-${way}`}
              aria-labelledby={`${id}-${way} ${id}-kind`}
              aria-describedby={isExplained(kind) ? `${id}-hint` : undefined}
              checked={ways.includes(way)}
              onCheckedChange={(isOn) =>
                onChange(ALERT_WAYS.filter((each) => (each === way ? isOn : ways.includes(each))))
              }
            />
            <label id={`${id}-${way}`} htmlFor={`${id}-switch-${way}`} className="sm:hidden">
              {t(($) => $.alerts.ways[way])}
            </label>
          </span>
        </td>
      ))}
    </tr>
  )
}

/** Whether the name of the kind leaves open what it is about. */
function isExplained(kind: AlertKind): kind is 'billing' | 'agent' | 'product' | 'summary' {
  return kind === 'billing' || kind === 'agent' || kind === 'product' || kind === 'summary'
}
