// The brand of an installation and of organizations: who may change it, what is refused, and everywhere that it shows.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type VisitorSession, WIDGET_COLOR, type WidgetSettings } from '#shared/channels/webchat.ts'
import { appErrorData } from '#shared/errors.ts'
import { BRAND_PICTURE_MAX_BYTES, type Brand, type BrandSettings } from '#shared/organizations/branding.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'

const NONE: BrandSettings = {
  ...{ name: '', accentLight: '', accentDark: '', senderName: '', senderAddress: '', replyTo: '' },
  ...{ footer: 'inherit', footerText: '', footerUrl: '' },
}
const { senderAddress: _, ...OWN_NONE } = NONE
const HOUSE: BrandSettings = {
  ...NONE,
  ...{ name: 'Acme & Co <b>', accentLight: '#8a1c4a', accentDark: '#ff9ec4' },
  ...{ senderName: 'Acme', senderAddress: 'hello@acme.example', replyTo: 'help@acme.example' },
  ...{ footer: 'own', footerText: 'Powered by Acme', footerUrl: 'https://acme.example' },
}

let smtp: FakeSmtp
let app: TestApp
let admin: Person
let owner: Person
let logo: Uint8Array
beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startApp({ config: { mail: { smtpUrl: smtp.url, from: 'Parley <parley@mail.example.test>' } } })
  admin = await app.signUp()
  owner = await app.signUp({ organization: 'Tea shop' })
  logo = await picture(1200, 300)
})
afterAll(async () => {
  await app.close()
  smtp.close()
})

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#8a1c4a' } })
    .png()
    .toBuffer()
const save = (settings: Partial<BrandSettings>) =>
  admin.http.mutation(api.admin.branding.update, { ...NONE, ...settings })
const saveOwn = (settings: Partial<typeof OWN_NONE>) =>
  owner.http.mutation(api.branding.update, { ...OWN_NONE, ...settings })
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error),
  )
const shown = (): Promise<Brand> => owner.http.query(api.branding.shown, {})

async function upload(path: string, body: Uint8Array, person?: Person) {
  const headers = person ? { authorization: `Bearer ${await person.token()}` } : {}
  const answer = await fetch(`${app.url}/api/files/brands/${path}`, { method: 'POST', headers, body: body as BodyInit })
  return { status: answer.status, body: (await answer.json()) as { code?: string; path?: string } }
}

/** The page as it is once this server knows of a change. */
async function pageWith(text: string): Promise<{ html: string; etag: string | null }> {
  return vi.waitFor(async () => {
    const answer = await fetch(`${app.url}/signin`)
    const html = await answer.text()
    expect(html).toContain(text)
    return { html, etag: answer.headers.get('etag') }
  }, 30_000)
}

describe('what may be chosen', () => {
  it.each([
    [{ accentLight: '#ffd400' }, 'brand_color_too_light', { ratio: 1.36, min: 4.5 }],
    [{ accentDark: '#2a1a1a' }, 'brand_color_too_dark', { ratio: 1.03, min: 4.5 }],
    [{ accentLight: 'red' }, 'brand_color_invalid', {}],
    [{ accentDark: '#fff' }, 'brand_color_invalid', {}],
    [{ accentLight: '}body{' }, 'brand_color_invalid', {}],
    [{ name: 'Acme\nBcc: all' }, 'brand_text_not_plain', {}],
    [{ senderName: 'Acme\r\nBcc: all@example.com' }, 'brand_text_not_plain', {}],
    [{ name: 'Acme\u202e' }, 'brand_text_not_plain', {}],
    [{ senderAddress: 'nobody' }, 'brand_address_invalid', {}],
    [{ senderAddress: 'a@b.example>, c@d.example' }, 'brand_address_invalid', {}],
    [{ replyTo: 'a@b.example\r\nBcc: c@d.example' }, 'brand_address_invalid', {}],
    [{ footer: 'own' as const }, 'brand_footer_empty', {}],
    [{ footer: 'own' as const, footerText: 'X', footerUrl: 'javascript:alert(1)' }, 'brand_link_invalid', {}],
    [{ footer: 'own' as const, footerText: 'X', footerUrl: 'acme.example' }, 'brand_link_invalid', {}],
  ])('refuses %j with %s', async (settings, code, params) => {
    expect(await refusalOf(save(settings))).toMatchObject({ code, params })
    if (!('senderAddress' in settings)) expect(await refusalOf(saveOwn(settings))).toMatchObject({ code, params })
  })

  it('leaves everything as it was after a refusal', async () => {
    expect(await shown()).toMatchObject({ name: 'Parley', accent: { light: null, dark: null } })
  })

  it('refuses an organization an address to send from', async () => {
    const call = owner.http.mutation(api.branding.update, { ...NONE, senderAddress: 'a@b.example' } as never)
    expect((await refusalOf(call))?.code).toBe('invalid_arguments')
  })
})

describe('pictures', () => {
  it('are for administrators of the installation, or of the organization', async () => {
    const analyst = await app.signUp({ organization: null })
    const row = { user_id: analyst.user._id, organization_id: owner.organization._id, role: 'analyst' } as const
    await app.database.root.insertInto('members').values(row).execute()
    expect(await upload('installation/logoLight', logo)).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated' },
    })
    expect(await upload('installation/logoLight', logo, owner)).toMatchObject({
      status: 403,
      body: { code: 'admin_required' },
    })
    expect(await upload('organization/logoLight', logo, analyst)).toMatchObject({
      status: 403,
      body: { code: 'role_required' },
    })
    expect(await upload('installation/banner', logo, admin)).toMatchObject({ status: 404 })
  })

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'picture_not_readable'],
    ['a page', '<!doctype html><script>alert(1)</script>', 'picture_not_readable'],
    ['nothing', '', 'file_empty'],
    ['too much', 'x'.repeat(BRAND_PICTURE_MAX_BYTES + 1), 'brand_picture_too_large'],
  ])('refuse %s', async (_name, text, code) => {
    expect((await upload('installation/icon', Buffer.from(text), admin)).body.code).toBe(code)
    expect((await admin.http.query(api.admin.branding.get, {})).icon).toBeNull()
  })

  it('keep the shape of a logo, are served to everybody, and go when another takes their place', async () => {
    const first = await upload('installation/logoLight', logo, admin)
    expect(first.status).toBe(201)
    const answer = await fetch(`${app.url}${first.body.path}`)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({ width: 384, height: 96 })
    const second = await upload('installation/logoLight', await picture(300, 300), admin)
    await app.settle()
    expect((await fetch(`${app.url}${first.body.path}`)).status).toBe(404)
    expect(await shown()).toMatchObject({ logo: { light: second.body.path, dark: second.body.path } })
    await admin.http.mutation(api.admin.branding.removePicture, { picture: 'logoLight' })
    await app.settle()
    expect((await fetch(`${app.url}${second.body.path}`)).status).toBe(404)
    expect(await shown()).toMatchObject({ logo: { light: null, dark: null } })
  })
})

describe('the brand of the installation', () => {
  it('is in the page and the manifest from the first byte, escaped, and costs no second transfer', async () => {
    await save(HOUSE)
    const { body } = await upload('installation/icon', logo, admin)
    const { html, etag } = await pageWith(`${body.path}`)
    expect(html).toContain('<title>Acme &amp; Co &lt;b&gt;</title>')
    expect(html).not.toContain('<b>')
    expect(html).toContain('"accent":{"light":"#8a1c4a","dark":"#ff9ec4"}')
    expect(html).toContain(`<link rel="icon" href="${body.path}" type="image/png" />`)
    const again = await fetch(`${app.url}/signin`, { headers: { 'if-none-match': etag ?? '' } })
    expect(again.status).toBe(304)
    const manifest = await (await fetch(`${app.url}/manifest.webmanifest`)).json()
    expect(manifest).toMatchObject({ name: 'Acme & Co <b>', theme_color: '#8a1c4a', icons: [{ src: body.path }] })
  })

  it('is read by no request', async () => {
    const reads = vi.spyOn(app.database, 'system')
    for (const path of ['/signin', '/agents', '/manifest.webmanifest']) await fetch(`${app.url}${path}`)
    const purposes = reads.mock.calls.map(([purpose]) => purpose).filter((purpose) => purpose !== 'branding: read')
    reads.mockRestore()
    expect(purposes.filter((purpose) => purpose.startsWith('branding'))).toEqual([])
  })

  it('is over letters about accounts: name, colour, sender, reply address', async () => {
    const before = smtp.letters.length
    await app.auth('/request-password-reset', { body: { email: owner.email } })
    const letter = await smtp.letter(before + 1)
    const header = (name: string) => letter.headers.find(({ key }) => key === name)?.value
    expect(letter.subject).toContain('Acme & Co <b>:')
    expect(header('from')).toBe('Acme <hello@acme.example>')
    expect(header('reply-to')).toBe('help@acme.example')
    expect(letter.html).toContain('Acme &amp; Co &lt;b&gt;')
    expect(letter.html).toContain('background:#8a1c4a')
    expect(`${letter.html}${letter.text}`).not.toContain('Parley')
  })

  it('names the account in authenticator apps', async () => {
    const body = { password: 'correct horse battery staple' }
    const answer = await app.auth('/two-factor/enable', { body, token: admin.sessionToken })
    expect(((await answer.json()) as { totpURI: string }).totpURI).toContain('issuer=Acme')
  })

  it('leaves an entry in the audit trail with what has changed, of the settings and of pictures', async () => {
    const { page } = await admin.http.query(api.admin.audit.list, {
      ...{ range: '24h', action: 'admin/branding:update', paginationOpts: { numItems: 50, cursor: null } },
    })
    expect(page).toContainEqual(
      expect.objectContaining({
        organization: null,
        actor: expect.objectContaining({ email: admin.email }),
        after: expect.objectContaining({ name: HOUSE.name, footerText: 'Powered by Acme' }),
      }),
    )
    expect(page).toContainEqual(expect.objectContaining({ before: { icon: null }, address: expect.any(String) }))
  })
})

describe('the brand of an organization', () => {
  it('is that of the installation where nothing is chosen', async () => {
    expect(await shown()).toMatchObject({ name: HOUSE.name, accent: { light: '#8a1c4a', dark: '#ff9ec4' } })
  })

  it('is shown to its people alone, at once', async () => {
    await saveOwn({ name: 'Tea desk', accentLight: '#0b6e63' })
    expect(await shown()).toEqual({
      name: 'Tea desk',
      logo: { light: null, dark: null },
      icon: null, // the installation's pictures show another name
      accent: { light: '#0b6e63', dark: '#ff9ec4' },
    })
    expect(await admin.http.query(api.branding.shown, {})).toMatchObject({ name: HOUSE.name })
    expect((await pageWith('Acme &amp; Co')).html).not.toContain('Tea desk')
  })

  it('is over its invitations, which leave from the address of the installation', async () => {
    await saveOwn({ name: 'Tea desk', accentLight: '#0b6e63', replyTo: 'tea@shop.example' })
    const before = smtp.letters.length
    await owner.http.mutation(api.organizations.invites.create, { email: 'new@tea.example', role: 'operator' })
    const letter = await smtp.letter(before + 1)
    const header = (name: string) => letter.headers.find(({ key }) => key === name)?.value
    expect(letter.subject).toContain('Tea desk:')
    expect(header('from')).toBe('Tea desk <hello@acme.example>')
    expect(header('reply-to')).toBe('tea@shop.example')
    expect(letter.html).toContain('background:#0b6e63')
    expect(letter.html.match(/Tea desk</g)).toHaveLength(1) // the head, not twice
  })

  it('leaves with the organization', async () => {
    const leaver = await app.signUp({ organization: 'Leaving' })
    const { body } = await upload('organization/icon', logo, leaver)
    await leaver.http.action(api.organizations.remove, { name: 'Leaving', password: 'correct horse battery staple' })
    await app.settle()
    expect((await fetch(`${app.url}${body.path}`)).status).toBe(404)
  })
})

describe('a web chat', () => {
  const texts = { greeting: '', offline: '' }
  const WIDGET: WidgetSettings = {
    ...{ title: 'Shop', color: '', position: 'right', hasAvatar: false, takesFiles: false, domains: [] },
    texts: { ru: texts, en: texts },
  }
  let connect: (color: string) => Promise<VisitorSession['widget']>
  beforeAll(async () => {
    const agent = await owner.http.mutation(api.agents.create, { name: 'Tea' })
    connect = async (color) => {
      const { externalAccountId } = await owner.http.action(api.channels.webchat.provision, {
        agentId: agent._id,
        widget: { ...WIDGET, color },
      })
      const address = `${app.url}/api/webchat/${externalAccountId}/session`
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(address, { method: 'POST', headers, body: '{}' })
      return ((await answer.json()) as VisitorSession).widget
    }
  })

  it('keeps its own colour, and has that of the brand where it has none', async () => {
    await saveOwn({ accentLight: '#0b6e63' })
    expect((await connect('#123456')).color).toBe('#123456')
    expect((await connect('')).color).toBe('#0b6e63')
    await saveOwn({})
    expect((await connect('')).color).toBe('#8a1c4a')
    await save({})
    expect((await connect('')).color).toBe(WIDGET_COLOR)
  })

  it('has the footer of the organization, that of the installation, or none', async () => {
    expect((await connect('')).footer).toBeNull()
    await save(HOUSE)
    expect((await connect('')).footer).toEqual({ text: 'Powered by Acme', url: 'https://acme.example' })
    await saveOwn({ footer: 'own', footerText: 'Tea & more' })
    expect((await connect('')).footer).toEqual({ text: 'Tea & more', url: null })
    await saveOwn({ footer: 'none' })
    expect((await connect('')).footer).toBeNull()
  })
})
