// Settings of channels whose providers are out of reach: for servers that never speak to them.
import type { ChannelSettings } from '#server/integrations/channels/registry.ts'

const NOWHERE = 'http://127.0.0.1:9'

export const UNREACHED: ChannelSettings = {
  telegramApiRoot: NOWHERE,
  greenApiPartner: undefined,
  whatsappGraphUrl: NOWHERE,
  maxApiUrl: NOWHERE,
  vkApiUrl: NOWHERE,
  avitoApiUrl: NOWHERE,
  instagramGraph: { url: NOWHERE, version: 'v24.0' },
}
