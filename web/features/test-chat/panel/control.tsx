// One control of the panel: marked when it differs from the agent, with the way back.
import { RotateCcw } from 'lucide-react'
import { type ReactElement, type ReactNode, useId } from 'react'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Label } from '#web/components/ui/label.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { ControlKey } from '../controls.rules.ts'
import type { VariantControls } from '../use-controls.ts'

type ControlProps = {
  state: VariantControls
  name: ControlKey
  label: string
  hint?: ReactNode
}

/** A labelled control; `children` is the control itself. */
export function Control({ children, ...props }: ControlProps & { children: ReactElement }) {
  return (
    <div className="flex flex-col gap-1">
      <Field label={props.label} hint={props.hint}>
        {children}
      </Field>
      <Changed {...props} />
    </div>
  )
}

type SwitchControlProps = ControlProps & { isOn: boolean; isDisabled?: boolean; onChange: (isOn: boolean) => void }

/** A switch at the end of its line. */
export function SwitchControl({ isOn, isDisabled = false, onChange, ...props }: SwitchControlProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Label htmlFor={id}>{props.label}</Label>
          {props.hint && (
            <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground leading-5">
              {props.hint}
            </p>
          )}
        </div>
        <Switch
          id={id}
          checked={isOn}
          disabled={isDisabled}
          onCheckedChange={onChange}
          aria-describedby={props.hint ? `${id}-hint` : undefined}
        />
      </div>
      <Changed {...props} />
    </div>
  )
}

/** The mark, and the button that sets the control back. */
export function Changed({ state, name, label }: ControlProps) {
  const { t } = useTranslation('test-chat')
  if (state.controls[name] === undefined) return null
  return (
    <div className="flex items-center gap-2">
      <Badge tone="primary">{t(($) => $.panel.changed)}</Badge>
      <Button
        variant="link"
        size="sm"
        aria-label={t(($) => $.panel.resetOne, { name: label })}
        onClick={() => state.set(name, undefined)}
      >
        <RotateCcw aria-hidden="true" />
        {t(($) => $.panel.reset)}
      </Button>
    </div>
  )
}
