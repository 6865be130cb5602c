// Agents, through the official client.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { appErrorData } from '#shared/errors.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { seedOrganization } from '#tests/integration/access/seed.ts'

let app: TestApp
let person: Person
let pictures: http.Server

beforeAll(async () => {
  pictures = http.createServer(answerPicture).listen(0, '127.0.0.1')
  await once(pictures, 'listening')
  const { port } = pictures.address() as AddressInfo
  const isAllowed = (address: string, to: string) => address === '127.0.0.1' && to === String(port)
  app = await startApp({ overrides: { outbound: createOutbound({ isAllowed }) } })
  person = await app.signUp()
})
afterAll(async () => {
  pictures.close()
  await app.close()
})

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error) => appErrorData(error)?.code ?? String(error),
  )
const create = (input: Parameters<typeof person.http.mutation<typeof api.agents.create>>[1]) =>
  person.http.mutation(api.agents.create, input)

describe('agents:create', () => {
  it('makes an agent of the built-in model with a slug from its name', async () => {
    const agent = await create({ name: 'Служба поддержки' })
    expect(agent).toMatchObject({
      name: 'Служба поддержки',
      slug: 'sluzhba-podderzhki',
      organizationId: person.organization._id,
      model: EXTRACTIVE_MODEL,
      temperature: 1,
      systemPrompt: '',
      avatar: null,
      knowledgeSpaceIds: [],
    })
  })

  it('numbers the slug of a second agent of the same name, also after the first was removed', async () => {
    const first = await create({ name: 'Twin' })
    expect((await create({ name: 'Twin' })).slug).toBe('twin-2')
    await person.http.mutation(api.agents.remove, { id: first._id })
    expect((await create({ name: 'Twin' })).slug).toBe('twin-3')
  })

  it('gives two agents made at the same time two slugs', async () => {
    const make = () => person.http.mutation(api.agents.create, { name: 'At once' }, { skipQueue: true })
    const slugs = (await Promise.all([make(), make(), make()])).map((agent) => agent.slug)
    expect(slugs.sort()).toEqual(['at-once', 'at-once-2', 'at-once-3'])
  })

  it.each([
    [{ name: '' }, 'invalid_arguments'],
    [{ name: '   ' }, 'invalid_arguments'],
    [{ name: 'x'.repeat(101) }, 'invalid_arguments'],
    [{ name: 'A', slug: 'mine' }, 'invalid_arguments'],
    [{ name: 'A', organizationId: 'x' }, 'invalid_arguments'],
    [{ name: 'A', model: 'nonsense' }, 'model_unknown'],
  ])('refuses %j with %s', async (input, code) => {
    expect(await codeOf(create(input))).toBe(code)
  })
})

it('takes a model whose provider has no key yet', async () => {
  expect(await create({ name: 'Ahead of its key', model: 'openai/gpt-5-mini' })).toMatchObject({
    model: 'openai/gpt-5-mini',
  })
})

describe('agents:get', () => {
  it('finds by id, and by slug within the organization', async () => {
    const agent = await create({ name: 'Found' })
    const { _id: organizationId } = person.organization
    expect(await person.http.query(api.agents.get, { id: agent._id })).toEqual(agent)
    expect(await person.http.query(api.agents.get, { slug: 'found', organizationId })).toEqual(agent)
  })

  it('knows nothing of what is not there, removed, or of another organization', async () => {
    const stranger = await app.signUp()
    const agent = await create({ name: 'Hidden' })
    const removed = await create({ name: 'Removed' })
    await person.http.mutation(api.agents.remove, { id: removed._id })
    const { _id: organizationId } = person.organization
    expect(await codeOf(person.http.query(api.agents.get, { id: newId('agents') }))).toBe('agent_unavailable')
    expect(await codeOf(person.http.query(api.agents.get, { id: removed._id }))).toBe('agent_unavailable')
    expect(await codeOf(person.http.query(api.agents.get, { slug: 'removed', organizationId }))).toBe(
      'agent_unavailable',
    )
    expect(await codeOf(stranger.http.query(api.agents.get, { id: agent._id }))).toBe('agent_unavailable')
    expect(await codeOf(stranger.http.query(api.agents.get, { slug: 'hidden', organizationId }))).toBe(
      'agent_unavailable',
    )
  })
})

describe('agents:remove', () => {
  it('disconnects the channels of the agent', async () => {
    const agent = await create({ name: 'Connected' })
    const owner = { organizationId: person.organization._id, userId: person.user._id }
    const seeded = await seedOrganization(app.database, app.services.secrets, owner, 'seeded')
    await app.database.root
      .updateTable('channel_connections')
      .set({ agent_id: agent._id })
      .where('id', '=', seeded.connectionId)
      .execute()
    const list = () => person.http.query(api.channelConnections.list, { agentId: agent._id })
    expect(await list()).toHaveLength(1)
    await person.http.mutation(api.agents.remove, { id: agent._id })
    expect(await list()).toEqual([])
    const left = await person.http.query(api.channelConnections.left, { agentId: agent._id })
    expect(left).toEqual(['telegram'])
    expect(await person.http.query(api.channelConnections.left, {})).toEqual(left)
  })
})

describe('agents:update', () => {
  it('changes what the patch names and nothing else', async () => {
    const agent = await create({ name: 'Before', systemPrompt: 'Be kind.' })
    const changed = await person.http.mutation(api.agents.update, {
      id: agent._id,
      patch: { name: 'После', avatar: 'gallery:shapes:7' },
    })
    expect(changed).toEqual({
      ...agent,
      name: 'После',
      avatar: 'gallery:shapes:7',
      updatedAt: expect.any(Number),
    })
  })

  it('keeps the temperature of a model without the setting at 1', async () => {
    const agent = await create({ name: 'Fixed' })
    const changed = await person.http.mutation(api.agents.update, { id: agent._id, patch: { temperature: 0.2 } })
    expect(changed.temperature).toBe(1)
  })

  it('shows the change to a list that is open', async () => {
    const agent = await create({ name: 'Watched' })
    const names = new Promise<void>((done) => {
      person.live().onUpdate(api.agents.list, {}, (agents) => {
        if (agents.some(({ name }) => name === 'Seen')) done()
      })
    })
    await person.http.mutation(api.agents.update, { id: agent._id, patch: { name: 'Seen' } })
    await names
  })

  it.each([
    [{ temperature: 2.1 }],
    [{ temperature: -0.1 }],
    [{ systemPrompt: 'x'.repeat(50_001) }],
    [{ avatar: 'https://example.com/x.png' }],
    [{ avatar: 'javascript:alert(1)' }],
    [{ avatar: '/files/avatars/00000000000000000000000000000000.webp' }],
    [{ slug: 'other' }],
    [{ organizationId: 'x' }],
    [{ _id: 'x' }],
  ])('refuses %j', async (patch) => {
    const agent = await create({ name: 'Kept' })
    const call = person.http.mutation(api.agents.update, { id: agent._id, patch } as never)
    expect(await codeOf(call)).toBe('invalid_arguments')
  })
})

describe('models:list and agentFunctions:list', () => {
  it('names the built-in model as usable without any key', async () => {
    const models = await person.http.query(api.models.list, {})
    expect(models.filter((model) => model.isConfigured).map((model) => model.name)).toEqual([EXTRACTIVE_MODEL])
  })

  it('lists knowledge search for an agent with a space, and nothing without one', async () => {
    const agent = await create({ name: 'With knowledge' })
    const list = () => person.http.query(api.agentFunctions.list, { agentId: agent._id })
    expect(await list()).toEqual([])
    const spaceId = newId('knowledgeSpaces')
    const { _id: organizationId } = person.organization
    await app.database.organization(organizationId, async (db) => {
      const space = { id: spaceId, organization_id: organizationId, slug: 'faq', name: 'FAQ', description: '' }
      await db.insertInto('knowledge_spaces').values(space).execute()
      const link = { organization_id: organizationId, agent_id: agent._id, knowledge_space_id: spaceId }
      await db.insertInto('agent_knowledge_spaces').values(link).execute()
    })
    const knowledgeSpaces = [{ _id: spaceId, name: 'FAQ' }]
    expect(await list()).toEqual([{ agentId: agent._id, name: 'knowledge_search', knowledgeSpaces }])
    expect((await person.http.query(api.agents.get, { id: agent._id })).knowledgeSpaceIds).toEqual([spaceId])
  })
})

describe('an avatar by address', () => {
  const address = (path: string) => `http://127.0.0.1:${(pictures.address() as AddressInfo).port}${path}`
  const load = async (path: string) => {
    const agent = await create({ name: 'Face' })
    return person.http.action(api.agents.loadAvatar, { id: agent._id, url: address(path) })
  }

  it('is fetched once, made small, and served from here', async () => {
    const { avatar } = await load('/picture.png')
    expect(avatar).toMatch(/^\/files\/avatars\/[0-9a-v]{32}\.webp$/)
    const answer = await fetch(app.url + avatar)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const { width, height, format } = await sharp(await answer.arrayBuffer()).metadata()
    expect({ width, height, format }).toEqual({ width: 256, height: 256, format: 'webp' })
  })

  it('replaces the one before, which is gone', async () => {
    const first = await load('/picture.png')
    const second = await person.http.action(api.agents.loadAvatar, { id: first._id, url: address('/picture.png') })
    expect(second.avatar).not.toBe(first.avatar)
    expect((await fetch(app.url + first.avatar)).status).toBe(404)
  })

  it.each(['/page.html', '/drawing.svg', '/huge', '/missing', '/broken.png', '/redirect-inside', '/bomb.png'])(
    '%s is refused',
    async (path) => {
      expect(await codeOf(load(path))).toBe('avatar_not_loadable')
    },
  )

  it.each([
    'http://127.0.0.1:9/',
    'http://[::1]/',
    'http://169.254.169.254/latest/',
    'http://localhost/',
    'file:///etc/passwd',
  ])('is not fetched from %s', async (url) => {
    const agent = await create({ name: 'Face' })
    const code = await codeOf(person.http.action(api.agents.loadAvatar, { id: agent._id, url }))
    expect(['avatar_not_loadable', 'invalid_arguments']).toContain(code)
  })

  it('of another organization cannot be set', async () => {
    const agent = await create({ name: 'Face' })
    const stranger = await app.signUp()
    const call = stranger.http.action(api.agents.loadAvatar, { id: agent._id, url: address('/picture.png') })
    expect(await codeOf(call)).toBe('agent_unavailable')
  })
})

async function answerPicture(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
  switch (request.url) {
    case '/picture.png':
      response.end(await picture(600, 300))
      return
    case '/page.html':
      response.end('<!doctype html><script>alert(1)</script>')
      return
    case '/drawing.svg':
      response.end('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
      return
    case '/huge':
      response.end(Buffer.alloc(6 * 1024 * 1024))
      return
    case '/broken.png':
      response.end((await picture(600, 300)).subarray(0, 60))
      return
    case '/bomb.png':
      response.end(await picture(12_000, 4_000))
      return
    case '/redirect-inside':
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
      return
    default:
      response.writeHead(404).end()
  }
}
