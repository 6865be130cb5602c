// From thrown values to texts and error screens; one retry with a new token.
import { ConvexError } from 'convex/values'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { boundaryKind, describeError, HttpError, isClientError } from './errors.ts'
import { startI18n } from './i18n.ts'
import { retryAfterRefresh } from './server/convex.ts'

beforeAll(() => startI18n('en'))

describe('errors', () => {
  it('of the catalogue are translated, with their values', () => {
    const decoded = new ConvexError({ code: 'message_too_long', message: '…', params: { max: 4096 } })
    expect(describeError(decoded)).toEqual({
      code: 'message_too_long',
      message: 'The text is longer than 4,096 characters. Shorten it or send it in parts.',
      requestId: null,
    })
  })

  it('outside the catalogue show the id under which the server logged them', () => {
    const error = new Error('[CONVEX M(agents:create)] [Request ID: 7f3a9c21] Server Error\n  Called by client')
    expect(describeError(error)).toMatchObject({ code: 'server_error', requestId: '7f3a9c21' })
  })

  it.each([
    [new TypeError('Failed to fetch'), 'network'],
    [new TypeError('Failed to fetch dynamically imported module: /assets/x.js'), 'network'],
    [new Error('Connection lost while action was in flight'), 'network'],
    [new AppError('forbidden'), 'authorization'],
    [new AppError('agent_unavailable'), 'agent'],
    [new AppError('not_found'), 'data'],
    [new Error('undefined is not a function'), 'general'],
    ['a string', 'general'],
  ])('%s stops a page with the screen %s', (error, kind) => {
    expect(boundaryKind(error)).toBe(kind)
  })

  it('with a 4xx status are not worth repeating', () => {
    expect(isClientError(new HttpError(422, ''))).toBe(true)
    expect(isClientError(new HttpError(503, ''))).toBe(false)
    expect(isClientError(new Error('x'))).toBe(false)
  })
})

describe('a call refused as unauthenticated', () => {
  it('is retried once after the token was refreshed', async () => {
    const refresh = vi.fn(async () => {})
    const run = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new AppError('unauthenticated'))
      .mockResolvedValue('done')
    expect(await retryAfterRefresh(run, refresh)).toBe('done')
    expect(refresh).toHaveBeenCalledTimes(1)
  })

  it('fails when it is refused again', async () => {
    const run = vi.fn().mockRejectedValue(new AppError('unauthenticated'))
    await expect(retryAfterRefresh(run, async () => {})).rejects.toMatchObject({ code: 'unauthenticated' })
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('is not retried for any other reason', async () => {
    const refresh = vi.fn(async () => {})
    await expect(retryAfterRefresh(() => Promise.reject(new AppError('forbidden')), refresh)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(refresh).not.toHaveBeenCalled()
  })
})
