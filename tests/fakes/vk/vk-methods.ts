// What the fake VK answers: the methods that we call, with the checks and the numbers of errors of VK's API. Every answer has the status
// 200; what is wrong stands in its body. @source dev.vk.com/ru/method, dev.vk.com/ru/reference/errors, github.com/VKCOM/vk-api-schema
import { randomBytes } from 'node:crypto'
import { preciseNow } from '#tests/fakes/precise-now.ts'
import type { FakeCommunity, VkState } from './vk.ts'
import { type SavedFile, uploadUrl } from './vk-files.ts'
import { listConversations, listHistory } from './vk-history.ts'
import { lastOf } from './vk-poll.ts'

export const API_VERSION = '5.199'
/** What a key may do. @source dev.vk.com/ru/reference/access-rights */
export const SCOPES = { photos: 4, messages: 4096, docs: 131_072, manage: 262_144 }

type Params = Record<string, string>
type Call = { state: VkState; community: FakeCommunity; params: Params }
type Method = { needs: number; takes: string[]; run(call: Call): unknown }

/** A refusal with VK's error code. */
class VkError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
/** The call was carried out, and its answer is lost. */
const LOST = new Error('lost')

const MESSAGES: Record<number, string> = {
  1: 'Unknown error occurred',
  6: 'Too many requests per second',
  9: 'Flood control',
  10: 'Internal server error',
  14: 'Captcha needed',
  15: 'Access denied',
  29: 'Rate limit reached',
  900: "Can't send messages for users from blacklist",
  901: "Can't send messages for users without permission",
  902: "Can't send messages to this user due to their privacy settings",
  911: 'Keyboard format is invalid',
  912: 'This is a chat bot feature, change this status in settings',
  914: 'Message is too long',
  917: "You don't have access to this chat",
  950: "Can't send message, reply timed out",
}
/** The schema says 9000; clients split at this, beyond which VK refuses in practice. */
const TEXT_MAX = 4096
const LABEL_MAX = 40
const PAYLOAD_MAX = 255
const INLINE = { rows: 6, columns: 5, buttons: 10 }
const SERVERS_MAX = 10
const EVENTS = [
  'message_new',
  'message_reply',
  'message_edit',
  'message_allow',
  'message_deny',
  'message_read',
  'message_typing_state',
]

export async function answerMethod(
  state: VkState,
  name: string,
  { params, key }: { params: URLSearchParams; key: string | null },
): Promise<object | null> {
  state.calls.push(name)
  const given = Object.fromEntries(params)
  try {
    return { response: await run(state, name, given, key ?? given.access_token ?? '') }
  } catch (error) {
    if (error === LOST) return null
    if (!(error instanceof VkError)) throw error
    const { access_token: _, ...shown } = given
    const request_params = Object.entries({ method: name, ...shown }).map(([key, value]) => ({ key, value }))
    return { error: { error_code: error.code, error_msg: error.message, request_params } }
  }
}

async function run(state: VkState, name: string, given: Params, key: string): Promise<unknown> {
  const method = METHODS[name]
  if (!method) throw new VkError(3, 'Unknown method passed')
  const { access_token: _, v, ...params } = given
  if (v === undefined) throw new VkError(8, 'Invalid request: v (version) is required')
  if (v !== API_VERSION) throw new VkError(100, 'One of the parameters specified was missing or invalid: v')
  const community = [...state.communities.values()].find(({ token }) => token === key)
  if (!community) throw new VkError(5, 'User authorization failed: invalid access_token (4).')
  if (isTooFast(state, key)) throw refusal(6)
  if ((community.mask & method.needs) !== method.needs) {
    throw new VkError(
      15,
      'Access denied: no access to call this method. It cannot be called with current scopes. (subcode: 1133)',
    )
  }
  const unknown = Object.keys(params).find((name) => !method.takes.includes(name))
  if (unknown !== undefined) throw wrong(unknown)
  if (method.takes.includes('group_id') && params.group_id !== String(community.groupId)) throw wrong('group_id')
  return method.run({ state, community, params })
}

function isTooFast({ recent, faults }: VkState, key: string): boolean {
  const now = performance.now()
  const lately = (recent.get(key) ?? []).filter((at) => at > now - 1000)
  recent.set(key, [...lately, now])
  return lately.length >= faults.callsPerSecond
}

const METHODS: Record<string, Method> = {
  'groups.getById': {
    needs: 0,
    takes: [],
    run: ({ community: { groupId: id, name, screenName: screen_name } }) => ({
      groups: [{ id, name, screen_name, is_closed: 0, type: 'group', photo_50: 'https://example.com/a.png' }],
      profiles: [],
    }),
  },
  'groups.getTokenPermissions': {
    needs: 0,
    takes: [],
    run: ({ community: { mask } }) => {
      const permissions = Object.entries(SCOPES).filter(([, setting]) => (mask & setting) !== 0)
      return { mask, permissions: permissions.map(([name, setting]) => ({ name, setting })) }
    },
  },
  'groups.getCallbackConfirmationCode': {
    needs: SCOPES.manage,
    takes: ['group_id'],
    run: ({ community }) => ({ code: community.confirmationCode }),
  },
  'groups.getCallbackServers': {
    needs: SCOPES.manage,
    takes: ['group_id'],
    run: ({ community: { servers, groupId } }) => ({
      count: servers.length,
      items: servers.map(({ id, title, url, secretKey, status }) => ({
        ...{ id, title, creator_id: groupId, url, secret_key: secretKey, status },
      })),
    }),
  },
  'groups.addCallbackServer': {
    needs: SCOPES.manage,
    takes: ['group_id', 'url', 'title', 'secret_key'],
    run: addServer,
  },
  'groups.editCallbackServer': {
    needs: SCOPES.manage,
    takes: ['group_id', 'server_id', 'url', 'title', 'secret_key'],
    run: editServer,
  },
  'groups.deleteCallbackServer': {
    needs: SCOPES.manage,
    takes: ['group_id', 'server_id'],
    run: ({ community, params }) => {
      const { id } = serverOf(community, params)
      community.servers = community.servers.filter((server) => server.id !== id)
      return 1
    },
  },
  'groups.setCallbackSettings': {
    needs: SCOPES.manage,
    takes: ['group_id', 'server_id', 'api_version', ...EVENTS],
    run: ({ state, community, params }) => {
      if (state.faults.settingsToFail > 0) {
        state.faults.settingsToFail--
        throw refusal(10)
      }
      setEvents(serverOf(community, params).events, params)
      return 1
    },
  },
  'groups.setLongPollSettings': {
    needs: SCOPES.manage,
    takes: ['group_id', 'enabled', 'api_version', ...EVENTS],
    run: ({ community: { longPoll }, params }) => {
      if (params.enabled !== undefined) longPoll.isEnabled = params.enabled === '1'
      setEvents(longPoll.types, params)
      return 1
    },
  },
  'groups.getLongPollServer': {
    needs: SCOPES.manage,
    takes: ['group_id'],
    run: ({ state, community: { longPoll, groupId } }) => {
      if (!longPoll.isEnabled) throw wrong('longpoll for this group is not enabled')
      return { key: longPoll.key, server: `${state.origin}/longpoll/${groupId}`, ts: String(lastOf(longPoll)) }
    },
  },
  'users.get': {
    needs: 0,
    takes: ['user_ids', 'fields', 'lang'],
    run: ({ state, params }) => {
      if (state.faults.namesToFail > 0) {
        state.faults.namesToFail--
        throw refusal(10)
      }
      const ids = (params.user_ids ?? '').split(',').map(Number)
      return ids.flatMap((id) => {
        const [first_name = '', last_name = ''] = state.customers.get(id)?.name.split(' ') ?? []
        if (first_name === '') return []
        const screen_name = state.customers.get(id)?.screenName ?? `id${id}`
        return [{ id, first_name, last_name, screen_name, can_access_closed: true, is_closed: false }]
      })
    },
  },
  'messages.send': {
    needs: SCOPES.messages,
    takes: [
      'peer_id',
      'random_id',
      'message',
      'attachment',
      'keyboard',
      'payload',
      'dont_parse_links',
      'disable_mentions',
    ],
    run: send,
  },
  'messages.getConversations': {
    needs: SCOPES.messages,
    takes: ['count', 'offset', 'filter'],
    run: (call) => listed(call, listConversations),
  },
  'messages.getHistory': {
    needs: SCOPES.messages,
    takes: ['peer_id', 'count', 'offset'],
    run: (call) => listed(call, listHistory),
  },
  'messages.setActivity': {
    needs: SCOPES.messages,
    takes: ['peer_id', 'type'],
    run: ({ state, community: { groupId }, params }) => {
      if (params.type !== 'typing') throw wrong('type')
      state.typing.push({ groupId, peerId: numberOf(params, 'peer_id'), at: Date.now() })
      state.changed()
      return 1
    },
  },
  'photos.getMessagesUploadServer': {
    needs: SCOPES.photos,
    takes: ['peer_id'],
    run: ({ state, community: { groupId } }) => ({
      ...{ album_id: -3, group_id: groupId, user_id: 0, upload_url: uploadUrl(state, groupId, 'photo') },
    }),
  },
  'photos.saveMessagesPhoto': {
    needs: SCOPES.photos,
    takes: ['server', 'photo', 'hash'],
    run: ({ community, params }) => {
      const [first] = JSON.parse(params.photo || '[]') as { photo: string }[]
      if (!first || params.hash !== 'h') throw new VkError(129, 'Invalid photo')
      return [saved(community, first.photo, 'photo')]
    },
  },
  'docs.getMessagesUploadServer': {
    needs: SCOPES.docs,
    takes: ['type', 'peer_id'],
    run: ({ state, community: { groupId }, params }) => {
      const type = params.type ?? 'doc'
      if (type !== 'doc' && type !== 'audio_message') throw wrong('type')
      return { upload_url: uploadUrl(state, groupId, type) }
    },
  },
  'docs.save': {
    needs: SCOPES.docs,
    takes: ['file', 'title'],
    run: ({ community, params }) => {
      const file = community.files.get(params.file ?? '')
      if (!file) throw new VkError(105, "Couldn't save file")
      if (params.title) file.name = params.title
      return { type: file.kind, [file.kind]: saved(community, params.file ?? '', file.kind) }
    },
  },
}

function listed({ state, community, params }: Call, list: typeof listHistory): object {
  const { faults } = state
  if (faults.historyToFail.count > 0) {
    faults.historyToFail.count--
    throw refusal(faults.historyToFail.code)
  }
  const page = list(community, params)
  if ('wrong' in page) throw wrong(page.wrong)
  state.afterPage(++state.pagesRead)
  return page
}

async function addServer({ state, community, params }: Call) {
  if (community.servers.length >= SERVERS_MAX) throw new VkError(2000, 'Servers number limit is reached')
  const { url = '', title = '', secret_key: secretKey = '' } = params
  checkServer(params)
  const id = 1 + Math.max(0, ...community.servers.map((server) => server.id))
  const server = { id, url, title, secretKey, status: 'unconfigured' as const, events: new Set<string>() }
  community.servers.push(server)
  await state.confirm(community, server)
  return { server_id: id }
}

async function editServer({ state, community, params }: Call) {
  const server = serverOf(community, params)
  checkServer(params)
  Object.assign(server, { url: params.url, title: params.title, secretKey: params.secret_key ?? '' })
  await state.confirm(community, server)
  return 1
}

function checkServer({ url = '', title = '', secret_key: secret = '' }: Params): void {
  if (!URL.canParse(url)) throw wrong('url')
  if (title === '' || title.length > 14) throw wrong('title')
  if (!/^[0-9A-Za-z]{0,50}$/.test(secret)) throw wrong('secret_key')
}

function serverOf({ servers }: FakeCommunity, params: Params) {
  const server = servers.find(({ id }) => String(id) === params.server_id)
  if (!server) throw new VkError(104, 'Not found')
  return server
}

function setEvents(events: Set<string>, params: Params): void {
  if (params.api_version !== undefined && params.api_version !== API_VERSION) throw wrong('api_version')
  for (const name of EVENTS) {
    if (params[name] === '1') events.add(name)
    if (params[name] === '0') events.delete(name)
  }
}

function send({ state, community, params }: Call): number {
  const peerId = numberOf(params, 'peer_id')
  const randomId = numberOf(params, 'random_id')
  if (Math.abs(randomId) > 2 ** 31 - 1) throw wrong('random_id')
  const { message: text = '', attachment, payload } = params
  const code = state.faults.refusals.shift()
  if (code !== undefined) throw refusal(code)
  if (text === '' && attachment === undefined) throw new VkError(100, `${wrong('message').message} is empty or invalid`)
  if (text.length > TEXT_MAX) throw refusal(914)
  if ((payload?.length ?? 0) > 1000) throw wrong('payload')
  if (community.blacklist.has(peerId)) throw refusal(900)
  if (!community.allowed.has(peerId)) throw refusal(901)
  const file = attachment === undefined ? null : attached(community, attachment)
  const buttons = params.keyboard === undefined ? [] : keyboardOf(community, params.keyboard)
  const copy = state.sent.find(
    (sent) =>
      randomId !== 0 && sent.randomId === randomId && sent.peerId === peerId && sent.groupId === community.groupId,
  )
  if (copy) return copy.id
  const message = state.message(community, peerId)
  const { groupId } = community
  state.sent.push({ groupId, peerId, id: message.id, text, randomId, buttons, file, at: preciseNow() })
  const author = state.faults.namesAuthors ? { admin_author_id: 45 } : {}
  const reply = {
    ...message,
    from_id: -groupId,
    out: 1,
    text,
    random_id: randomId,
    ...(payload && { payload }),
    ...author,
  }
  community.history.push(reply)
  state.emit(groupId, state.event(groupId, 'message_reply', reply))
  if (state.faults.answersToDrop > 0) {
    state.faults.answersToDrop--
    throw LOST
  }
  return message.id
}

function keyboardOf({ hasBots }: FakeCommunity, text: string) {
  if (!hasBots) throw refusal(912)
  const keyboard = JSON.parse(text) as {
    inline?: boolean
    buttons: { action: { type: string; label: string; payload: string } }[][]
  }
  const all = keyboard.buttons.flat()
  const isFit =
    keyboard.inline === true &&
    keyboard.buttons.length <= INLINE.rows &&
    keyboard.buttons.every((row) => row.length > 0 && row.length <= INLINE.columns) &&
    all.length <= INLINE.buttons &&
    all.every(({ action }) => action.type === 'text' && action.label.length > 0 && action.label.length <= LABEL_MAX) &&
    all.every(({ action }) => action.payload.length <= PAYLOAD_MAX && JSON.parse(action.payload) !== null)
  if (!isFit) throw refusal(911)
  return all.map(({ action: { label, payload } }) => ({ label, payload }))
}

/** A saved file is found again by its name. */
function saved({ files, groupId }: FakeCommunity, key: string, kind: SavedFile['kind']) {
  const file = files.get(key)
  if (file?.kind !== kind) throw new VkError(105, "Couldn't save file")
  const id = 5000 + files.size
  const access_key = randomBytes(8).toString('hex')
  files.set(`${kind}-${groupId}_${id}_${access_key}`, file)
  return { id, owner_id: -groupId, access_key, title: file.name }
}

function attached({ files }: FakeCommunity, name: string): SavedFile {
  const file = files.get(name)
  if (!file) throw wrong('attachment')
  return file
}

function numberOf(params: Params, name: string): number {
  if (!/^-?\d+$/.test(params[name] ?? '')) throw wrong(name)
  return Number(params[name])
}

function wrong(what: string): VkError {
  return new VkError(100, `One of the parameters specified was missing or invalid: ${what}`)
}

function refusal(code: number): VkError {
  return new VkError(code, MESSAGES[code] ?? `error ${code}`)
}
