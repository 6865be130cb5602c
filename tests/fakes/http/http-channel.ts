// A program behind the HTTP channel, as docs/http-channel.md asks for one: it believes nothing unsigned, shows a message once however
// often it comes, and signs what it posts. Signatures are implemented here independently, so that both sides cannot share a mistake.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedEvent = { id: string; type: string; chatId?: string; text?: string }
/** Faults of the next requests. */
export type Fault = { status: number; headers?: Record<string, string> } | 'cut'
type Waiter = { isMet: () => boolean; resolve: () => void }

/** A program that listens on the loopback. */
export class FakeHttpProgram {
  url = ''
  /** The secret that Parley signs with. */
  outboundSecret = `whsec_${randomBytes(32).toString('base64')}`
  /** All correctly signed requests, repeats and refused ones included. */
  readonly requests: ReceivedEvent[] = []
  /** What was shown: each id once. */
  readonly shown: ReceivedEvent[] = []
  /** Answers to the next requests for messages; `cut` takes the message and breaks the connection. */
  readonly faults: Fault[] = []
  /** A hook that runs before a message is answered. */
  beforeAnswer: ((event: ReceivedEvent) => Promise<void>) | undefined
  private readonly server = http.createServer((request, response) => void this.answer(request, response))
  private readonly waiters: Waiter[] = []

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/parley`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** Texts that a chat was shown, in order. */
  textsTo(chatId: string): string[] {
    return this.shown.flatMap((event) =>
      event.type === 'message' && event.chatId === chatId ? [event.text ?? ''] : [],
    )
  }

  /** Requests for messages of a chat, repeats included. */
  requestsTo(chatId: string): ReceivedEvent[] {
    return this.requests.filter((event) => event.type === 'message' && event.chatId === chatId)
  }

  /** Resolves as soon as the condition holds; checked after each request. */
  waitFor(isMet: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (isMet()) resolve()
      else this.waiters.push({ isMet, resolve })
    })
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = request.headers
    const expected = signatureOf(this.outboundSecret, String(id), String(at), body)
    if (request.method !== 'POST' || !String(given).split(' ').includes(expected)) {
      response.writeHead(401).end()
      return
    }
    const event = { ...(JSON.parse(body) as ReceivedEvent), id: String(id) }
    this.requests.push(event)
    if (event.type === 'message') await this.beforeAnswer?.(event)
    this.take(event, response)
    for (const waiter of this.waiters) if (waiter.isMet()) waiter.resolve()
  }

  private take(event: ReceivedEvent, response: http.ServerResponse): void {
    const fault = event.type === 'message' ? this.faults.shift() : undefined
    if (fault && fault !== 'cut') return void response.writeHead(fault.status, fault.headers).end()
    if (event.chatId === 'nowhere') return void response.writeHead(404).end()
    if (!this.shown.some(({ id }) => id === event.id)) this.shown.push(event)
    if (fault === 'cut') return void response.destroy()
    response.writeHead(204).end()
  }
}

/** Starts a program, on any free port unless one is given. */
export async function startFakeHttpProgram(port = 0): Promise<FakeHttpProgram> {
  const program = new FakeHttpProgram()
  await program.start(port)
  return program
}

/** Headers of a body that is posted to Parley; `at` in milliseconds. */
export function headersFor(
  secret: string,
  body: string,
  { id = randomUUID(), at = Date.now() }: { id?: string; at?: number } = {},
): Record<string, string> {
  const seconds = String(Math.floor(at / 1000))
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatureOf(secret, id, seconds, body),
  }
}

function signatureOf(secret: string, id: string, seconds: string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
}
