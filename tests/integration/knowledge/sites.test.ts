// Sites through the whole server: pages become documents, follow the site when it changes, and survive whatever happens to the reader.
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { STUCK_AFTER_MS } from '#server/domain/knowledge/documents/attempts.ts'
import { startRemoval } from '#server/domain/knowledge/sites/sites.removal.store.ts'
import { startDueSites, syncSite } from '#server/domain/knowledge/sites/sites.sync.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import type { Id } from '#shared/ids.ts'
import type { Site, SiteMode, SitePage } from '#shared/knowledge/sites.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSite, page, startFakeSite } from '#tests/fakes/site.ts'

let web: FakeSite
let app: TestApp
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
const never = new AbortController().signal

beforeAll(async () => {
  web = await startFakeSite('shop.example')
  const outbound = createOutbound({
    resolve: async (host) => (host === 'inside.example' ? ['10.0.0.1'] : ['127.0.0.1']),
    // A literal address is never allowed: the site is reached by its name alone.
    isAllowed: (address, port) => address === '127.0.0.1' && port === web.port,
  })
  app = await startApp({ overrides: { outbound } })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await web.close()
})
beforeEach(async () => {
  web.pages.clear()
  web.hits.length = 0
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
})

type Given = { mode?: SiteMode; maxPages?: number; maxDepth?: number; everyHours?: 24 | null }
const create = (path = '/', { mode = 'crawl', ...given }: Given = {}) =>
  person.http.mutation(api.knowledge.sites.create, { knowledgeSpaceId, url: web.origin + path, mode, ...given })
const siteNow = async () => (await person.http.query(api.knowledge.sites.list, { knowledgeSpaceId }))[0] as Site
const pagesOf = async (siteId: Id<'sites'>): Promise<Map<string, SitePage>> => {
  const paginationOpts = { numItems: 50, cursor: null }
  const list = await person.http.query(api.knowledge.sites.pages, { siteId, paginationOpts })
  return new Map(list.page.map((each) => [each.url.slice(web.origin.length), each]))
}
const documents = () => person.http.query(api.knowledge.documents.list, { knowledgeSpaceId })
const namesOfDocuments = async () => (await documents()).map(({ name }) => name).sort()
const found = async (query: string) =>
  (await person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query })).map(({ content }) => content)
async function imported(path = '/', given: Given = {}): Promise<Site> {
  await create(path, given)
  await app.settle()
  return siteNow()
}
async function syncedAgain(siteId: Id<'sites'>): Promise<Site> {
  web.hits.length = 0
  await person.http.mutation(api.knowledge.sites.syncNow, { siteId })
  await app.settle()
  return siteNow()
}
function twoPages(): void {
  web.pages.set('/', page('Магазин', 'Добро пожаловать.', '/delivery'))
  web.pages.set('/delivery', page('Доставка', 'Курьер привозит за два дня.'))
}
function threePages(): void {
  twoPages()
  web.pages.set('/', page('Магазин', 'Добро пожаловать.', '/delivery', '/returns'))
  web.pages.set('/returns', page('Возврат', 'Деньги возвращаются за неделю.'))
}

describe('a site', () => {
  it('is read by its links: allowed pages of the same host become documents, and nothing else', async () => {
    web.pages.set('/robots.txt', 'User-agent: *\nDisallow: /private')
    web.pages.set(
      '/',
      page(
        'Магазин',
        'Добро пожаловать.',
        '/delivery?utm_source=x#top',
        '/private',
        '/photo.jpg',
        '/hidden',
        '/gone',
        '/old',
        'http://elsewhere.example/',
        'mailto:a@shop.example',
      ),
    )
    web.pages.set('/delivery', page('Доставка', 'Курьер привозит за два дня.', '/'))
    web.pages.set('/private', page('Тайное', 'Не для чужих.'))
    web.pages.set('/hidden', `<meta name="robots" content="noindex">${page('Список', 'Не брать.', '/deep')}`)
    web.pages.set('/deep', page('Глубоко', 'Страница по ссылке из списка.'))
    web.pages.set('/old', new URL('/delivery', web.origin))
    const site = await imported()
    expect(site).toMatchObject({ status: 'ready', errorReason: null, pages: { done: 3, pending: 0, failed: 0 } })
    expect(await namesOfDocuments()).toEqual(['Глубоко', 'Доставка', 'Магазин'])
    expect((await documents()).every(({ status }) => status === 'ready')).toBe(true)
    expect(await found('курьер')).toEqual([expect.stringContaining('Курьер привозит за два дня.')])
    const pages = await pagesOf(site._id)
    const sourceId = pages.get('/delivery')?.document?._id ?? ''
    const source = await person.http.query(api.knowledge.chunks.source, { sourceId })
    expect(source).toMatchObject({ name: 'Доставка', url: `${web.origin}/delivery` })
    const reasons = Object.fromEntries([...pages].map(([path, { reason }]) => [path, reason]))
    expect(reasons).toEqual({
      '/': null,
      '/deep': null,
      '/delivery': null,
      '/gone': 'gone',
      '/hidden': 'robots',
      '/old': 'redirect',
      '/private': 'robots',
    })
    expect(web.hits).not.toContain('/private')
    expect(web.hits).not.toContain('/photo.jpg')
    expect(web.hits.filter((path) => path === '/robots.txt')).toHaveLength(1)
  })

  it('is read no further and no deeper than it is allowed to', async () => {
    threePages()
    expect((await imported('/', { maxPages: 2 })).pages).toMatchObject({ done: 2 })
    const { _id: siteId } = await siteNow()
    await person.http.mutation(api.knowledge.sites.update, { siteId, patch: { maxDepth: 0 } })
    expect((await syncedAgain(siteId)).pages).toMatchObject({ done: 1 })
    expect(await namesOfDocuments()).toEqual(['Магазин'])
  })

  it('is read as its sitemap lists it, packed and nested', async () => {
    threePages()
    const list = (...paths: string[]) =>
      `<urlset>${paths.map((path) => `<url><loc>${URL.parse(path, web.origin)?.href}</loc></url>`).join('')}</urlset>`
    web.pages.set('/sitemap.xml', `<sitemapindex><sitemap><loc>${web.origin}/1.xml.gz</loc></sitemap></sitemapindex>`)
    web.pages.set('/1.xml.gz', gzipSync(list('/delivery', '/returns', 'http://elsewhere.example/x')))
    const site = await imported('/', { mode: 'sitemap' })
    expect(site.url).toBe(`${web.origin}/sitemap.xml`)
    expect(await namesOfDocuments()).toEqual(['Возврат', 'Доставка'])
    web.pages.set('/1.xml.gz', gzipSync(list('/delivery')))
    await syncedAgain(site._id)
    expect(await namesOfDocuments()).toEqual(['Доставка'])
    web.pages.set('/1.xml.gz', 500)
    expect(await syncedAgain(site._id)).toMatchObject({ status: 'error', errorReason: 'unreachable' })
    web.pages.set('/sitemap.xml', '<html>Нет такой страницы</html>')
    expect(await syncedAgain(site._id)).toMatchObject({ status: 'error', errorReason: 'not_a_sitemap' })
    expect(await namesOfDocuments()).toEqual(['Доставка'])
  })

  it('is not added twice, nor by something that is no address', async () => {
    web.pages.set('/', page('Магазин', 'Добро пожаловать.'))
    await imported()
    await expect(create('/?utm_source=letter#top')).rejects.toMatchObject({ data: { code: 'site_exists' } })
    const add = (url: string) =>
      person.http.mutation(api.knowledge.sites.create, { knowledgeSpaceId, url, mode: 'crawl' })
    for (const url of ['ftp://shop.example/', 'http://user:pass@shop.example/', 'file:///etc/passwd', 'localhost'])
      await expect(add(url), url).rejects.toMatchObject({ data: { code: 'site_address_invalid' } })
  })

  it.each([
    'http://127.0.0.1/',
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://inside.example/',
  ])('at %s reaches nothing inside', async (url) => {
    await person.http.mutation(api.knowledge.sites.create, { knowledgeSpaceId, url, mode: 'crawl' })
    await app.settle()
    expect(await siteNow()).toMatchObject({ status: 'error', errorReason: 'unreachable', pages: { done: 0 } })
    expect(web.hits).toEqual([])
  })

  it('that leads inside is not followed', async () => {
    web.pages.set('/', new URL('http://10.0.0.1/secret'))
    expect(await imported()).toMatchObject({ status: 'error', errorReason: 'unreachable' })
  })
})

describe('reading a site again', () => {
  it('touches only what has changed, takes in what is new, and removes what is gone', async () => {
    threePages()
    const { _id: siteId } = await imported('/', { everyHours: 24 })
    const before = new Map((await documents()).map((document) => [document.name, document]))
    const attempts = () =>
      app.database.organization(person.organization._id, (db) =>
        db
          .selectFrom('documents')
          .where('knowledge_space_id', '=', knowledgeSpaceId)
          .select(['id', 'attempt'])
          .execute(),
      )
    const attemptsBefore = new Map((await attempts()).map(({ id, attempt }) => [id, attempt]))
    web.pages.set('/', `${page('Магазин', 'Добро пожаловать.', '/delivery', '/payment')}<script>Math.random()</script>`)
    web.pages.set('/delivery', page('Доставка', 'Курьер привозит завтра.'))
    web.pages.set('/payment', page('Оплата', 'Картой или наличными.'))
    web.pages.delete('/returns')
    const site = await syncedAgain(siteId)
    expect(site).toMatchObject({ status: 'ready', pages: { done: 3 } })
    expect(site.nextSyncAt).toBe((site.lastSyncedAt ?? 0) + 24 * 3_600_000)
    expect(await namesOfDocuments()).toEqual(['Доставка', 'Магазин', 'Оплата'])
    const start = before.get('Магазин')?._id as Id<'documents'>
    expect(new Map((await attempts()).map(({ id, attempt }) => [id, attempt])).get(start)).toBe(
      attemptsBefore.get(start),
    )
    expect((await documents()).find(({ name }) => name === 'Доставка')?._id).toBe(before.get('Доставка')?._id)
    expect(await found('курьер завтра')).toEqual([expect.stringContaining('Курьер привозит завтра.')])
    expect(await found('деньги неделю')).toEqual([])
  })

  it('keeps what is only out of reach, and tries one page again when asked to', async () => {
    web.pages.set('/', page('Магазин', 'Добро пожаловать.', '/delivery'))
    web.pages.set('/delivery', page('Доставка', 'Курьер привозит за два дня.', '/rates'))
    web.pages.set('/rates', page('Тарифы', 'Посылка стоит тысячу.'))
    const { _id: siteId } = await imported()
    const delivery = web.pages.get('/delivery') ?? ''
    web.pages.set('/delivery', 503)
    expect(await syncedAgain(siteId)).toMatchObject({ status: 'ready', pages: { done: 2, failed: 1 } })
    const failed = (await pagesOf(siteId)).get('/delivery')
    expect(failed).toMatchObject({ status: 'failed', reason: 'unreachable', document: { status: 'ready' } })
    const retry = async () => {
      web.hits.length = 0
      await person.http.mutation(api.knowledge.sites.retryPage, { sitePageId: failed?._id as Id<'sitePages'> })
      await app.settle()
    }
    web.pages.set('/delivery', delivery)
    await retry()
    expect((await siteNow()).pages).toMatchObject({ done: 3, failed: 0 })
    expect(web.hits).toEqual(['/robots.txt', '/delivery'])
    web.pages.set('/robots.txt', 500)
    expect(await syncedAgain(siteId)).toMatchObject({ status: 'error', errorReason: 'unreachable' })
    web.pages.set('/robots.txt', 'User-agent: *\nDisallow: /')
    expect(await syncedAgain(siteId)).toMatchObject({ status: 'error', errorReason: 'robots' })
    web.pages.delete('/robots.txt')
    await retry()
    expect(web.hits).toEqual(['/robots.txt', '/delivery'])
    expect(await siteNow()).toMatchObject({ status: 'error', errorReason: 'robots', pages: { done: 3, failed: 0 } })
    expect(await namesOfDocuments()).toEqual(['Доставка', 'Магазин', 'Тарифы'])
    web.pages.set('/robots.txt', 500)
    await retry()
    expect(await siteNow()).toMatchObject({ status: 'error', errorReason: 'robots', pages: { done: 2, failed: 1 } })
  })

  it('does not go on with what was stopped when one page is asked for, and takes away nothing', async () => {
    threePages()
    const { _id: siteId } = await imported()
    web.pages.set('/', page('Магазин', 'Скоро закроемся.', '/delivery', '/payment'))
    const held = web.hold('/delivery')
    await person.http.mutation(api.knowledge.sites.syncNow, { siteId })
    await held.arrived
    await person.http.mutation(api.knowledge.sites.cancel, { siteId })
    held.release()
    await app.settle()
    web.hits.length = 0
    web.pages.set('/payment', page('Оплата', 'Картой или наличными.', '/', '/credit'))
    const sitePageId = (await pagesOf(siteId)).get('/payment')?._id as Id<'sitePages'>
    await person.http.mutation(api.knowledge.sites.retryPage, { sitePageId })
    await app.settle()
    expect(web.hits).toEqual(['/robots.txt', '/payment'])
    expect(await siteNow()).toMatchObject({ status: 'stopped', pages: { done: 3, pending: 1 } })
    expect(await namesOfDocuments()).toEqual(['Возврат', 'Доставка', 'Магазин', 'Оплата'])
  })

  it('does not bring back a document that a person has deleted, unless asked to; removing the site removes the rest', async () => {
    const fragment = { knowledgeSpaceId, name: 'Заметка', content: 'Деньги считаем вместе.' }
    await person.http.mutation(api.knowledge.fragments.create, fragment)
    web.pages.set('/', page('Возврат', 'Деньги возвращаются за неделю.'))
    const { _id: siteId } = await imported('/', { everyHours: 24 })
    const documentId = (await pagesOf(siteId)).get('/')?.document?._id as Id<'documents'>
    await person.http.mutation(api.knowledge.documents.remove, { documentId })
    await syncedAgain(siteId)
    const deleted = (await pagesOf(siteId)).get('/')
    expect(deleted).toMatchObject({ status: 'skipped', reason: 'deleted', document: null })
    expect(await found('деньги')).toEqual([fragment.content])
    await person.http.mutation(api.knowledge.sites.retryPage, { sitePageId: deleted?._id as Id<'sitePages'> })
    await app.settle()
    expect(await found('деньги')).toContainEqual(expect.stringContaining('Деньги возвращаются'))
    await person.http.mutation(api.knowledge.sites.remove, { siteId })
    await app.settle()
    expect(await documents()).toEqual([])
    expect(await found('деньги')).toEqual([fragment.content])
  })

  it('happens by itself when its time has come, and only then', async () => {
    web.pages.set('/', page('Магазин', 'Добро пожаловать.'))
    const { _id: siteId, nextSyncAt } = await imported('/', { everyHours: 24 })
    web.hits.length = 0
    await startDueSites(app.services, new Date((nextSyncAt ?? 0) - 1000))
    expect((await siteNow()).status).toBe('ready')
    await startDueSites(app.services, new Date(nextSyncAt ?? 0))
    await app.settle()
    expect(web.hits).toContain('/')
    await person.http.mutation(api.knowledge.sites.update, { siteId, patch: { everyHours: null } })
    expect(await siteNow()).toMatchObject({ everyHours: null, nextSyncAt: null })
  })
})

describe('the reader', () => {
  const data = (siteId: Id<'sites'>) => ({ organizationId: person.organization._id, siteId })

  it('can be stopped at any moment, and records nothing from then on', async () => {
    twoPages()
    const held = web.hold('/delivery')
    const { _id: siteId } = await create()
    await held.arrived
    await expect(person.http.mutation(api.knowledge.sites.syncNow, { siteId })).rejects.toMatchObject({
      data: { code: 'site_syncing' },
    })
    const work = async (part: 'unfinished' | 'ended') =>
      (await person.http.query(api.knowledge.sites.listWork, {}))[part].filter(({ _id }) => _id === siteId)
    expect(await work('unfinished')).toMatchObject([{ status: 'syncing', pages: { done: 1, pending: 1 } }])
    await person.http.mutation(api.knowledge.sites.cancel, { siteId })
    held.release()
    await app.settle()
    expect([await work('unfinished'), await work('ended')]).toMatchObject([[], [{ status: 'stopped' }]])
    expect(await siteNow()).toMatchObject({ status: 'stopped', pages: { done: 1, pending: 1 } })
    await expect(person.http.mutation(api.knowledge.sites.cancel, { siteId })).rejects.toMatchObject({
      data: { code: 'site_not_syncing' },
    })
    expect(await syncedAgain(siteId)).toMatchObject({ status: 'ready', pages: { done: 2, pending: 0 } })
  })

  it('that is stopped before a page which was asked for again leaves it as it was, and deleted ones deleted', async () => {
    threePages()
    const { _id: siteId, pages } = await imported()
    expect(pages).toEqual({ done: 3, pending: 0, skipped: 0, failed: 0 })
    const before = await pagesOf(siteId)
    const documentId = before.get('/returns')?.document?._id as Id<'documents'>
    await person.http.mutation(api.knowledge.documents.remove, { documentId })
    await syncedAgain(siteId)
    const held = web.hold('/delivery')
    for (const path of ['/delivery', '/returns']) {
      const sitePageId = before.get(path)?._id as Id<'sitePages'>
      await person.http.mutation(api.knowledge.sites.retryPage, { sitePageId })
    }
    await held.arrived
    expect((await siteNow()).pages).toEqual({ done: 1, pending: 2, skipped: 0, failed: 0 })
    await person.http.mutation(api.knowledge.sites.cancel, { siteId })
    held.release()
    await app.settle()
    expect(await siteNow()).toMatchObject({ status: 'ready', pages: { done: 2, pending: 0, skipped: 1 } })
    expect((await pagesOf(siteId)).get('/returns')).toMatchObject({ status: 'skipped', reason: 'deleted' })
    expect(await syncedAgain(siteId)).toMatchObject({ pages: { done: 2, pending: 0, skipped: 1 } })
  })

  it('goes on where a server that stopped has left off', async () => {
    twoPages()
    const held = web.hold('/delivery')
    // The queue is not used: the test is both the server that stops and the one that comes after it.
    const services = { ...app.services, jobs: { ...app.services.jobs, send: async () => undefined } }
    const siteId = await waiting()
    const stop = new AbortController()
    const work = syncSite(services, data(siteId), stop.signal)
    await held.arrived
    stop.abort(new Error('stopping'))
    await expect(work).rejects.toThrow('stopping')
    held.release()
    expect(await siteNow()).toMatchObject({ status: 'syncing', pages: { done: 1, pending: 1 } })
    web.hits.length = 0
    await syncSite(app.services, data(siteId), never)
    expect(web.hits).toEqual(['/robots.txt', '/delivery'])
    await app.settle()
    expect(await namesOfDocuments()).toEqual(['Доставка', 'Магазин'])
  })

  it('that removes a site is heard of, goes on where it was broken off, and leaves only what is not of the site', async () => {
    threePages()
    const { _id: siteId } = await imported()
    const own = { knowledgeSpaceId, name: 'Заметка', content: 'Курьер наш.' }
    await person.http.mutation(api.knowledge.fragments.create, own)
    await app.database.organization(person.organization._id, (db) =>
      startRemoval({ db, organizationId: person.organization._id }, siteId, new Date()),
    )
    expect(await siteNow()).toMatchObject({ status: 'removing', nextSyncAt: null, pages: { done: 3 } })
    for (const call of [api.knowledge.sites.syncNow, api.knowledge.sites.cancel, api.knowledge.sites.remove]) {
      await expect(person.http.mutation(call, { siteId })).rejects.toMatchObject({ data: { code: 'not_found' } })
    }
    await startDueSites(app.services, new Date(Date.now() + STUCK_AFTER_MS + 1000))
    await app.settle()
    expect(await siteNow()).toBeUndefined()
    expect(await documents()).toEqual([])
    expect(await found('курьер')).toEqual([own.content])
  })

  it('of which there are two on one site makes each document once', async () => {
    web.pages.set('/', page('Магазин', 'Добро пожаловать.'))
    const siteId = await waiting()
    await Promise.all([syncSite(app.services, data(siteId), never), syncSite(app.services, data(siteId), never)])
    await app.settle()
    expect(await siteNow()).toMatchObject({ status: 'ready', pages: { done: 1 } })
    expect(await namesOfDocuments()).toEqual(['Магазин'])
  })

  it('that gives no sign of life for five minutes is replaced by another', async () => {
    web.pages.set('/', page('Магазин', 'Добро пожаловать.'))
    const siteId = await waiting()
    await startDueSites(app.services, new Date(Date.now() + STUCK_AFTER_MS - 60_000))
    await app.settle()
    expect((await siteNow()).status).toBe('syncing')
    await startDueSites(app.services, new Date(Date.now() + STUCK_AFTER_MS + 1000))
    await app.settle()
    expect(await siteNow()).toMatchObject({ _id: siteId, status: 'ready', pages: { done: 1 } })
  })

  /** A site in state syncing that no job works on. */
  async function waiting(): Promise<Id<'sites'>> {
    const held = web.hold('/robots.txt')
    const { _id: siteId } = await create()
    await held.arrived
    await person.http.mutation(api.knowledge.sites.cancel, { siteId })
    held.release()
    await app.settle()
    await app.database.organization(person.organization._id, (db) =>
      db.updateTable('sites').set({ status: 'syncing', heartbeat_at: new Date() }).where('id', '=', siteId).execute(),
    )
    return siteId
  }
})
