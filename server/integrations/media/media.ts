// The contract of media: transcribing recordings, reading pictures, and speaking answers. Each call reports its price.
import type { KeyProvider } from '#shared/agents/agent-keys.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { MediaProviders } from '#shared/messaging/media.ts'

type Multimodal = AgentSettings['multimodal']
export type VoiceSettings = Pick<Multimodal['voice'], 'provider' | 'language' | 'quality'>
export type ImageSettings = Pick<Multimodal['images'], 'provider' | 'mode'>
export type SpeechSettings = Pick<Multimodal['speech'], 'voice'>
/** A key that goes before the installation's own; undefined: there is none. @throws AppError when it cannot be opened */
export type KeyOf = (provider: KeyProvider) => string | undefined
/** The context of a call: its abort signal, and whose key it uses. */
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

/** The text; `call` null: no provider was called, and it costs nothing. */
export type Understood = { text: string; call: MediaCall | null }

/** All calls throw MediaFailure, or the signal's reason when aborted. Calls are repeated only after transient failures. */
export interface Media {
  /** The available choices, and which of them work here without a key of the agent. No provider is called. */
  providers(): MediaProviders
  /** The transcript of a recording. */
  transcribe(recording: Recording, settings: VoiceSettings, work: MediaWork): Promise<Understood>
  /** What a picture shows, or the text in it. */
  describe(picture: Uint8Array, settings: ImageSettings, work: MediaWork): Promise<Understood>
  /** A text as OGG with Opus, which messengers show as a voice message. */
  speak(text: string, settings: SpeechSettings, work: MediaWork): Promise<{ audio: Uint8Array; call: MediaCall }>
}
