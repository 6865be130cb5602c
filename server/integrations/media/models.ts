// The one table of media models: which serves which setting, and what it costs. Models that read pictures are priced in
// server/integrations/llm/registry.ts like all models of their kind.
import { costMicroUsd as costOfTokens, findModel } from '#server/integrations/llm/registry.ts'
import type {
  IMAGE_MODES,
  SPEECH_PROVIDERS,
  SPEECH_QUALITIES,
  VISION_PROVIDERS,
} from '#shared/agents/agent-settings.ts'
import type { MediaCall } from './media.ts'

export type SpeechProvider = (typeof SPEECH_PROVIDERS)[number]
export type VisionProvider = (typeof VISION_PROVIDERS)[number]
export type ImageMode = (typeof IMAGE_MODES)[number]
type Quality = (typeof SPEECH_QUALITIES)[number]
type Cost = Pick<MediaCall, 'costMicroUsd' | 'priceVersion' | 'isApproximate'>

/** A model that listens. `microUsdPerHour` null: not known for certain. */
export type SpeechModel = { id: string; microUsdPerHour: number | null; leastSeconds?: number }

/** Changes whenever a price here does; stored with every cost. */
const PRICE_VERSION = 'media-2026-11-01'
/** Of costs that are only what such a thing usually costs. */
const APPROXIMATE_VERSION = 'media-approximate-1'
/** What such a thing usually costs: 0.006 dollars a minute, 0.01 an image. */
const USUAL = { microUsdPerHour: 360_000, microUsdPerImage: 10_000 }

const gpt4oMini: SpeechModel = { id: 'gpt-4o-mini-transcribe', microUsdPerHour: 180_000 }
const gpt4o: SpeechModel = { id: 'gpt-4o-transcribe', microUsdPerHour: 360_000 }
/** Groq charges ten seconds at least. */
const whisperTurbo: SpeechModel = { id: 'whisper-large-v3-turbo', microUsdPerHour: 40_000, leastSeconds: 10 }
const whisper: SpeechModel = { id: 'whisper-large-v3', microUsdPerHour: 111_000, leastSeconds: 10 }
const nova2: SpeechModel = { id: 'nova-2', microUsdPerHour: 258_000 }
const nova3: SpeechModel = { id: 'nova-3', microUsdPerHour: 258_000 }
const scribe: SpeechModel = { id: 'scribe_v2', microUsdPerHour: null }

/** Where a provider has fewer models than there are qualities, the best one serves the higher ones. */
export const SPEECH_MODELS: Record<SpeechProvider, Record<Quality, SpeechModel>> = {
  openai: { standard: gpt4oMini, high: gpt4o, premium: gpt4o },
  groq: { standard: whisperTurbo, high: whisper, premium: whisper },
  deepgram: { standard: nova2, high: nova3, premium: nova3 },
  elevenlabs: { standard: scribe, high: scribe, premium: scribe },
}

/** As each provider calls it. */
export const VISION_MODELS: Record<VisionProvider, string> = {
  openai: 'gpt-4.1-mini',
  anthropic: 'claude-haiku-4-5',
  google: 'gemini-2.5-flash',
}

/** Speaks in all six voices. */
export const SPEAKING_MODEL = { provider: 'openai', id: 'tts-1', microUsdPerThousandCharacters: 15_000 }

/** @param seconds of the recording; null: unknown, counted as a minute */
export function costOfListening(model: SpeechModel, seconds: number | null): Cost {
  const charged = Math.max(seconds ?? 60, model.leastSeconds ?? 0)
  const perHour = model.microUsdPerHour ?? USUAL.microUsdPerHour
  const isApproximate = model.microUsdPerHour === null || seconds === null
  return cost((perHour * charged) / 3600, isApproximate)
}

/** By the tokens that the provider counted; where it did not count, what a picture usually costs. */
export function costOfLooking(provider: VisionProvider, tokens: { input: number; output: number } | null): Cost {
  const price = findModel(`${provider}/${VISION_MODELS[provider]}`)?.price ?? null
  const exact = tokens && costOfTokens(price, { ...tokens, cachedInput: 0 })
  return exact === null ? cost(USUAL.microUsdPerImage, true) : cost(exact, false)
}

export function costOfSpeaking(characters: number): Cost {
  return cost((SPEAKING_MODEL.microUsdPerThousandCharacters * characters) / 1000, false)
}

function cost(microUsd: number, isApproximate: boolean): Cost {
  return {
    costMicroUsd: Math.ceil(microUsd),
    priceVersion: isApproximate ? APPROXIMATE_VERSION : PRICE_VERSION,
    isApproximate,
  }
}
