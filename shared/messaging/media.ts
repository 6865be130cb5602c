// What may be chosen for recordings, pictures and spoken answers, and what of it works on this installation.
import type { SPEECH_PROVIDERS, SPEECH_QUALITIES, VISION_PROVIDERS } from '#shared/agents/agent-settings.ts'

/** The model behind a quality. */
export type ListeningModel = {
  model: string
  /** Null: not known for certain. */
  usdPerMinute: number | null
}

/** `isConfigured`: this installation has a key, or a server that needs none. Keys of agents are not considered. */
export type MediaProviders = {
  voice: {
    provider: (typeof SPEECH_PROVIDERS)[number]
    isConfigured: boolean
    qualities: Record<(typeof SPEECH_QUALITIES)[number], ListeningModel>
  }[]
  images: { provider: (typeof VISION_PROVIDERS)[number]; isConfigured: boolean; model: string }[]
  speech: { provider: 'openai'; isConfigured: boolean; model: string }
  /** What goes to OpenAI goes to a server of the installation's own instead, and so do keys of OpenAI. */
  hasOwnOpenAi: boolean
}
