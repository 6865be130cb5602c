// Settings: when an operator takes over, and when the agent resumes.
import { useFormContext, useWatch } from 'react-hook-form'
import { formatSpan } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { AutoResumeField } from '../fields/auto-resume-field.tsx'
import { ChipsField } from '../fields/chips-field.tsx'
import { SwitchField } from '../fields/switch-field.tsx'
import { TextField } from '../fields/text-field.tsx'
import { FoldedSection } from '../section.tsx'

/** Number of phrases in the summary. */
const SHOWN_PHRASES = 3

/** Phrases of both parties, the agent's own judgement, the message to the customer, and the return to the agent. */
export function HandoffSection() {
  const { t } = useTranslation('agents')
  const { control } = useFormContext<AgentForm>()
  const { customer, byAgent, autoResumeMs } = useWatch({ control, name: 'handoff' })
  const phrases = customer.stop.slice(0, SHOWN_PHRASES).map((phrase) => t(($) => $.handoff.phrase, { phrase }))
  const summary = [
    phrases.length > 0 && t(($) => $.handoff.onPhrases, { phrases: phrases.join(', ') }),
    byAgent && t(($) => $.handoff.byAgentShort),
    autoResumeMs === null
      ? t(($) => $.handoff.byHandShort)
      : t(($) => $.handoff.resumesAfter, { span: formatSpan(autoResumeMs) }),
  ].filter((part) => part !== false)
  return (
    <FoldedSection id="handoff" summary={summary.join(' · ')} isSet>
      <PhraseLists party="customer" />
      <PhraseLists party="operator" />
      <SwitchField name="handoff.byAgent" label={t(($) => $.handoff.byAgent)} hint={t(($) => $.handoff.byAgentHint)} />
      <TextField
        name="handoff.text"
        label={t(($) => $.handoff.text)}
        hint={t(($) => $.handoff.textHint)}
        placeholder={t(($) => $.handoff.textPlaceholder)}
      />
      <AutoResumeField />
    </FoldedSection>
  )
}

function PhraseLists({ party }: { party: 'customer' | 'operator' }) {
  const { t } = useTranslation('agents')
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="font-medium">{t(($) => $.handoff.parties[party])}</legend>
      <p className="text-[0.8125rem] text-muted-foreground leading-5">{t(($) => $.handoff.partyHints[party])}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <ChipsField
          name={`handoff.${party}.stop`}
          label={t(($) => $.handoff.stop[party])}
          placeholder={t(($) => $.handoff.addPhrase)}
        />
        <ChipsField
          name={`handoff.${party}.resume`}
          label={t(($) => $.handoff.resume[party])}
          placeholder={t(($) => $.handoff.addPhrase)}
        />
      </div>
    </fieldset>
  )
}
