// Settings: what the agent understands besides text, and whether it answers by voice.
import type { ReactNode } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import { IMAGE_MODES, VOICES } from '#shared/agents/agent-settings.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SelectField } from '../fields/select-field.tsx'
import { SwitchField } from '../fields/switch-field.tsx'
import { FoldedSection } from '../section.tsx'
import { ListeningChoices, LookingProvider, MissingKeyNote } from './media-choices.tsx'

const ABILITIES = ['voice', 'images', 'documents', 'speech'] as const

/** A switch for each kind with its approximate price; the choices of a kind show while it is on. */
export function MultimodalSection({ keys }: { keys: AgentKey[] }) {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const multimodal = useWatch({ control, name: 'multimodal' })
  const on = ABILITIES.filter((ability) => multimodal[ability].isOn)
  const summary = on.map((ability) => t(($) => $.multimodal.short[ability])).join(', ')
  return (
    <FoldedSection id="multimodal" summary={summary || t(($) => $.multimodal.off)} isSet={on.length > 0}>
      <Ability name="voice" isOn={multimodal.voice.isOn}>
        <ListeningChoices keys={keys} />
      </Ability>
      <Ability name="images" isOn={multimodal.images.isOn}>
        <LookingProvider keys={keys} />
        <SelectField
          name="multimodal.images.mode"
          label={t(($) => $.multimodal.mode)}
          options={IMAGE_MODES.map((value) => ({
            value,
            label: t(($) => $.multimodal.modes[value]),
            hint: t(($) => $.multimodal.modeHints[value]),
          }))}
        />
        <MissingKeyNote of="images" keys={keys} />
      </Ability>
      <Ability name="documents" isOn={multimodal.documents.isOn} />
      <Ability name="speech" isOn={multimodal.speech.isOn}>
        <SelectField
          name="multimodal.speech.voice"
          label={t(($) => $.multimodal.voice)}
          options={VOICES.map((value) => ({ value, label: t(($) => $.multimodal.voices[value]) }))}
        />
        <MissingKeyNote of="speech" keys={keys} />
      </Ability>
    </FoldedSection>
  )
}

type AbilityProps = { name: (typeof ABILITIES)[number]; isOn: boolean; children?: ReactNode }

function Ability({ name, isOn, children }: AbilityProps) {
  const { t } = useTranslation('agents')
  // Each quality of recognition names its own price once it can be chosen.
  const isPricedBelow = name === 'voice' && isOn
  const hint = t(($) => $.multimodal.hints[name])
  return (
    <div className="flex flex-col gap-4 border-border not-first:border-t not-first:pt-5">
      <SwitchField
        name={`multimodal.${name}.isOn`}
        label={t(($) => $.multimodal.labels[name])}
        hint={isPricedBelow ? hint : `${hint} ${t(($) => $.multimodal.prices[name])}`}
      />
      {isOn && children && <div className="grid gap-4 sm:grid-cols-3">{children}</div>}
    </div>
  )
}
