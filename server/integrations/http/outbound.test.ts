// The outbound guard: nothing internal is reached, by whatever spelling, name or redirect.
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TooLargeError } from './http-client.ts'
import { isPublicAddress } from './outbound.addresses.ts'
import { createOutbound, OutboundError } from './outbound.ts'

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.15.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '1.1.1',
    '0x7f.1',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('a request', () => {
  let internal: http.Server
  let port: number
  let hits: string[]

  beforeAll(async () => {
    internal = http.createServer((request, response) => {
      hits.push(request.url ?? '')
      const redirect = /^\/to\/(.+)$/.exec(request.url ?? '')?.[1]
      if (redirect) response.writeHead(302, { location: decodeURIComponent(redirect) }).end()
      else if (request.url === '/big') response.end(Buffer.alloc(2000))
      else if (request.url === '/error') response.writeHead(500).end()
      else if (request.url === '/page')
        response.setHeader('content-type', 'Text/HTML; charset=utf-8').end('<p>page</p>')
      else if (request.url === '/broken') response.writeHead(200).write('half', () => request.destroy())
      else if (request.url === '/hang') return
      else if (request.url === '/events') response.writeHead(200, { 'x-kind': 'events' }).write('first')
      else response.end('secret')
    })
    internal.listen(0, '127.0.0.1')
    await once(internal, 'listening')
    port = (internal.address() as AddressInfo).port
  })
  afterAll(() => {
    internal.close()
  })
  beforeEach(() => {
    hits = []
  })

  /** A client that may reach the internal server under one name only. */
  const open = () =>
    createOutbound({
      resolve: async () => ['127.0.0.1'],
      isAllowed: (_, to) => to === String(port),
    })

  it('brings back the body: the refusals below are not for another reason', async () => {
    expect(Buffer.from(await open().get(`http://public.test:${port}/`, 100)).toString()).toBe('secret')
  })

  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://127.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://user:password@127.0.0.1:PORT/',
    'http://127.0.0.1:PORT#@example.com/',
    'http:\\\\127.0.0.1:PORT\\',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:PORT/_',
    'data:text/plain,x',
    'javascript:alert(1)',
    '//127.0.0.1:PORT/',
    '',
  ])('to %s reaches nothing', async (url) => {
    const guarded = createOutbound()
    await expect(guarded.get(url.replace('PORT', String(port)), 100)).rejects.toThrow(OutboundError)
    expect(hits).toEqual([])
  })

  it('to a name that resolves inside reaches nothing, also when only one of its addresses does', async () => {
    for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::1'], []]) {
      const guarded = createOutbound({
        resolve: async () => addresses,
        isAllowed: (address) => isPublicAddress(address),
      })
      await expect(guarded.get(`http://rebinding.test:${port}/`, 100)).rejects.toThrow(OutboundError)
    }
    expect(hits).toEqual([])
  })

  it('connects to what was checked: a name is asked for once', async () => {
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    let asked = 0
    const guarded = createOutbound({
      resolve: async () => answers[asked++] ?? [],
      isAllowed: (address) => address === '127.0.0.1',
    })
    await guarded.get(`http://rebinding.test:${port}/`, 100)
    expect(asked).toBe(1)
  })

  it('refuses other ports than those of the web', async () => {
    const guarded = createOutbound({ resolve: async () => ['1.1.1.1'] })
    await expect(guarded.get('http://public.test:22/', 100)).rejects.toThrow(/only the ports 80 and 443/)
  })

  it('follows redirects, and checks each address again', async () => {
    const to = (url: string) => `http://public.test:${port}/to/${encodeURIComponent(url)}`
    expect(Buffer.from(await open().get(to('/'), 100)).toString()).toBe('secret')
    hits = []
    for (const inside of ['http://127.0.0.1:1/', 'http://[::1]:1/', 'file:///etc/passwd', 'http://u:p@public.test/']) {
      await expect(open().get(to(inside), 100), inside).rejects.toThrow(OutboundError)
    }
    expect(hits.every((hit) => hit.startsWith('/to/'))).toBe(true)
  })

  it('gives up after three redirects', async () => {
    const nested = (depth: number): string => (depth === 0 ? '/' : `/to/${encodeURIComponent(nested(depth - 1))}`)
    expect(await open().get(`http://public.test:${port}${nested(3)}`, 100)).toBeDefined()
    await expect(open().get(`http://public.test:${port}${nested(4)}`, 100)).rejects.toThrow(/redirects/)
  })

  it('gives up on bodies that are too large and on errors', async () => {
    await expect(open().get(`http://public.test:${port}/big`, 1999)).rejects.toThrow(/more than/)
    await expect(open().get(`http://public.test:${port}/error`, 100)).rejects.toThrow(/answered 500/)
    await expect(open().get(`http://public.test:${port}/error`, 100)).rejects.toMatchObject({ status: 500 })
    await expect(open().get(`http://public.test:${port}/broken`, 100)).rejects.toThrow(OutboundError)
  })

  it('tells what came, and from where after the redirects', async () => {
    const options = { maxBytes: 100, signal: new AbortController().signal }
    const fetched = await open().fetch(`http://public.test:${port}/to/${encodeURIComponent('/page')}`, options)
    expect(fetched).toMatchObject({ url: `http://public.test:${port}/page`, contentType: 'text/html' })
    expect(Buffer.from(fetched.body).toString()).toBe('<p>page</p>')
    await expect(open().fetch('http://127.0.0.1:1/', options)).rejects.toThrow(OutboundError)
  })

  it('is broken off by who does not want it any more', async () => {
    const stop = new AbortController()
    const fetching = open().fetch(`http://public.test:${port}/hang`, { maxBytes: 100, signal: stop.signal })
    stop.abort(new Error('not wanted any more'))
    await expect(fetching).rejects.toThrow('not wanted any more')
  })

  describe('whose answer comes bit by bit', () => {
    const signal = new AbortController().signal
    const streaming = { method: 'POST', headers: { 'x-key': 'k' }, body: 'asked', maxBytes: 100, signal } as const
    const stream = (path: string, change = {}) =>
      open().stream(`http://public.test:${port}${path}`, { ...streaming, ...change })

    it('is read before it ends, and given up by who reads it', async () => {
      const response = await stream('/events')
      expect(response.headers.get('x-kind')).toBe('events')
      const reader = response.body?.getReader()
      expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first')
      await reader?.cancel()
    })

    it('is broken off while it comes', async () => {
      const stop = new AbortController()
      const response = await stream('/events', { signal: stop.signal })
      const reading = response.text()
      stop.abort()
      await expect(reading).rejects.toThrow()
    })

    it('is an answer whatever its status, and redirects are not followed', async () => {
      expect((await stream('/error')).status).toBe(500)
      const moved = await stream(`/to/${encodeURIComponent('/page')}`)
      expect([moved.status, moved.headers.get('location')]).toEqual([302, '/page'])
      expect(hits).toHaveLength(2)
    })

    it('ends beyond its size', async () => {
      expect((await (await stream('/big', { maxBytes: 2000 })).arrayBuffer()).byteLength).toBe(2000)
      await expect((await stream('/big', { maxBytes: 1999 })).text()).rejects.toThrow(TooLargeError)
    })

    it('reaches nothing internal', async () => {
      for (const url of [`http://127.0.0.1:${port}/`, `http://public.test:${port}/`, 'file:///etc/passwd'])
        await expect(createOutbound({ resolve: async () => ['127.0.0.1'] }).stream(url, streaming)).rejects.toThrow(
          OutboundError,
        )
      expect(hits).toEqual([])
    })
  })
})
