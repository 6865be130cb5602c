// The example program of the demonstration behind the HTTP channel, with a page on which it is connected by pasting its secrets, and on
// which a person writes as its customer.
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { headersFor, startFakeHttpProgram } from './http-channel.ts'

/** The program's settings of its connection. */
type Connection = { address: string; inbound: string; outbound: string }
type PageEntry = { chatId: string; from: 'me' | 'agent'; text: string; at: number }
/** `host`: the name by which the program is reached. `file`: where it keeps its connection, so that a restart loses nothing. */
type ProgramOptions = { port: number; programPort: number; host: string; file: string }

/** Starts the program and its page. @returns the page's address, the program's address, and how to stop both */
export async function startProgramPage({ port, programPort, host, file }: ProgramOptions) {
  const html = readFileSync(path.join(import.meta.dirname, 'http-program-page.html'))
  const program = await startFakeHttpProgram(programPort)
  const address = `http://${host}:${new URL(program.url).port}/parley`
  const entries: PageEntry[] = []
  const shown = new Set<string>()
  let connection = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Connection) : null
  if (connection) program.outboundSecret = connection.outbound
  program.beforeAnswer = async ({ id, chatId = '', text = '' }) => {
    if (!shown.has(id)) entries.push({ chatId, from: 'agent', text, at: Date.now() })
    shown.add(id)
  }

  const connect = (pasted: string): boolean => {
    const given = connectionOf(pasted)
    if (!given) return false
    connection = given
    program.outboundSecret = given.outbound
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(given))
    return true
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/') return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    const chatId = url.searchParams.get('chat') ?? ''
    if (url.pathname === '/state') {
      const isTested = program.requests.some(({ type }) => type === 'test')
      const messages = entries.filter((each) => each.chatId === chatId)
      return json({ address, connectedTo: connection?.address ?? null, isTested, messages })
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    const { text, name } = await readJson(request)
    if (url.pathname === '/connect') return json({}, connect(text) ? 200 : 400)
    if (url.pathname !== '/say' || !connection) return response.writeHead(404).end()
    entries.push({ chatId, from: 'me', text, at: Date.now() })
    return json({ refusal: await post(connection, { chatId, name, text }) })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    address,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await program.close()
    },
  }
}

/** Reads what the setup gives to copy: one variable per line. Null when something is missing. */
function connectionOf(pasted: string): Connection | null {
  const variable = (name: string) => new RegExp(`^\\s*${name}=(\\S+)`, 'm').exec(pasted)?.[1]
  const [address, inbound, outbound] = ['PARLEY_ADDRESS', 'INBOUND_SECRET', 'OUTBOUND_SECRET'].map(variable)
  if (!address || !URL.canParse(address) || !inbound?.startsWith('whsec_') || !outbound?.startsWith('whsec_'))
    return null
  return { address, inbound, outbound }
}

/** @returns why the message was refused; null: it was accepted */
async function post(
  { address, inbound }: Connection,
  { chatId, name, text }: { chatId: string; name: string; text: string },
): Promise<string | null> {
  const body = JSON.stringify({ type: 'message', chatId, sender: { name }, text })
  const answer = await fetch(address, { method: 'POST', headers: headersFor(inbound, body), body }).catch(() => null)
  if (answer?.status === 202) return null
  return answer ? `${answer.status} ${await answer.text()}` : 'no answer'
}

async function readJson(request: IncomingMessage): Promise<{ text: string; name: string }> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { text, name } = JSON.parse(body) as Record<string, unknown>
  return { text: String(text), name: String(name) }
}
