// The contract of media: what recordings and pictures say, and answers spoken. Each call is told with its price.
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { MediaProviders } from '#shared/messaging/media.ts'

type Multimodal = AgentSettings['multimodal']
export type VoiceSettings = Pick<Multimodal['voice'], 'provider' | 'language' | 'quality'>
export type ImageSettings = Pick<Multimodal['images'], 'provider' | 'mode'>
export type SpeechSettings = Pick<Multimodal['speech'], 'voice'>
/** A key that goes before the installation's own; undefined: there is none. @throws AppError when it cannot be opened */
export type KeyOf = (provider: KeyProvider) => string | undefined
/** For whom something is done: until when, and by whose key. */
export type MediaWork = { signal: AbortSignal; keyOf?: KeyOf }

export type Recording = { bytes: Uint8Array; mimeType: string | null; durationSeconds: number | null }

/** Facts of one provider call that succeeded. */
export type MediaCall = {
  provider: string
  model: string
  inputTokens: number | null
  outputTokens: number | null
  /** Millionths of a US dollar. */
  costMicroUsd: number
  /** Version of the price table. */
  priceVersion: string
  /** The exact price is not known: the cost is what such a call usually costs. */
  isApproximate: boolean
  latencyMs: number
}

/** What was understood; `call` null: no provider was asked, and it costs nothing. */
export type Understood = { text: string; call: MediaCall | null }

/** All calls throw MediaFailure, or the signal's reason when aborted. Nothing is asked twice but after a failure that may pass at once. */
export interface Media {
  /** What may be chosen, and what of it works here without a key of the agent. Nothing is called. */
  providers(): MediaProviders
  /** What is said in a recording. */
  transcribe(recording: Recording, settings: VoiceSettings, work: MediaWork): Promise<Understood>
  /** What a picture shows, or the text in it. */
  describe(picture: Uint8Array, settings: ImageSettings, work: MediaWork): Promise<Understood>
  /** A text as OGG with Opus, which messengers show as a voice message. */
  speak(text: string, settings: SpeechSettings, work: MediaWork): Promise<{ audio: Uint8Array; call: MediaCall }>
}
