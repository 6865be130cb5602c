// A program behind an HTTP channel: shows what the agent writes, and posts what a customer writes. Node 20 or later, no packages.
//
//   PARLEY_ADDRESS=https://parley.example/api/channels/http/…/messages \
//   INBOUND_SECRET=whsec_… OUTBOUND_SECRET=whsec_… PORT=8080 node http-channel.mjs
//
// Every line typed is a message of the customer "Anna" in the chat "demo".
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const { PARLEY_ADDRESS = '', INBOUND_SECRET = '', OUTBOUND_SECRET = '', PORT = '8080' } = process.env
const TOLERANCE_SECONDS = 300
/** Ids of events that were shown. A real program keeps them in its database, and inserts them together with the message. */
const seen = new Set()

function sign(secret, id, timestamp, body) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** While a secret is being replaced there are two signatures; one that fits is enough. */
function isSigned(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false
  const expected = Buffer.from(sign(OUTBOUND_SECRET, id, timestamp, body))
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

async function receive(request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  if (!isSigned(request.headers, body)) return response.writeHead(401).end()
  const id = request.headers['webhook-id']
  const event = JSON.parse(body)
  if (event.type === 'message' && !seen.has(id)) console.log(`${event.chatId} < ${event.text}`)
  seen.add(id)
  response.writeHead(204).end()
}

/** The id stays the same however often it is tried: Parley takes a message in once. */
async function post(text) {
  const id = randomUUID()
  const body = JSON.stringify({ type: 'message', chatId: 'demo', sender: { name: 'Anna' }, text })
  for (let pauseMs = 1000; ; pauseMs = Math.min(pauseMs * 2, 60_000)) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': sign(INBOUND_SECRET, id, timestamp, body),
    }
    const answer = await fetch(PARLEY_ADDRESS, { method: 'POST', headers, body }).catch(() => null)
    if (answer?.status === 202) return
    if (answer && answer.status < 500 && answer.status !== 429) {
      console.error(`refused: ${answer.status} ${await answer.text()}`)
      return
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
}).listen(Number(PORT), () => console.log(`listening on ${server.address().port}`))

/** One after another, so that the agent reads them in the order of typing. */
let last = Promise.resolve()
createInterface({ input: process.stdin }).on('line', (line) => {
  last = last.then(() => post(line))
})
