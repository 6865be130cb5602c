// Settings: who listens, who looks and who speaks, with what each choice leads to and what it lacks.
import { useWatch } from 'react-hook-form'
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import {
  SPEECH_LANGUAGES,
  SPEECH_PROVIDERS,
  SPEECH_QUALITIES,
  VISION_PROVIDERS,
} from '#shared/agents/agent-settings.ts'
import type { MediaProviders } from '#shared/messaging/media.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import type { SelectOption } from '#web/components/ui/select.tsx'
import { formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SelectField } from '../fields/select-field.tsx'
import { providerName } from './provider-names.ts'
import { lacksKey, useMediaProviders } from './use-media-providers.ts'

type Quality = (typeof SPEECH_QUALITIES)[number]
type Listener = MediaProviders['voice'][number]
type ChoicesProps = { keys: AgentKey[] }

/** Provider, language and quality; a quality that changes nothing says so. */
export function ListeningChoices({ keys }: ChoicesProps) {
  const { t } = useTranslation('agents')
  const voice = useWatch<AgentForm, 'multimodal.voice'>({ name: 'multimodal.voice' })
  const listed = useMediaProviders()?.voice
  const chosen = listed?.find(({ provider }) => provider === voice.provider)
  const qualityHint = useQualityHint(chosen)
  return (
    <>
      <SelectField
        name="multimodal.voice.provider"
        label={t(($) => $.multimodal.provider)}
        options={useProviderOptions(SPEECH_PROVIDERS, listed, keys)}
      />
      <SelectField
        name="multimodal.voice.language"
        label={t(($) => $.multimodal.language)}
        options={SPEECH_LANGUAGES.map((value) => ({ value, label: t(($) => $.multimodal.languages[value]) }))}
      />
      <SelectField
        name="multimodal.voice.quality"
        label={t(($) => $.multimodal.quality)}
        hint={qualityHint(voice.quality) ?? ''}
        options={SPEECH_QUALITIES.map((value) => ({
          value,
          label: t(($) => $.multimodal.qualities[value]),
          hint: qualityHint(value),
        }))}
      />
      {lacksKey(chosen, keys) && <KeyMissing provider={voice.provider} />}
    </>
  )
}

/** Who looks at pictures; stands before what is to be taken from them. */
export function LookingProvider({ keys }: ChoicesProps) {
  const { t } = useTranslation('agents')
  const listed = useMediaProviders()?.images
  return (
    <SelectField
      name="multimodal.images.provider"
      label={t(($) => $.multimodal.provider)}
      options={useProviderOptions(VISION_PROVIDERS, listed, keys)}
    />
  )
}

/** A word that what is chosen for pictures or for speaking has no key. */
export function MissingKeyNote({ of, keys }: ChoicesProps & { of: 'images' | 'speech' }) {
  const chosen = useWatch<AgentForm, 'multimodal.images.provider'>({ name: 'multimodal.images.provider' })
  const providers = useMediaProviders()
  const listed = of === 'speech' ? providers?.speech : providers?.images.find(({ provider }) => provider === chosen)
  return listed && lacksKey(listed, keys) ? <KeyMissing provider={listed.provider} /> : null
}

function KeyMissing({ provider }: { provider: string }) {
  const { t } = useTranslation('agents')
  return (
    <Alert tone="warning" className="sm:col-span-full">
      {t(($) => $.multimodal.noKeyHelp, { provider: providerName(provider) })}
    </Alert>
  )
}

type Listed = readonly { provider: string; isConfigured: boolean }[]

/** Those without a key are marked and may be chosen all the same: the key may come later. */
function useProviderOptions(
  providers: readonly string[],
  listed: Listed | undefined,
  keys: readonly AgentKey[],
): SelectOption[] {
  const { t } = useTranslation('agents')
  return providers.map((value) => ({
    value,
    label: providerName(value),
    hint: lacksKey(
      listed?.find(({ provider }) => provider === value),
      keys,
    )
      ? t(($) => $.model.notConfigured)
      : undefined,
  }))
}

/** What a quality leads to with a provider: its model with its price, or which lower quality is the same. */
function useQualityHint(listener: Listener | undefined): (quality: Quality) => string | undefined {
  const { t } = useTranslation('agents')
  return (quality) => {
    if (!listener) return undefined
    const { model, usdPerMinute } = listener.qualities[quality]
    const lower = SPEECH_QUALITIES.slice(0, SPEECH_QUALITIES.indexOf(quality))
    const same = lower.find((each) => listener.qualities[each].model === model)
    if (same) return t(($) => $.multimodal.qualitySame, { quality: t(($) => $.multimodal.qualities[same]), model })
    if (usdPerMinute === null) return t(($) => $.multimodal.qualityUnpriced, { model })
    return t(($) => $.multimodal.qualityModel, { model, price: formatUsd(usdPerMinute) })
  }
}
