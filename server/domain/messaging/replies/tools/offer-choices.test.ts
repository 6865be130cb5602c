// The tool by which a model gives choices.
import { expect, it } from 'vitest'
import type { TraceRecorder } from '../../turns/trace.ts'
import { type Offer, offerChoicesTool } from './offer-choices.ts'

const { signal } = new AbortController()

async function offered(choices: unknown): Promise<{ offer: Offer; hasFailed: boolean | undefined }> {
  const offer: Offer = { choices: [] }
  let hasFailed: boolean | undefined
  const trace = {
    tool: (call: { hasFailed: boolean }) => {
      hasFailed = call.hasFailed
    },
  } as unknown as TraceRecorder
  await offerChoicesTool(offer, trace).run({ choices }, signal)
  return { offer, hasFailed }
}

it('notes what is offered, without the space around it', async () => {
  expect(await offered([' Yes ', 'No'])).toEqual({ offer: { choices: ['Yes', 'No'] }, hasFailed: false })
})

it.each([
  ['one alone', ['Yes']],
  ['the same twice', ['Yes', ' Yes']],
  ['more than a customer reads', Array.from({ length: 9 }, (_, at) => `${at}`)],
  ['what no button holds', ['Yes', 'ы'.repeat(33)]],
  ['nothing', undefined],
])('offers not %s', async (_, choices) => {
  expect(await offered(choices)).toEqual({ offer: { choices: [] }, hasFailed: true })
})
