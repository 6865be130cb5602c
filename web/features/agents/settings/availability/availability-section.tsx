// Settings: the hours in which the agent answers, and what happens outside of them.
import { useId } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { isNever, PRESETS } from '#web/components/week/hours.rules.ts'
import { useHoursText } from '#web/components/week/use-hours-text.ts'
import { WeekGrid } from '#web/components/week/week-grid.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SwitchField } from '../fields/switch-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { FoldedSection } from '../section.tsx'

const OUTSIDE = ['silent', 'text', 'handoff'] as const
const PRESET_NAMES = ['work', 'evenings', 'always'] as const

/** A switch; while it is on the grid, its presets and the rule for other hours. */
export function AvailabilitySection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { isLimited, hours, outside } = useWatch({ control, name: 'availability' })
  const hoursText = useHoursText()
  return (
    <FoldedSection
      id="availability"
      summary={isLimited ? hoursText(hours) : t(($) => $.availability.always)}
      isSet={isLimited}
    >
      <SwitchField
        name="availability.isLimited"
        label={t(($) => $.availability.isLimited)}
        hint={t(($) => $.availability.isLimitedHint)}
      />
      {isLimited && (
        <>
          <HoursField />
          {isNever(hours) && <Alert tone="warning">{t(($) => $.availability.never)}</Alert>}
          <div className="flex flex-col gap-2">
            <p className="font-medium">{t(($) => $.availability.outside)}</p>
            <Controller
              name="availability.outside"
              control={control}
              render={({ field }) => (
                <RadioGroup
                  label={t(($) => $.availability.outside)}
                  value={field.value}
                  onValueChange={field.onChange}
                  options={OUTSIDE.map((value) => ({
                    value,
                    label: t(($) => $.availability.outsides[value]),
                    hint: t(($) => $.availability.outsideHints[value]),
                  }))}
                />
              )}
            />
          </div>
          {outside !== 'silent' && (
            <TextField
              name="availability.text"
              label={t(($) => $.availability.text)}
              hint={t(($) => $.availability.textHints[outside])}
              placeholder={t(($) => $.availability.textPlaceholder)}
            />
          )}
        </>
      )}
    </FoldedSection>
  )
}

function HoursField() {
  const { t } = useTranslation('agents')
  const id = useId()
  const { control } = useFormContext<AgentForm>()
  return (
    <Controller
      name="availability.hours"
      control={control}
      render={({ field: { value, onChange } }) => (
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center gap-2">
            {PRESET_NAMES.map((preset) => (
              <Button key={preset} size="sm" onClick={() => onChange(PRESETS[preset])}>
                {t(($) => $.availability.presets[preset])}
              </Button>
            ))}
          </div>
          <WeekGrid label={t(($) => $.availability.grid)} describedBy={id} value={value} onChange={onChange} />
          <TimeZone />
          <p id={id} className="text-[0.8125rem] text-muted-foreground leading-5">
            {t(($) => $.availability.help)}
          </p>
        </div>
      )}
    />
  )
}

function TimeZone() {
  const { t } = useTranslation('agents')
  const { timeZone } = useOrganization()
  return (
    <p className="text-[0.8125rem] text-muted-foreground leading-5">
      {t(($) => $.availability.timeZone, { timeZone })}{' '}
      <Link to={paths.organization} className="text-primary underline underline-offset-4">
        {t(($) => $.availability.changeTimeZone)}
      </Link>
    </p>
  )
}
