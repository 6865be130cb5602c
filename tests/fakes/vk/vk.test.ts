// The fake VK refuses what VK refuses, in the body of an answer that says 200, and delivers until it hears "ok".
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '#tests/loopback.ts'
import { type FakeCommunity, type FakeVk, startFakeVk } from './vk.ts'
import { startVkPage } from './vk-page.ts'

const ANNA = { id: 4242, name: 'Anna' }
let vk: FakeVk
let community: FakeCommunity
beforeEach(async () => {
  vk = await startFakeVk()
  community = vk.addCommunity()
  community.allowed.add(ANNA.id)
})
afterEach(() => vk.close())

type Answer = { response?: unknown; error?: { error_code: number; request_params: { key: string; value: string }[] } }

async function call(method: string, params: Record<string, string> = {}, key = community.token): Promise<Answer> {
  const body = new URLSearchParams({ v: '5.199', ...params })
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${vk.url}/method/${method}`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  return answer.json() as Promise<Answer>
}
const codeOf = async (method: string, params?: Record<string, string>, key?: string) =>
  (await call(method, params, key)).error?.error_code
const send = (more: Record<string, string>) =>
  call('messages.send', { peer_id: String(ANNA.id), random_id: '1', message: 'Hello', ...more })

describe('a call', () => {
  it.each([
    [3, 'of a method that there is not', 'messages.teleport', {}],
    [8, 'without a version', 'groups.getById', { v: undefined }],
    [100, 'with a parameter that there is not', 'groups.getById', { nonsense: '1' }],
    [100, 'for another community', 'groups.getCallbackServers', { group_id: '1' }],
  ])('is refused with %i: %s', async (code, _, method, params) => {
    const { v = '5.199', ...rest } = params as { v?: string }
    const form = new URLSearchParams({ ...rest, ...('v' in params ? {} : { v }) })
    const headers = { authorization: `Bearer ${community.token}` }
    const answer = await fetch(`${vk.url}/method/${method}`, { method: 'POST', headers, body: form })
    expect(((await answer.json()) as Answer).error?.error_code).toBe(code)
  })

  it('by a key that VK does not know is refused, and the answer repeats everything but the key', async () => {
    const { error } = await call('groups.getById', { access_token: 'vk1.a.secret' }, 'vk1.a.stranger')
    expect(error?.error_code).toBe(5)
    expect(error?.request_params.map(({ key }) => key)).toEqual(['method', 'v'])
  })

  it('needs a right, and time between it and many others', async () => {
    community.mask = 4096
    expect(await codeOf('docs.getMessagesUploadServer', { type: 'doc', peer_id: '1' })).toBe(15)
    const codes = await Promise.all(Array.from({ length: 25 }, () => codeOf('groups.getById')))
    expect(codes.filter((code) => code === 6).length).toBeGreaterThan(0)
  })
})

describe('a message', () => {
  it('that is sent again by the same number is shown once, in its chat', async () => {
    community.allowed.add(5)
    const [first, second] = [await send({}), await send({})]
    expect(second).toEqual(first)
    await send({ peer_id: '5' })
    await send({ random_id: '0' })
    await send({ random_id: '0' })
    expect(vk.sent.map(({ peerId }) => peerId)).toEqual([ANNA.id, 5, ANNA.id, ANNA.id])
  })

  it.each([
    [100, { random_id: 'x' }],
    [100, { random_id: String(2 ** 31) }],
    [100, { message: '' }],
    [100, { attachment: 'photo1_1' }],
    [901, { peer_id: '77' }],
    [
      911,
      {
        keyboard: JSON.stringify({
          inline: true,
          buttons: [[{ action: { type: 'text', label: 'x'.repeat(41), payload: '{}' } }]],
        }),
      },
    ],
    [914, { message: 'x'.repeat(4097) }],
  ])('is refused with %i', async (code, more) => {
    expect((await send(more)).error?.error_code).toBe(code)
    expect(vk.sent).toEqual([])
  })
})

describe('a callback server', () => {
  const add = (url: string) => {
    const group_id = String(community.groupId)
    return call('groups.addCallbackServer', { group_id, url, title: 'Parley', secret_key: 'abc' })
  }

  it('receives the events it has asked for once it has answered with the string, until it says "ok"', async () => {
    const heard: { type: string; secret: string; retries: string | null }[] = []
    const { url, close } = await listenOnLoopback(async (request) => {
      const { type, secret } = (await request.json()) as { type: string; secret: string }
      heard.push({ type, secret, retries: request.headers.get('x-retry-counter') })
      return new Response(type === 'confirmation' ? community.confirmationCode : heard.length < 4 ? 'Ok' : 'ok')
    })
    const { response } = await add(url)
    const { server_id } = response as { server_id: number }
    vk.customerSays(community.groupId, ANNA, 'Not asked for')
    const params = { group_id: String(community.groupId), server_id: String(server_id), message_new: '1' }
    await call('groups.setCallbackSettings', params)
    vk.customerSays(community.groupId, ANNA, 'Hello')
    await vk.waitFor(() => vk.taken.length === 1, 'the delivery')
    const secret = 'abc'
    expect(heard).toEqual([
      { type: 'confirmation', secret, retries: null },
      { type: 'message_new', secret, retries: null },
      { type: 'message_new', secret, retries: '1' },
      { type: 'message_new', secret, retries: '2' },
    ])
    await close()
  })

  it('that does not tell the string is not delivered to', async () => {
    const { url, close } = await listenOnLoopback(async () => new Response('ok'))
    await add(url)
    expect(community.servers.map(({ status }) => status)).toEqual(['failed'])
    await close()
  })
})

it('a poll receives what came after a number, and the end of its session', async () => {
  const group_id = String(community.groupId)
  expect(await codeOf('groups.getLongPollServer', { group_id })).toBe(100)
  await call('groups.setLongPollSettings', { group_id, enabled: '1', message_new: '1' })
  const { response } = await call('groups.getLongPollServer', { group_id })
  const { key, server, ts } = response as { key: string; server: string; ts: string }
  const poll = async (given: object) => {
    const query = new URLSearchParams({ act: 'a_check', key, ts, wait: '1', ...given })
    return (await fetch(`${server}?${query}`)).json() as Promise<{ ts: unknown; updates?: { type: string }[] }>
  }
  const waiting = poll({ wait: '20' })
  await vk.waitFor(() => community.longPoll.waiting === 1, 'the poll')
  vk.customerSays(community.groupId, ANNA, 'Hello')
  expect(await waiting).toMatchObject({ ts: String(Number(ts) + 1), updates: [{ type: 'message_new' }] })
  expect(await poll({ ts: '1' })).toEqual({ failed: 1, ts: Number(ts) + 1 })
  expect(await poll({ key: 'another' })).toEqual({ failed: 2 })
  vk.customerSays(community.groupId, ANNA, 'Forgotten')
  vk.forgetEvents(community.groupId)
  expect(await poll({})).toEqual({ failed: 1, ts: Number(ts) + 2 })
})

it('keeps messages for good, those of chats with the newest first', async () => {
  const boris = { id: 77, name: 'Boris Belov' }
  vk.customerSays(community.groupId, ANNA, 'Hello')
  vk.customerSays(community.groupId, boris, 'Good morning')
  vk.operatorSays(community.groupId, boris.id, 'Good evening')
  const textsOf = async (method: string, params: Record<string, string>) => {
    const { response } = await call(method, params)
    const { items } = response as { items: { text?: string; last_message?: { text: string } }[] }
    return items.map(({ text, last_message: last }) => text ?? last?.text)
  }
  expect(await textsOf('messages.getConversations', {})).toEqual(['Good evening', 'Hello'])
  expect(await textsOf('messages.getConversations', { filter: 'unanswered' })).toEqual(['Hello'])
  expect(await textsOf('messages.getConversations', { count: '1', offset: '1' })).toEqual(['Hello'])
  expect(await textsOf('messages.getHistory', { peer_id: '77' })).toEqual(['Good evening', 'Good morning'])
  expect(await codeOf('messages.getHistory', { peer_id: 'Boris' })).toBe(100)
  expect(await codeOf('messages.getConversations', { count: '201' })).toBe(100)
})

it('has a page on which a customer writes, reads and presses, and a person of the community answers', async () => {
  const page = await startVkPage(vk, community, 0)
  const user = String(ANNA.id)
  const act = async (path: string, body: object) =>
    (await fetch(page.url + path, { method: 'POST', body: JSON.stringify({ user, ...body }) })).status
  const state = async () => (await fetch(`${page.url}state?user=${user}`)).json() as Promise<{ messages: object[] }>
  expect(await state()).toMatchObject({ facts: { token: community.token }, messages: [], isConnected: false })
  await call('groups.setLongPollSettings', {
    group_id: String(community.groupId),
    enabled: '1',
    message_new: '1',
    message_reply: '1',
  })
  expect(await act('say', { text: 'Hello' })).toBe(200)
  const action = { type: 'text', label: 'Yes', payload: '{"choice":"Yes"}' }
  await send({ message: 'Shall we?', keyboard: JSON.stringify({ inline: true, buttons: [[{ action }]] }) })
  expect(await act('press', { text: 'Yes', payload: action.payload })).toBe(200)
  expect(await act('answer', { text: 'This is Boris' })).toBe(200)
  expect(await act('answer', { text: '' })).toBe(400)
  expect(await state()).toMatchObject({
    isConnected: true,
    messages: [
      { from: 'me', text: 'Hello' },
      { from: 'agent', text: 'Shall we?', buttons: [{ label: 'Yes' }] },
      { from: 'me', text: 'Yes' },
      { from: 'person', text: 'This is Boris' },
    ],
  })
  const events = community.longPoll.events as {
    type: string
    object: { payload?: string; message?: { payload?: string } }
  }[]
  expect(events.map(({ type, object }) => [type, object.message?.payload])).toEqual([
    ['message_new', undefined],
    ['message_reply', undefined],
    ['message_new', action.payload],
    ['message_reply', undefined],
  ])
  page.close()
})
