// Web chats created over the API, and sites of other origins that embed them: the setup of the visitors' stories.
import type { Frame, FrameLocator, Page } from '@playwright/test'
import type { WidgetSettings } from '#shared/channels/webchat.ts'
import { listenOnLoopback } from '#tests/loopback.ts'
import { call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { expect } from './fixtures.ts'

export const OWNER = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }

const WIDGET: WidgetSettings = {
  title: 'Shop',
  color: '#2f5d50',
  position: 'right',
  hasAvatar: false,
  takesFiles: true,
  texts: { ru: { greeting: 'Здравствуйте!', offline: '' }, en: { greeting: 'Hello!', offline: '' } },
  domains: [],
}

/** A web chat of an agent, and the session of its owner. `snippet`: what sites embed. */
export type MadeChat = {
  server: string
  session: Session
  agentId: string
  connectionId: string
  key: string
  snippet: string
}

/** Signs up a user, who creates an agent and its web chat. */
export async function makeChat(server: string): Promise<MadeChat> {
  const session = await signUp(server, OWNER, 'Anna & Co')
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
  const made = await call(session, 'action', 'channels/webchat:provision', { agentId, widget: WIDGET })
  const { _id: connectionId, externalAccountId: key } = made as { _id: string; externalAccountId: string }
  const snippet = `<script async src="${server}/widget.js" data-key="${key}" data-lang="auto"></script>`
  return { server, session, agentId, connectionId, key, snippet }
}

/** Changes the appearance of the chat, and the sites that may embed it. */
export async function changeChat(chat: MadeChat, settings: Partial<WidgetSettings>): Promise<void> {
  const widget = { ...WIDGET, ...settings }
  await call(chat.session, 'mutation', 'channels/webchat:update', { connectionId: chat.connectionId, widget })
}

/** A site whose pages may change while it runs. `host`: as in the settings of a chat. */
export type Site = { url: string; host: string; pages: Record<string, string>; close(): Promise<void> }

/**
 * A site of another origin.
 *
 * @param name of this machine: the server is reached as `localhost`, and `127.0.0.1` is another site
 * @param headers of each page
 */
export async function openSite(name: '127.0.0.1' | 'localhost', headers: Record<string, string> = {}): Promise<Site> {
  const pages: Record<string, string> = {}
  const { url, close } = await listenOnLoopback((request) => {
    const page = pages[new URL(request.url).pathname]
    return new Response(page ?? '', {
      status: page === undefined ? 404 : 200,
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    })
  })
  const named = new URL(url.replace('127.0.0.1', name))
  return { url: named.origin, host: named.host, pages, close }
}

/** A page of a site, around the embedded snippet. */
export function pageWith(body: string, language = 'en'): string {
  return `<!doctype html><html lang="${language}"><title>Shop</title><main><h1>Shop</h1><a href="#goods">Goods</a></main>${body}</html>`
}

/** The frame of the chat as a visitor sees it. */
export function shownChat(page: Page): FrameLocator {
  return page.frameLocator('iframe[src*="/widget/"]')
}

/** The frame of the chat, for access behind its interface. */
export async function frameOf(page: Page): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().includes('/widget/'))
  await expect.poll(() => find() !== undefined).toBe(true)
  return find() as Frame
}

/** The newest conversation of the team. */
export async function newestConversation({ session }: MadeChat): Promise<string> {
  const paginationOpts = { numItems: 1, cursor: null }
  const { page } = (await call(session, 'query', 'conversations:list', { paginationOpts })) as { page: unknown[] }
  return idOf(page[0])
}
