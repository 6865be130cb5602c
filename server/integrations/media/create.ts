// Puts media together from the providers that are configured here. Nothing is called until something is to be understood.
import type { Config } from '#server/config.ts'
import { createAsk, MEDIA_LIMITS, type MediaLimits } from './call.ts'
import { createDescribe, type VisionConfig } from './describe.ts'
import type { Media } from './media.ts'
import { listMediaProviders } from './providers.ts'
import { createSpeak } from './speak.ts'
import { createTranscribe, type SpeechConfig } from './transcribe.ts'

/** The media of this installation. */
export function createMedia(
  config: SpeechConfig & VisionConfig & Pick<Config, 'openai'>,
  limits: MediaLimits = MEDIA_LIMITS,
): Media {
  const ask = createAsk(limits)
  return {
    transcribe: createTranscribe(config, ask),
    describe: createDescribe(config, ask),
    speak: createSpeak(config, ask),
    providers: () => listMediaProviders(config),
  }
}
