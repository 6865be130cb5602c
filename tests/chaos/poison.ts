// Notifications that no provider should send, and that one day one does: not JSON, of a wrong shape, of an unknown kind, or of the right
// kind with a value that no database stores. Each has a name; most are a different body every time.

/** One body as it goes over the wire. */
export type Poison = { name: string; body: string }

/** Of an existing chat or instance; `number` makes the body differ from earlier ones. */
type Maker = (place: string, number: number) => Poison

/** JSON of this depth can be parsed and traversed, but not always serialized. */
const DEEP = 4_500
/** No parser gets through this. */
const ABYSS = 200_000

/** Every kind for a bot; `place` is the id of a chat. */
export const TELEGRAM_POISON: Maker[] = [
  ...anybodys((number, fields) => json({ update_id: 8_000_000_000 + number, ...fields })),
  withMessage('a text where a number belongs', () => ({ message_id: 'seven' })),
  withMessage('a chat without an id', () => ({ chat: { type: 'private' } })),
  withMessage('a list in place of a text', () => ({ text: ['Hello'] })),
  withMessage('a message as long as a book', () => ({ text: book() })),
  withMessage('a chat named by a book', () => ({ business_connection_id: noise(20_000) })),
  (place, number) => ({
    name: 'a button that says a book',
    body: json({
      update_id: 8_000_000_000 + number,
      callback_query: {
        id: 'q',
        from: personOf(place),
        data: noise(20_000),
        message: { message_id: 1, chat: { id: Number(place), type: 'private' } },
      },
    }),
  }),
]

/** Every kind for an instance; `place` is its id. */
export const GREEN_API_POISON: Maker[] = [
  ...anybodys((number, fields, place) => json({ ...head('telepathyReceived', place), number, ...fields })),
  withNotification('a message without one', () => ({})),
  withNotification('a list in place of a text', () => textMessage({ textMessage: ['Hello'] })),
  withNotification('a message named by a book', () => ({
    ...textMessage({ textMessage: 'Hello' }),
    idMessage: noise(20_000),
  })),
  withNotification('a chat named by a book', () => ({
    ...textMessage({ textMessage: 'Hello' }),
    senderData: { chatId: `${noise(20_000)}@c.us` },
  })),
  withNotification('a state that is a book', () => ({
    typeWebhook: 'stateInstanceChanged',
    stateInstance: noise(20_000),
  })),
  withNotification('a receipt for a book', () => ({
    typeWebhook: 'outgoingMessageStatus',
    idMessage: noise(20_000),
    status: 'read',
  })),
]

/** What is wrong no matter the sender. `wrap`: makes it a notification that names its sender, as far as it can. */
function anybodys(wrap: (number: number, fields: object, place: string) => string): Maker[] {
  const raw =
    (name: string, body: (number: number) => string): Maker =>
    (_, number) => ({ name, body: body(number) })
  const wrapped =
    (name: string, fields: object): Maker =>
    (place, number) => ({ name, body: wrap(number, fields, place) })
  const inside =
    (name: string, value: string): Maker =>
    (place, number) => ({
      name,
      body: wrap(number, { deep: '$' }, place).replace('"$"', () => value),
    })
  return [
    raw('no JSON', (number) => `<html>Bad gateway ${number}</html>`),
    raw('half of a JSON', (number) => `{"update_id":${number},"message":{"te`),
    raw('a text', (number) => json(`text ${number}`)),
    raw('a number', (number) => String(number)),
    raw('a list', (number) => json([number])),
    raw('nothing', () => 'null'),
    raw('no body', () => ''),
    raw('bytes that are no text', (number) => `\u0000\u0001 ${number} \uFFFD`),
    raw('a deep list', (number) => `[${number},${nested(DEEP)}]`),
    raw('an abyss', (number) => `[${number},${nested(ABYSS)}]`),
    wrapped('an unknown kind', { brand_new_kind: { is: 'new' } }),
    wrapped('a forbidden character', { 'k\0ey': 'va\0lue', half: '\uD83D' }),
    inside('a number beyond numbers', '1e999'),
    inside('a number with a book of digits', '9'.repeat(20_000)),
    inside('a deep field', nested(DEEP)),
    inside('a deeper field', nested(3 * DEEP)),
    inside('an abyss in a field', nested(ABYSS)),
    inside('objects in objects', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
    wrapped('a field called like a method', { toString: 1, constructor: { prototype: 1 } }),
  ]
}

function withMessage(name: string, fields: () => object): Maker {
  return (place, number) => ({
    name,
    body: json({
      update_id: 8_000_000_000 + number,
      message: {
        message_id: 8_000_000_000 + number,
        date: 1,
        chat: { id: Number(place), type: 'private' },
        from: personOf(place),
        text: 'Hello',
        ...fields(),
      },
    }),
  })
}

function withNotification(name: string, fields: () => object): Maker {
  return (place, number) => ({ name, body: json({ ...head('incomingMessageReceived', place), number, ...fields() }) })
}

function head(typeWebhook: string, place: string) {
  return { typeWebhook, instanceData: { idInstance: Number(place), wid: '77000000000@c.us' }, timestamp: 1 }
}

function textMessage(textMessageData: object) {
  return {
    idMessage: noise(20),
    senderData: { chatId: '77009999999@c.us', sender: '77009999999@c.us', senderName: 'Nobody' },
    messageData: { typeMessage: 'textMessage', textMessageData },
  }
}

function personOf(place: string) {
  return { id: Number(place), is_bot: false, first_name: 'Customer' }
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

/** A million letters in words of which no two are the same. */
function book(): string {
  return Array.from({ length: 160_000 }, (_, word) => word.toString(36).padStart(5, 'q')).join(' ')
}

/** Text that no database can compress. */
function noise(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('')
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
