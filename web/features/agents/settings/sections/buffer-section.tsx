// Settings: waiting until a customer has finished writing.
import { useFormContext, useWatch } from 'react-hook-form'
import { MESSAGE_BUFFER_MAX_SECONDS } from '#shared/limits.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { NumberField } from '../fields/number-field.tsx'
import { FoldedSection } from '../section.tsx'

/** Seconds; zero answers every message at once. */
export function BufferSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const seconds = useWatch({ control, name: 'buffer.seconds' })
  return (
    <FoldedSection
      id="buffer"
      summary={seconds > 0 ? t(($) => $.buffer.on, { value: formatNumber(seconds) }) : t(($) => $.buffer.off)}
      isSet={seconds > 0}
    >
      <NumberField
        name="buffer.seconds"
        label={t(($) => $.buffer.seconds)}
        hint={t(($) => $.buffer.hint, { max: MESSAGE_BUFFER_MAX_SECONDS })}
        unit={t(($) => $.units.seconds)}
        className="max-w-sm"
      />
    </FoldedSection>
  )
}
