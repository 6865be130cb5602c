// The imagined situation: rules, channel, moment, customer, memory.
import type { Agent } from '#shared/agents/agents.ts'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import type { VariantControls } from '../use-controls.ts'
import { ChannelControl } from './channel-control.tsx'
import { Control, SwitchControl } from './control.tsx'
import { LimitedNumber } from './limited-number.tsx'
import { localMoment, momentFrom } from './local-moment.ts'

/** Stands in a list for "as it is". */
const PLAIN = 'plain'
const LANGUAGES = ['ru', 'en', 'kk', 'uz', 'uk', 'de', 'es', 'fr', 'tr', 'zh'] as const

/** All of it holds for the next messages only. */
export function RuntimeGroup({ agent, state }: { agent: Agent; state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const { timeZone } = useOrganization()
  const { controls, set } = state
  return (
    <>
      <SwitchControl
        state={state}
        name="applyRules"
        label={t(($) => $.runtime.applyRules)}
        hint={t(($) => $.runtime.applyRulesHint)}
        isOn={controls.applyRules ?? false}
        onChange={(isOn) => set('applyRules', isOn)}
      />
      <ChannelControl state={state} />
      <SwitchControl
        state={state}
        name="byParagraphs"
        label={t(($) => $.runtime.byParagraphs)}
        isOn={controls.byParagraphs ?? agent.replies.splitByParagraphs}
        onChange={(isOn) => set('byParagraphs', isOn)}
      />
      <Control state={state} name="at" label={t(($) => $.runtime.at)} hint={t(($) => $.runtime.atHint, { timeZone })}>
        <Input
          type="datetime-local"
          value={controls.at === undefined ? '' : localMoment(controls.at, timeZone)}
          onChange={(event) => set('at', momentFrom(event.target.value, timeZone))}
        />
      </Control>
      <CustomerControls state={state} />
      <MemoryControls agent={agent} state={state} />
    </>
  )
}

function CustomerControls({ state }: { state: VariantControls }) {
  const { t, i18n } = useTranslation('test-chat')
  const { controls, set } = state
  const names = new Intl.DisplayNames(i18n.language, { type: 'language' })
  return (
    <>
      <Control state={state} name="name" label={t(($) => $.runtime.name)}>
        <Input
          value={controls.name ?? ''}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => set('name', event.target.value || undefined)}
        />
      </Control>
      <Control state={state} name="language" label={t(($) => $.runtime.language)}>
        <Select
          value={controls.language ?? PLAIN}
          onValueChange={(next) => set('language', next === PLAIN ? undefined : next)}
          options={[
            { value: PLAIN, label: t(($) => $.runtime.noLanguage) },
            ...LANGUAGES.map((language) => ({ value: language, label: names.of(language) ?? language })),
          ]}
        />
      </Control>
    </>
  )
}

function MemoryControls({ agent, state }: { agent: Agent; state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const { controls, set } = state
  return (
    <>
      <Control state={state} name="maxMessages" label={t(($) => $.runtime.maxMessages)}>
        <LimitedNumber
          value={controls.maxMessages ?? agent.context.maxMessages}
          min={1}
          max={500}
          isWhole
          onValueChange={(next) => set('maxMessages', next)}
        />
      </Control>
      <Control state={state} name="maxTokens" label={t(($) => $.runtime.maxTokens)}>
        <LimitedNumber
          value={controls.maxTokens ?? agent.context.maxTokens}
          min={500}
          max={200_000}
          isWhole
          onValueChange={(next) => set('maxTokens', next)}
        />
      </Control>
    </>
  )
}
