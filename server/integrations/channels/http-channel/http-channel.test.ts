// Addresses of programs that are never requested, and the error for the user who entered one.
import { expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { httpToken, newSecret } from './http-channel.access.ts'
import { createHttpChannel } from './http-channel.ts'

it.each([
  ['http://10.0.0.1/parley', 'the address is not public'],
  ['http://[::1]/parley', 'the address is not public'],
  ['http://10.0.0.1:8443/parley', 'the address is not public'],
  ['https://1.1.1.1:8443/parley', 'only the ports 80 and 443 are reached'],
])('%s: %s', async (url, reason) => {
  const channel = createHttpChannel({ outbound: createOutbound() })
  const token = httpToken({ id: 'a', url, keys: newSecret() })
  await expect(channel.identify(token)).rejects.toThrow(reason)
})
