// When the window refuses free-form text, and which failures count against the provider.
import { expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { judgeFailure } from './deliver.rules.ts'
import { checkWindow } from './deliver.window.ts'

const part = { organizationId: newId('organizations'), conversationId: newId('conversations'), template: null }
const template = { name: 'hello', language: 'en', words: [] }
const unreachable = { read: () => Promise.reject(new Error('the database is out of reach')) }
const windowReader = (isOpen: boolean) => ({ read: <T>() => Promise.resolve(isOpen as T) })
const judged = (error: unknown, attempt: number) => judgeFailure(error, { attempt, triedForMs: 0 })

it('a part that could not be checked is retried with growing delays, without counting against the provider', async () => {
  const error = await checkWindow(unreachable, 1000, part).catch((thrown: unknown) => thrown)
  const harmless = { mayHaveArrived: false, isUnreachable: false, isAccountsFault: false, isTokenRefused: false }
  expect([1, 2, 6].map((attempt) => judged(error, attempt))).toEqual(
    [1000, 2000, 30_000].map((delayMs) => ({
      ...harmless,
      status: 'queued',
      error: 'internal: it is not known when the customer last wrote',
      delayMs,
    })),
  )
  expect(judged(error, 240)).toMatchObject({ ...harmless, status: 'failed' })
})

it('only free-form text is refused to a customer who has been silent for too long', async () => {
  await expect(checkWindow(windowReader(false), 1000, part)).rejects.toMatchObject({ kind: 'out_of_window' })
  await expect(checkWindow(windowReader(true), 1000, part)).resolves.toBeUndefined()
  await expect(checkWindow(unreachable, 1000, { ...part, template })).resolves.toBeUndefined()
  await expect(checkWindow(unreachable, null, part)).resolves.toBeUndefined()
})
