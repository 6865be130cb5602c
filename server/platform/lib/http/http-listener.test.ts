// How the listening socket treats its connections.
import { expect, it } from 'vitest'
import { listen } from './http-listener.ts'

it('keeps an idle connection for longer than proxies do, and ends it on close', async () => {
  const listener = await listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`http://127.0.0.1:${listener.port}/healthz`)
  expect(await answer.json()).toEqual({ status: 'ok' })
  const [, seconds] = /timeout=(\d+)/.exec(answer.headers.get('keep-alive') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThan(120)
  await listener.close(60_000)
})
