// The page on which a person plays a customer of a fake provider, and the operator who answers at the provider itself, next to what the
// provider shows of the account: one template for all providers that show one account and one chat. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** What differs between the pages. Texts are in both languages, and HTML. */
export type PageLook = {
  /** By which the browser remembers its customer. */
  name: string
  title: string
  /** The provider that it fakes. */
  intro: string
  /** Custom properties: `--page`, `--mine`, `--theirs`, `--chat`, `--line`, `--accent`, `--on`, in the light and in the dark theme. */
  colors: { light: string; dark: string }
  /** Ids of customers, from the first up to the last. */
  customers: [number, number]
  /** The title of the provider's panel for the account. */
  panel: string
  /** The labels of an account that is connected, and of one that is not. */
  states: [string, string]
  /** Names and values to copy from: the id of the element, and its label. */
  facts: [id: string, label: string][]
  /** An address is entered by hand, with a token: their placeholders. */
  webhook?: [string, string]
  /** A person answers at the provider: in a field of the panel, or with a button next to the customer's. */
  answer?: { at: 'panel' | 'button'; label: string }
  /** Longest message. */
  longest?: number
}

/** `person`: an operator of the account, where they are distinguished from the agent. `press`: posted when the button is pressed. */
export type PageMessage = {
  from: 'me' | 'agent' | 'person'
  text: string
  buttons?: { label: string; press: Record<string, unknown> }[]
}

/** The chat as the customer's phone shows it, oldest first. `subject`: what it is about. */
export type PageState = {
  facts: Record<string, string>
  subject?: string
  isConnected: boolean
  messages: PageMessage[]
  note: string
}

/** What was posted: words, trimmed. `choice`: anything. */
export type PageAsked = Record<'text' | 'payload' | 'mid' | 'id' | 'url' | 'verifyToken', string> & { choice: unknown }

/** The operations of a page on its fake. `act` returns whether it was done. */
export type PageFake = {
  isCustomer: RegExp
  state(customer: string): PageState
  act(what: '/say' | '/press' | '/answer', customer: string, asked: PageAsked): boolean
  enterWebhook?(entered: { url: string; verifyToken: string }): Promise<boolean>
}

/** Shown while an answer is being generated. */
export const TYPING_NOTE = 'печатает… · typing…'
/** For how long that is shown. */
export const TYPING_MS = 5000

const ACTS = ['/say', '/press', '/answer'] as const

/** Starts a page on a port of this machine. @returns its address and how to stop it */
export async function startProviderPage(look: PageLook, fake: PageFake, port: number) {
  const html = pageOf(look)
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    if (url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/state') {
      const state = fake.state(url.searchParams.get('user') ?? '')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state))
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    return response.writeHead((await isDone(fake, url.pathname, await readPosted(request))) ? 200 : 400).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function isDone(fake: PageFake, what: string, { user, asked }: Posted): Promise<boolean> {
  if (what === '/webhook')
    return (await fake.enterWebhook?.({ url: asked.url, verifyToken: asked.verifyToken })) ?? false
  const act = ACTS.find((each) => each === what)
  if (!act || !fake.isCustomer.test(user) || (act !== '/press' && asked.text === '')) return false
  return fake.act(act, user, asked)
}

type Posted = { user: string; asked: PageAsked }

async function readPosted(request: IncomingMessage): Promise<Posted> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = JSON.parse(body) as Record<string, unknown>
  const word = (name: string) => (typeof given[name] === 'string' ? given[name].trim() : '')
  const words = { text: word('text'), payload: word('payload'), mid: word('mid'), id: word('id') }
  return {
    user: word('user'),
    asked: { ...words, url: word('url'), verifyToken: word('verifyToken'), choice: given.choice },
  }
}

function pageOf({ name, customers, states, ...look }: PageLook): string {
  const { webhook, answer } = look
  const hook =
    webhook &&
    `<form id="hook">
        <input id="url" aria-label="Callback URL" placeholder="${webhook[0]}" required>
        <input id="verifyToken" aria-label="Verify token" placeholder="${webhook[1]}" required>
        <button type="submit">Verify and save · Проверить и сохранить</button>
        <p id="status" role="status"></p>
      </form>`
  const own =
    answer?.at === 'panel' &&
    `<form id="answer">
        <input id="answerText" aria-label="${answer.label}" placeholder="${answer.label}">
        <button type="submit">→<span hidden>Ответить · Answer</span></button>
      </form>`
  const filled: Record<string, string> = {
    title: look.title,
    intro: look.intro,
    panel: look.panel,
    ...look.colors,
    facts: look.facts.map(([id, label]) => `<dt>${label}</dt><dd id="${id}"></dd>`).join(''),
    forms: [hook, own].filter(Boolean).join(''),
    person: answer?.at === 'button' ? `<button type="button" id="owner" title="${answer.label}">☎</button>` : '',
    longest: String(look.longest ?? 4000),
    script: JSON.stringify({ name, customers, states }),
  }
  const html = readFileSync(path.join(import.meta.dirname, 'provider-page.html'), 'utf8')
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_, part: string) => filled[part] ?? '')
}
