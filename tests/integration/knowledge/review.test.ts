// The review list of a space: passages that contradict or repeat each other, ranked, hidden, dismissed permanently.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparePassages } from '#server/domain/knowledge/review/duplicate-passages.job.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgePair } from '#shared/knowledge/review.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const ONE = 'Delivery to Moscow costs 500 roubles.'
const OTHER = 'The delivery to Moscow costs 700 roubles.'

let app: TestApp
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' }))._id
  await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'Delivery', content: ONE })
  await upload('delivery.txt', `${OTHER} Parcels go out on Mondays.`)
  await upload('hours.txt', 'We are open from 9 to 18 on weekdays.')
})
afterAll(() => app.close())

async function upload(name: string, body: string): Promise<void> {
  const headers = { authorization: `Bearer ${person.sessionToken}` }
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  await fetch(`${app.url}/api/files/documents?${query}`, { method: 'POST', headers, body })
  await app.settle()
}
const compare = () => comparePassages(app.services, new AbortController().signal)
const pairs = (): Promise<KnowledgePair[]> => person.http.query(api.knowledge.review.pairs, { knowledgeSpaceId })

async function onlyPair(): Promise<KnowledgePair> {
  const [pair, ...others] = await pairs()
  if (!pair || others.length > 0) throw new Error('one pair was expected')
  return pair
}

describe('passages that contradict each other', () => {
  it('are found with both of their sentences, and with the conversations in which one of them was found', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
    await person.http.mutation(api.testChat.send, { agentId, text: 'What does delivery to Moscow cost?' })
    await app.settle()
    await compare()
    const pair = await onlyPair()
    expect(pair).toMatchObject({ kind: 'contradiction', conversations: 1 })
    const texts = [pair.first, pair.second].map(({ kind, name, text }) => [kind, name, text]).sort()
    expect(texts).toEqual([
      ['document', 'delivery.txt', OTHER],
      ['fragment', 'Delivery', ONE],
    ])
  })

  it('are not listed once one of them is hidden, and listed again when it is shown', async () => {
    const { first, second } = await onlyPair()
    const { chunkId } = [first, second].find(({ kind }) => kind === 'document') ?? first
    const hidden = await person.http.mutation(api.knowledge.chunks.update, { chunkId, patch: { isEnabled: false } })
    expect(await pairs()).toEqual([])
    await compare()
    expect(await pairs()).toEqual([])
    const patch = { isEnabled: true }
    await person.http.mutation(api.knowledge.chunks.update, { chunkId: hidden._id, patch })
    await compare()
    expect(await pairs()).toHaveLength(1)
  })

  it('stay dismissed once a user has dismissed them, until that is undone', async () => {
    const { _id: pairId } = await onlyPair()
    await person.http.mutation(api.knowledge.review.dismiss, { pairId, isDismissed: true })
    await upload('news.txt', 'A new shop opens in spring.')
    await compare()
    expect(await pairs()).toEqual([])
    await person.http.mutation(api.knowledge.review.dismiss, { pairId, isDismissed: false })
    expect(await onlyPair()).toMatchObject({ _id: pairId })
  })

  it('are not those of another space', async () => {
    const other = await person.http.mutation(api.knowledge.spaces.create, { name: 'Other' })
    const note = { knowledgeSpaceId: other._id, name: 'Delivery', content: OTHER.replace('700', '900') }
    await person.http.mutation(api.knowledge.fragments.create, note)
    await compare()
    expect(await person.http.query(api.knowledge.review.pairs, { knowledgeSpaceId: other._id })).toEqual([])
    expect(await pairs()).toHaveLength(1)
  })
})
