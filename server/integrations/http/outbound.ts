// The one client for requests to addresses that users enter (avatars, web pages): nothing internal is reachable, neither through redirects
// nor through DNS rebinding.
import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { streamOf } from './answer-stream.ts'
import { codeOf, NotConnectedError, readBytes } from './http-client.ts'
import { isPublicAddress } from './outbound.addresses.ts'

const MAX_REDIRECTS = 3
const TIMEOUT_MS = 10_000
const PORTS = new Set(['', '80', '443'])

/** Why a request was not made or not finished. The message is for the log: it names the address. */
export class OutboundError extends Error {
  /** The status of an answer other than 200; null when there was no answer or it was rejected for another reason. */
  readonly status: number | null
  constructor(message: string, status: number | null = null) {
    super(message)
    this.name = 'OutboundError'
    this.status = status
  }
}

/** A request to a public address that was refused because of its port. */
export class PortError extends OutboundError {
  constructor(host: string) {
    super(`only the ports 80 and 443 are reached: ${host}`)
    this.name = 'PortError'
  }
}

/** `url`: where the redirects ended. `contentType` in lower case, without parameters. */
export type Fetched = { url: string; contentType: string; body: Uint8Array }

/** What is posted; `headers` in lower case. `answerBytes`: so much of the answer is read, by default nothing. */
export type Posting = {
  headers: Record<string, string>
  body: string | Uint8Array
  signal: AbortSignal
  answerBytes?: number
}
/** The answer to it. `retryAfter` is the header as it came; `answer` the beginning of the body, as far as it came in time. */
export type Posted = { status: number; retryAfter: string | null; answer: Uint8Array }

/** A request with an answer that is read; `headers` in lower case. */
export type Calling = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  body?: string
  maxBytes: number
  signal: AbortSignal
}
/** The answer to it, whatever its status. */
export type Called = { status: number; text: string }

export interface Outbound {
  /**
   * Gets a public http(s) address. No cookies, no secrets, at most three redirects, ten seconds in all.
   * @throws OutboundError for addresses that are not public, other answers than 200, and bodies beyond `maxBytes`
   */
  get(url: string, maxBytes: number): Promise<Uint8Array>
  /** The same, with the content type and the final address. @throws the signal's reason too, when aborted */
  fetch(url: string, options: { maxBytes: number; signal: AbortSignal }): Promise<Fetched>
  /**
   * Posts to a public http(s) address. Any status is an answer: redirects are not followed, and of the body only `answerBytes` are read.
   * @throws OutboundError for addresses that are not public, NotConnectedError when definitely nothing was sent; any other error: the bytes
   * may have arrived
   */
  post(url: string, posting: Posting): Promise<Posted>
  /**
   * Calls a public http(s) address and reads the whole answer. Any status is an answer: redirects are not followed, since headers may hold
   * secrets. @throws OutboundError for addresses that are not public, TooLargeError, NotConnectedError when definitely nothing was sent; any
   * other error: the call may have arrived
   */
  call(url: string, calling: Calling): Promise<Called>
  /**
   * The same for an answer that comes bit by bit, such as a stream of events. The signal ends it at any time; reading its body throws
   * TooLargeError beyond `maxBytes`.
   */
  stream(url: string, calling: Calling): Promise<Response>
  /** Looks where an address leads without a request. @throws OutboundError for one that is not public; any other error: the name is unknown */
  check(url: string): Promise<void>
}

export type OutboundOptions = {
  /** Names → addresses; the system's resolver by default. */
  resolve?: (host: string) => Promise<string[]>
  /** Which addresses may be reached; tests open the loopback. */
  isAllowed?: (address: string, port: string) => boolean
}

/** A guarded client. */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const resolve = options.resolve ?? resolveBySystem
  const isAllowed = options.isAllowed ?? ((address, port) => isPublicAddress(address) && PORTS.has(port))
  const follow = async (url: string, given: Pick<Step, 'signal' | 'maxBytes'>): Promise<Fetched> => {
    let target = checkUrl(url)
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await request(target, { ...given, resolve, isAllowed })
      if ('body' in answer) return { ...answer, url: target.href }
      target = checkUrl(answer.location, target)
    }
    throw new OutboundError(`more than ${MAX_REDIRECTS} redirects from ${url}`)
  }
  return {
    async get(url, maxBytes) {
      return (await follow(url, { maxBytes, signal: AbortSignal.timeout(TIMEOUT_MS) })).body
    },
    async fetch(url, { maxBytes, signal }) {
      try {
        return await follow(url, { maxBytes, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
      } catch (error) {
        signal.throwIfAborted()
        throw error
      }
    },
    post: async (url, posting) => post(checkUrl(url), posting, { resolve, isAllowed }),
    call: async (url, calling) => callAndRead(checkUrl(url), calling, { resolve, isAllowed }),
    stream: async (url, streaming) => callAndStream(checkUrl(url), streaming, { resolve, isAllowed }),
    check: (url) => checkTarget(url, { resolve, isAllowed }),
  }
}

function checkUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new OutboundError(`not a web address: ${text}`)
  if (url.username || url.password) throw new OutboundError(`an address with a password: ${url.host}`)
  return url
}

async function checkTarget(text: string, gate: Gate): Promise<void> {
  const url = checkUrl(text)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = net.isIP(host) ? [host] : await gate.resolve(host)
  if (addresses.length === 0 || !addresses.every((address) => gate.isAllowed(address, url.port)))
    throw notAllowed(url, addresses)
}

type Gate = Required<OutboundOptions>
type Step = Gate & { signal: AbortSignal; maxBytes: number }

/**
 * Chooses the address in the connector itself, so that what was checked is what is connected to.
 * @throws OutboundError for a literal address that is not public: it never reaches a lookup
 */
function guardedLookup(url: URL, gate: Gate): net.LookupFunction {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port
  if (net.isIP(host) && !gate.isAllowed(host, port)) throw notAllowed(url, [host])
  return (name, lookupOptions, answer) => {
    gate.resolve(name).then(
      (addresses) => {
        const [first] = addresses
        if (!first || !addresses.every((address) => gate.isAllowed(address, port))) {
          return answer(notAllowed(url, addresses), '', 0)
        }
        if (lookupOptions.all) {
          return answer(
            null,
            addresses.map((address) => ({ address, family: net.isIP(address) })),
          )
        }
        answer(null, first, net.isIP(first))
      },
      (error: NodeJS.ErrnoException) => answer(error, '', 0),
    )
  }
}

function notAllowed({ host }: URL, addresses: string[]): OutboundError {
  const isPublic = addresses.length > 0 && addresses.every(isPublicAddress)
  return isPublic ? new PortError(host) : new OutboundError(`not a public address: ${host}`)
}

function request(url: URL, step: Step): Promise<Omit<Fetched, 'url'> | { location: string }> {
  return new Promise((done, fail) => {
    const lookup = guardedLookup(url, step)
    const client = url.protocol === 'https:' ? https : http
    const headers = { accept: '*/*', 'user-agent': 'Parley' }
    const call = client.get(url, { lookup, headers, signal: step.signal, agent: false }, (response) => {
      readAnswer(response, step.maxBytes).then(done, (error: Error) => {
        response.destroy()
        fail(asOutboundError(error, url))
      })
    })
    call.on('error', (error) => fail(asOutboundError(error, url)))
  })
}

function post(url: URL, { headers, body, signal, answerBytes = 0 }: Posting, gate: Gate): Promise<Posted> {
  const isSecure = url.protocol === 'https:'
  const options = {
    method: 'POST',
    lookup: guardedLookup(url, gate),
    headers: { ...headers, 'user-agent': 'Parley', 'content-length': Buffer.byteLength(body) },
    signal,
    agent: false,
  } as const
  return new Promise((done, fail) => {
    const call = (isSecure ? https : http).request(url, options, (response) => {
      const { 'retry-after': retryAfter = null } = response.headers
      const status = response.statusCode ?? 0
      isAnswered = true
      readBeginning(response, answerBytes, (answer) => done({ status, retryAfter, answer }))
    })
    let isConnected = false
    let isAnswered = false
    call.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)))
    call.on('error', (error) => {
      if (isAnswered) return // what has come of the body is enough
      if (error instanceof OutboundError) fail(error)
      else fail(isConnected ? error : new NotConnectedError(codeOf(error)))
    })
    call.end(body)
  })
}

function callAndRead(url: URL, calling: Calling, gate: Gate): Promise<Called> {
  return new Promise((done, fail) => {
    begin(url, calling, gate, {
      fail,
      answered(response) {
        const status = response.statusCode ?? 0
        readBytes(response, calling.maxBytes).then((bytes) => done({ status, text: bytes.toString('utf8') }), fail)
      },
    })
  })
}

function callAndStream(url: URL, calling: Calling, gate: Gate): Promise<Response> {
  return new Promise((done, fail) => {
    begin(url, calling, gate, { fail, answered: (response) => done(streamOf(response, calling.maxBytes)) })
  })
}

type Ends = { answered: (response: http.IncomingMessage) => void; fail: (error: Error) => void }

/** Sends a request; redirects are answers. */
function begin(url: URL, { method, headers, body, signal }: Calling, gate: Gate, { answered, fail }: Ends): void {
  const isSecure = url.protocol === 'https:'
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const sent = { ...headers, ...length, 'user-agent': 'Parley' }
  const options = { method, lookup: guardedLookup(url, gate), headers: sent, signal, agent: false } as const
  const call = (isSecure ? https : http).request(url, options, answered)
  let isConnected = false
  call.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true)))
  call.on('error', (error) => {
    if (error instanceof OutboundError) fail(error)
    else fail(isConnected ? error : new NotConnectedError(codeOf(error)))
  })
  call.end(body)
}

/** Reads up to so many bytes and hangs up. An answer that breaks off is as good as its beginning. */
function readBeginning(response: http.IncomingMessage, maxBytes: number, done: (answer: Uint8Array) => void): void {
  const chunks: Buffer[] = []
  let size = 0
  const end = () => done(Buffer.concat(chunks).subarray(0, maxBytes))
  response.on('error', end).on('close', end)
  if (maxBytes === 0) {
    response.destroy()
    return
  }
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) response.destroy()
  })
}

function asOutboundError(error: Error, url: URL): OutboundError {
  return error instanceof OutboundError ? error : new OutboundError(`${url.host}: ${error.message}`)
}

async function readAnswer(response: http.IncomingMessage, maxBytes: number) {
  const { statusCode = 0, headers } = response
  if (statusCode >= 300 && statusCode < 400 && headers.location) {
    response.destroy()
    return { location: headers.location }
  }
  if (statusCode !== 200) throw new OutboundError(`answered ${statusCode}`, statusCode)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > maxBytes) throw new OutboundError(`more than ${maxBytes} bytes`)
    chunks.push(bytes)
  }
  const contentType = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return { contentType, body: Buffer.concat(chunks) }
}

async function resolveBySystem(host: string): Promise<string[]> {
  const found = await dns.promises.lookup(host, { all: true })
  return found.map((entry) => entry.address)
}
