// Models of a server that only itself knows, such as Ollama.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { listenOnLoopback } from '#tests/loopback.ts'
import { createLlm } from './create.ts'

const noAccess = { apiKey: undefined, baseUrl: undefined }
let server: Awaited<ReturnType<typeof listenOnLoopback>>
const asked: string[] = []

beforeAll(async () => {
  const list = { data: ['nomic-embed-text', 'llama3.2:latest', 'library/gpt-5-mini'].map((id) => ({ id })) }
  server = await listenOnLoopback(async (request) => {
    const { pathname } = new URL(request.url)
    asked.push(`${request.method} ${pathname} ${request.headers.get('authorization')}`)
    return pathname === '/v1/models' ? Response.json(list) : new Response('', { status: 404 })
  })
})
afterAll(() => server.close())

const llmAt = (path: string, apiKey?: string) => {
  const openai = { apiKey, baseUrl: `${server.url}${path}` }
  return createLlm({ openai, anthropic: noAccess, google: noAccess }, createLogger('silent'))
}
const namesOf = (llm: ReturnType<typeof llmAt>) =>
  llm.models().flatMap(({ name, provider, isConfigured }) => (provider === 'openai' && isConfigured ? [name] : []))

it('are offered, the first one for a new agent, and nothing that the server lacks', async () => {
  const llm = llmAt('/v1')
  expect(llm.defaultModel()).toBe(EXTRACTIVE_MODEL)
  expect(namesOf(llm)).toEqual([])
  await expect.poll(() => llm.defaultModel()).toBe('openai/llama3.2:latest')
  expect(namesOf(llm)).toEqual(['openai/llama3.2:latest', 'openai/library/gpt-5-mini'])
  expect(asked).toEqual(['GET /v1/models null'])
  for (const name of namesOf(llm)) llm.assertKnown(name)
})

it('are offered along with the known ones where a key makes it a gateway, and the default stays', async () => {
  const llm = llmAt('/v1', 'secret')
  expect(llm.defaultModel()).toBe('openai/gpt-5-mini')
  await expect.poll(() => namesOf(llm)).toContain('openai/llama3.2:latest')
  expect(namesOf(llm)).toContain('openai/gpt-5')
  expect(llm.defaultModel()).toBe('openai/gpt-5-mini')
  expect(asked.at(-1)).toBe('GET /v1/models Bearer secret')
})

it('are the built-in one where the server does not say', async () => {
  const llm = llmAt('/nothing')
  expect(llm.defaultModel()).toBe(EXTRACTIVE_MODEL)
  await expect.poll(() => asked.at(-1)).toContain('/nothing/models')
  expect(llm.defaultModel()).toBe(EXTRACTIVE_MODEL)
  expect(namesOf(llm)).toEqual([])
})

it('are all that can be asked of makers who have no key here: of a gateway with a key any name, of a small server what it lists', async () => {
  const usable = (llm: ReturnType<typeof llmAt>) =>
    llm.models().filter(({ provider, isConfigured }) => provider === 'anthropic' && isConfigured)
  expect(usable(llmAt('/v1', 'secret')).length).toBeGreaterThan(0)
  const small = llmAt('/v1')
  await expect.poll(() => namesOf(small).length).toBeGreaterThan(0)
  expect(usable(small)).toEqual([])
})
