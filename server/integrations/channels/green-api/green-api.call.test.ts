// What the refusals of GREEN-API mean.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { listenOnLoopback } from '#tests/loopback.ts'
import { greenApiToken } from './green-api.access.ts'
import { createCaller, isUnpaid } from './green-api.call.ts'

describe('a refusal', () => {
  let server: Awaited<ReturnType<typeof listenOnLoopback>>
  let answer = { status: 200, body: {} }
  beforeAll(async () => {
    server = await listenOnLoopback(() => Response.json(answer.body, { status: answer.status }))
  })
  afterAll(() => server.close())

  const run = createCaller({ timeoutMs: 5000, slowPauseMs: 1 })
  async function refusal(status: number, body: object): Promise<AdapterError> {
    answer = { status, body }
    const token = greenApiToken({ apiUrl: server.url, idInstance: '7103000001', apiToken: 'c0de' })
    const error = await run(token, { verb: 'POST', method: 'sendMessage', body: {} }).catch((thrown: unknown) => thrown)
    if (!(error instanceof AdapterError)) throw new Error('nothing was refused')
    return error
  }
  const quota = { description: 'Monthly quota has been exceeded', status: 'CORRESPONDENTS_QUOTE_EXCEEDED' }

  it.each<[string, number, object, AdapterError['kind']]>([
    ['of a token that is no more', 401, { message: 'Unauthorized' }, 'unauthorized'],
    ['of an instance that was deleted', 400, { message: 'Instance is deleted' }, 'unauthorized'],
    [
      'of an instance whose phone is not linked',
      400,
      { message: 'instance is starting or not authorized' },
      'suspended',
    ],
    ['of a text', 400, { message: "Validation failed. Details: 'message' is required" }, 'permanent'],
  ])('%s is understood', async (_, status, body, kind) => {
    const error = await refusal(status, body)
    expect(error).toMatchObject({ kind })
    expect(isUnpaid(error)).toBe(false)
  })

  it.each<[string, number, object]>([
    ['the month is used up', 466, { correspondentsStatus: quota }],
    [
      'the instance has run out',
      400,
      { message: 'Instance account is expired. Renew your instance from personal area' },
    ],
  ])('since %s ends with a payment', async (_, status, body) => {
    const error = await refusal(status, body)
    expect(error).toMatchObject({ kind: 'suspended' })
    expect(isUnpaid(error)).toBe(true)
  })
})
