// Which providers of media can be asked on this installation, and by which of their models: the same that a call finds out.
import type { Config } from '#server/config.ts'
import { SPEECH_PROVIDERS, type SPEECH_QUALITIES, VISION_PROVIDERS } from '#shared/agents/agent-settings.ts'
import type { ListeningModel, MediaProviders } from '#shared/messaging/media.ts'
import { hasAccess } from './call.ts'
import type { VisionConfig } from './describe.ts'
import { SPEAKING_MODEL, SPEECH_MODELS, type SpeechModel, type SpeechProvider, VISION_MODELS } from './models.ts'
import type { SpeechConfig } from './transcribe.ts'

type Provider = keyof (SpeechConfig & VisionConfig)

/** Providers in the order of the settings. */
export function listMediaProviders(config: SpeechConfig & VisionConfig & Pick<Config, 'openai'>): MediaProviders {
  const isConfigured = (provider: Provider) => hasAccess(config[provider], { mayLackKey: provider === 'openai' })
  const { baseUrl } = config.openai
  return {
    voice: SPEECH_PROVIDERS.map((provider) => ({
      provider,
      isConfigured: isConfigured(provider),
      qualities: qualitiesOf(provider),
    })),
    images: VISION_PROVIDERS.map((provider) => ({
      provider,
      isConfigured: isConfigured(provider),
      model: VISION_MODELS[provider],
    })),
    speech: { provider: 'openai', isConfigured: isConfigured('openai'), model: SPEAKING_MODEL.id },
    hasOwnOpenAi: baseUrl !== undefined && new URL(baseUrl).hostname !== 'api.openai.com',
  }
}

function qualitiesOf(provider: SpeechProvider): Record<(typeof SPEECH_QUALITIES)[number], ListeningModel> {
  const { standard, high, premium } = SPEECH_MODELS[provider]
  return { standard: describe(standard), high: describe(high), premium: describe(premium) }
}

function describe({ id, microUsdPerHour }: SpeechModel): ListeningModel {
  return { model: id, usdPerMinute: microUsdPerHour === null ? null : microUsdPerHour / 60 / 1e6 }
}
