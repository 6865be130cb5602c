// One contract for all providers of web search, each against its own protocol.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WEB_SEARCH_PROVIDERS, type WebSearchFailure } from '#shared/agents/web-search.ts'
import { type FakeWebSearch, type SearchFailure, startFakeWebSearch, webSearchConfig } from '#tests/fakes/web-search.ts'
import { createWebSearch } from './create.ts'
import type { WebSearch } from './web-search.ts'

const PAGES = [
  { url: 'https://shop.example/delivery', title: 'Доставка', text: 'Доставка по городу занимает два дня.' },
  { url: 'https://blog.other.test/post', title: 'Блог', text: 'Доставка роз в другом городе.' },
  { url: 'https://shop.example/delivery#top', title: 'Доставка ещё раз', text: 'То же место: доставка.' },
  { url: 'https://help.shop.example/faq', title: 'Вопросы', text: 'Как заказать доставка?' },
  { url: 'javascript:alert(1)', title: 'доставка', text: 'Не страница.' },
]
const never = new AbortController().signal
const ask = (search: WebSearch, domains: string[] = [], limit = 10, signal = never) =>
  search.search({ text: 'доставка', domains, limit }, signal)

describe.each(WEB_SEARCH_PROVIDERS)('%s', (provider) => {
  let fake: FakeWebSearch
  let search: WebSearch
  beforeAll(async () => {
    fake = await startFakeWebSearch(provider, PAGES)
    search = createWebSearch(webSearchConfig(fake, provider))
  })
  afterAll(() => fake.close())
  beforeEach(() => fake.fail(null))

  it('brings pages with what they say, each once, and web addresses only', async () => {
    const { hits } = await ask(search)
    expect(hits).toEqual([PAGES[0], PAGES[1], PAGES[3]])
  })

  it('asks for the wanted domains and brings pages of no other', async () => {
    const { hits } = await ask(search, ['shop.example'])
    expect(hits.map(({ url }) => url)).toEqual([PAGES[0]?.url, PAGES[3]?.url])
    expect(fake.requests.at(-1)).toEqual({ query: 'доставка', domains: ['shop.example'] })
    expect((await ask(search, ['hop.example'])).hits).toEqual([])
  })

  it('brings no more than was asked for, and nothing where nothing is found', async () => {
    expect((await ask(search, [], 1)).hits).toHaveLength(1)
    expect((await search.search({ text: 'zzzz', domains: [], limit: 5 }, never)).hits).toEqual([])
  })

  it('takes a long question with many domains within what the provider accepts', async () => {
    const text = 'доставка роз '.repeat(30).trim()
    const domains = Array.from({ length: 20 }, (_, n) => `domain-${n}.example`)
    await expect(search.search({ text, domains, limit: 5 }, never)).resolves.toEqual(
      expect.objectContaining({ hits: [] }),
    )
  })

  it('says what a search has cost', async () => {
    const { costMicroUsd } = await ask(search)
    expect(costMicroUsd).toBe({ searxng: 0, tavily: 5000, brave: 5000, exa: 7000 }[provider])
    const unpriced = createWebSearch({ ...webSearchConfig(fake, provider), usdPerThousand: undefined })
    expect((await ask(unpriced)).costMicroUsd).toBe({ searxng: 0, tavily: null, brave: null, exa: 7000 }[provider])
  })

  it('says that its key is refused', async () => {
    const stranger = createWebSearch({ ...webSearchConfig(fake, provider), apiKey: 'another key' })
    await expect(ask(stranger)).rejects.toMatchObject({ reason: 'unauthorized' })
  })

  it.each<[SearchFailure, WebSearchFailure]>([
    ['quota', provider === 'searxng' ? 'busy' : 'out_of_quota'],
    ['rate', 'busy'],
    ['error', 'unreachable'],
    ['garbage', 'bad_answer'],
    ['shape', 'bad_answer'],
    ['too_large', 'bad_answer'],
    ['redirect', 'unreachable'],
  ])('tells a failure (%s) as %s', async (way, reason) => {
    fake.fail(way)
    await expect(ask(search)).rejects.toMatchObject({ name: 'WebSearchError', reason })
  })

  it('gives up on a provider that does not answer', async () => {
    fake.fail('hang')
    const hasty = createWebSearch(webSearchConfig(fake, provider), { timeoutMs: 50 })
    await expect(ask(hasty)).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('ends with the reason of the abort', async () => {
    fake.fail('hang')
    const stop = new AbortController()
    const asked = ask(search, [], 10, stop.signal)
    stop.abort(new Error('not wanted any more'))
    await expect(asked).rejects.toThrow('not wanted any more')
  })

  it('reports an unreachable provider', async () => {
    const unreachable = createWebSearch({ ...webSearchConfig(fake, provider), baseUrl: 'http://127.0.0.1:9' })
    await expect(ask(unreachable)).rejects.toMatchObject({ reason: 'unreachable' })
  })
})
