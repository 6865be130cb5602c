// The floor of the web chat's streams: bare server-sent events, and one bare streaming model call for each message, each piece of which
// is written as an event of the size that Parley's had. Nothing is stored, and there is no admission of visitors.
// Run: node bench/visitors.floor.ts <model url>
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callModel } from './floor.model.ts'

const [modelUrl = ''] = process.argv.slice(2)
const streams = new Map<string, ServerResponse>()

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://floor')
  const visitor = url.searchParams.get('visitor') ?? ''
  const padding = 'x'.repeat(Number(url.searchParams.get('bytes') ?? 0))
  const write = (event: object) =>
    streams.get(visitor)?.write(`event: chat\ndata: ${JSON.stringify({ ...event, padding })}\n\n`)
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.set(visitor, response)
    request.once('close', () => streams.delete(visitor))
    write({ bubbles: [], isAnswering: false, draft: null })
    return
  }
  response.writeHead(204).end()
  let draft = ''
  await callModel(modelUrl, 'Hello', (delta) => {
    draft += delta
    write({ bubbles: [], isAnswering: true, draft: 'x' })
  })
  write({ bubbles: [{ author: 'agent', text: draft }], isAnswering: false, draft: null })
})

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`)
})
