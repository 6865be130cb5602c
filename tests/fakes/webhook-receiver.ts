// A receiver of webhooks as programs write one: it checks every request by the library of the standard, and answers as the test decides.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A request that was signed with a secret that the receiver knows. */
export type Received = {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  path: string
  body: string
}
/** What the receiver answers; a number is a status. */
type Answer = number | { status: number; headers?: Record<string, string>; body?: string }

export interface FakeWebhookReceiver {
  url: string
  /** Secrets that it checks with; one of them has to fit. */
  secrets: string[]
  /** Every request, in the order of arrival. */
  requests: Received[]
  /** Those that it took with a success. */
  taken: Received[]
  /** How many were signed with no secret that it knows. */
  forged: number
  answer: (request: Received) => Answer | Promise<Answer>
  /** Waits until so many were taken. */
  waitForTaken(count: number, ofType?: string): Promise<Received[]>
  close(): Promise<void>
}

const WAIT_MS = 20_000

/** Takes everything with 204 unless set otherwise. */
export async function startFakeWebhookReceiver(): Promise<FakeWebhookReceiver> {
  const receiver: FakeWebhookReceiver = {
    ...{ url: '', secrets: [], requests: [], taken: [], forged: 0 },
    answer: () => 204,
    waitForTaken: (count, ofType) =>
      waitFor(() => receiver.taken.filter(({ type }) => !ofType || type === ofType), count),
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  const server = createServer((request, response) => void take(receiver, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}

async function take(receiver: FakeWebhookReceiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  if (!receiver.secrets.some((secret) => isSigned(secret, body, headers))) {
    receiver.forged++
    response.writeHead(401).end()
    return
  }
  const received = { ...JSON.parse(body), id: headers['webhook-id'] ?? '', path: request.url ?? '', body } as Received
  receiver.requests.push(received)
  const answer = await receiver.answer(received)
  const { status, headers: sent = {}, body: text = '' } = typeof answer === 'number' ? { status: answer } : answer
  if (status >= 200 && status < 300) receiver.taken.push(received)
  response.writeHead(status, sent).end(text)
}

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function waitFor(find: () => Received[], count: number): Promise<Received[]> {
  const until = Date.now() + WAIT_MS
  while (find().length < count) {
    if (Date.now() > until) throw new Error(`only ${find().length} of ${count} events have come`)
    await new Promise((done) => setTimeout(done, 10))
  }
  return find()
}
