// A push service as browsers have one: RFC 8030 with the sender's identity of RFC 8292 and the encryption of RFC 8291, checked strictly.
// It stands behind an https address that leads nowhere: the sender has to be given its real address (`reach`).
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Outbound } from '#server/integrations/http/outbound.ts'

const ORIGIN = 'https://push.example'
const DAY_SECONDS = 86_400
const SALT_BYTES = 16
const POINT_BYTES = 65
const HEAD_BYTES = SALT_BYTES + 5 + POINT_BYTES
const TAG_BYTES = 16
/** Behind the text, before the padding. */
const LAST = 2

type Subscription = { endpoint: string; p256dh: string; auth: string }
type Browser = { keys: ECDH; auth: Buffer; sender: string; status: number; received: unknown[]; topics: string[] }

export interface FakePushService {
  /** A browser subscribes, for a sender with this key. */
  subscribe(sender: string): Subscription
  /** The alerts that a browser was shown, decrypted; and their topics. */
  received(endpoint: string): unknown[]
  topics(endpoint: string): string[]
  /** Answers for a browser with this status from now on; 201 accepts alerts. */
  answer(endpoint: string, status: number): void
  /** The same client, with the address of this service leading to it. */
  reach(outbound: Outbound): Outbound
  close(): Promise<void>
}

export async function startFakePushService(): Promise<FakePushService> {
  const browsers = new Map<string, Browser>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const browser = browsers.get(`${ORIGIN}${request.url}`)
    response.writeHead(browser ? take(browser, request.headers, Buffer.concat(chunks)) : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const find = (endpoint: string) => {
    const browser = browsers.get(endpoint)
    if (!browser) throw new Error('nobody has subscribed there')
    return browser
  }
  return {
    subscribe(sender) {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(SALT_BYTES)
      const endpoint = `${ORIGIN}/send/${randomBytes(12).toString('hex')}`
      browsers.set(endpoint, { keys, auth, sender, status: 201, received: [], topics: [] })
      return { endpoint, p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') }
    },
    received: (endpoint) => find(endpoint).received,
    topics: (endpoint) => find(endpoint).topics,
    answer(endpoint, status) {
      find(endpoint).status = status
    },
    reach: (outbound) => ({
      ...outbound,
      post: (address, posting) => outbound.post(address.replace(ORIGIN, url), posting),
    }),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** @returns the status of the answer */
function take(browser: Browser, headers: IncomingHttpHeaders, body: Buffer): number {
  if (!isSender(headers.authorization ?? '', browser.sender)) return 403
  const { ttl, topic = '' } = headers
  if (!/^\d+$/.test(String(ttl)) || !/^[\w-]{1,32}$/.test(String(topic))) return 400
  if (headers['content-encoding'] !== 'aes128gcm' || body.length > 4096) return 400
  if (browser.status !== 201) return browser.status
  browser.received.push(JSON.parse(decrypt(browser, body)))
  browser.topics.push(String(topic))
  return 201
}

/** Whether a token of the very key with which the browser has subscribed allows this service, and for a day at most. */
function isSender(authorization: string, sender: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(sender, 'base64url')
  const coordinates = { x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') }
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', ...coordinates }, format: 'jwk' })
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  if (
    key !== sender ||
    !verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url'))
  )
    return false
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const secondsLeft = Number(exp) - Date.now() / 1000
  return aud === ORIGIN && secondsLeft > 0 && secondsLeft <= DAY_SECONDS && /^(mailto|https):/.test(String(sub))
}

function decrypt({ keys, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, SALT_BYTES)
  const theirs = body.subarray(HEAD_BYTES - POINT_BYTES, HEAD_BYTES)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), theirs])
  const secret = hkdfSync('sha256', keys.computeSecret(theirs), auth, info, 32)
  const part = (name: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${name}\0`, bytes))
  const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
  decipher.setAuthTag(body.subarray(-TAG_BYTES))
  const plain = Buffer.concat([decipher.update(body.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(LAST)).toString('utf8')
}
