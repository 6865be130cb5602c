// The colour of a widget: its own, or that of the organization.
import { useId } from 'react'
import { WIDGET_COLOR, type WidgetSettings } from '#shared/channels/webchat.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useBrand } from '#web/lib/browser/brand.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** The colour that visitors see: the widget's own, that of the brand, or the program's. */
export function useWidgetColor(own: string): string {
  const { accent } = useBrand()
  return own || accent.light || WIDGET_COLOR
}

type WidgetColorProps = { color: string; onChange: (color: WidgetSettings['color']) => void }

/** Empty: that of the organization, which is followed from then on. */
export function WidgetColor({ color, onChange }: WidgetColorProps) {
  const { t } = useTranslation('channels')
  const id = useId()
  const shown = useWidgetColor(color)
  return (
    <div className="flex flex-col gap-4">
      <label htmlFor={id} className="flex items-start justify-between gap-4">
        <span>
          <span className="block font-medium">{t(($) => $.webchat.brandColor)}</span>
          <span className="block text-[0.8125rem] text-muted-foreground">{t(($) => $.webchat.brandColorHint)}</span>
        </span>
        <Switch
          id={id}
          aria-label={t(($) => $.webchat.brandColor)}
          checked={color === ''}
          onCheckedChange={(isBrand) => onChange(isBrand ? '' : shown)}
        />
      </label>
      {color !== '' && (
        <Field label={t(($) => $.webchat.color)}>
          <Input
            type="color"
            className="h-11 w-20 p-1"
            value={color}
            onChange={({ target }) => onChange(target.value)}
          />
        </Field>
      )}
    </div>
  )
}
