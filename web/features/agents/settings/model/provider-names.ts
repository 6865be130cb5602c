// Providers as they write themselves.

/** Others show by the name in the registry. */
const NAMES: Record<string, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  groq: 'Groq',
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
}

/** How a provider of models, speech or vision is called on the screen. */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider
}
