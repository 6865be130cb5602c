// The outbox of letters: what a mail server gets, and what becomes of a letter that it does not take.
import { afterEach, describe, expect, it } from 'vitest'
import { sendLetter, sendLetterJob, tidyLetters } from '#server/domain/letters/letters.job.ts'
import type { LetterContent } from '#server/integrations/mail/letters.ts'
import { type StartOptions, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'

const TO = 'ann@example.test'
const INVITATION: LetterContent = {
  ...{ kind: 'invitation', organization: 'Hotel', inviter: 'Bob', role: 'builder', path: '/invite?token=t', days: 3 },
}

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function start(smtpUrl: string | undefined, options: StartOptions = {}): Promise<TestApp> {
  const mail = { smtpUrl, from: 'Parley <parley@mail.example.test>' }
  const app = await startApp({ ...options, config: { mail, ...options.config } })
  open.push(app)
  return app
}

async function mailServer(port?: number): Promise<FakeSmtp> {
  const smtp = await startFakeSmtp(port)
  open.push(smtp)
  return smtp
}

function write({ database, services }: TestApp, content = INVITATION, language: 'ru' | 'en' = 'en') {
  const { jobs, secrets } = services
  return database.system('test', (db) => sendLetter({ db, jobs, secrets }, { to: TO, language, ...content }))
}

const rows = (app: TestApp) => app.database.root.selectFrom('letters').selectAll().execute()

/** Makes the next attempt of every letter due. */
async function hurry(app: TestApp): Promise<void> {
  const waiting = app.database.root.updateTable('letters').where('state', '=', 'waiting')
  await waiting.set({ next_attempt_at: new Date(0) }).execute()
  await tidyLetters(app.services, Date.now())
  await app.settle()
}

describe('a letter', () => {
  it('has both parts, the headers of a program, and a link to this installation', async () => {
    const smtp = await mailServer()
    const app = await start(smtp.url)
    await write(app)
    const letter = await smtp.letter(1)
    expect(letter).toMatchObject({ to: [TO], subject: 'Parley: invitation to Hotel' })
    expect(letter.text).toContain(`${app.url}/invite?token=t`)
    expect(letter.html).toContain(`href="${app.url}/invite?token=t"`)
    const header = (name: string) => letter.headers.find(({ key }) => key === name)?.value
    expect(header('auto-submitted')).toBe('auto-generated')
    expect(header('message-id')).toMatch(/^<[0-9a-v]{32}@mail\.example\.test>$/)
  })

  it('lets no name add a header, a recipient or markup', async () => {
    const smtp = await mailServer()
    const app = await start(smtp.url)
    const organization = 'Hotel\r\nBcc: victim@example.test\r\n\r\n<img src=x onerror=alert(1)>'
    await write(app, { ...INVITATION, organization, inviter: '"><script>alert(1)</script>' })
    const letter = await smtp.letter(1)
    expect(letter.to).toEqual([TO])
    expect(letter.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(letter.html).not.toMatch(/<img|<script/)
    expect(letter.html).toContain('&lt;script&gt;')
  })

  it('is written only if its transaction commits', async () => {
    const smtp = await mailServer()
    const app = await start(smtp.url)
    const { jobs, secrets } = app.services
    const failing = app.database.system('test', async (db) => {
      await sendLetter({ db, jobs, secrets }, { to: TO, language: 'ru', ...INVITATION })
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await app.settle()
    expect(await rows(app)).toEqual([])
    expect(smtp.letters).toEqual([])
  })
})

describe('a mail server', () => {
  it('that is away gets the letter when it is back', async () => {
    const smtp = await startFakeSmtp()
    const { url } = smtp
    smtp.close()
    const app = await start(url)
    await write(app)
    await expect.poll(async () => (await rows(app))[0]).toMatchObject({ state: 'waiting', attempts: 1 })
    expect((await rows(app))[0]?.content).toMatch(/^v1\./)
    const back = await mailServer(Number(new URL(url).port))
    await hurry(app)
    expect(back.letters.map(({ to }) => to)).toEqual([[TO]])
    expect(await rows(app)).toMatchObject([{ state: 'sent', attempts: 2, content: null }])
  })

  it('that refuses for now is asked again, and one that refuses for good is not', async () => {
    const smtp = await mailServer()
    const app = await start(smtp.url)
    smtp.refusal = { code: 451, text: 'greylisted' }
    await write(app)
    await expect.poll(async () => (await rows(app))[0]).toMatchObject({ state: 'waiting', attempts: 1 })
    smtp.refusal = { code: 550, text: 'no such mailbox' }
    await hurry(app)
    const [row] = await rows(app)
    expect(row).toMatchObject({ state: 'failed', attempts: 2, content: null })
    expect(row?.last_error).toContain('no such mailbox')
    smtp.refusal = null
    await hurry(app)
    expect(smtp.letters).toEqual([])
  })

  it('is tried at least five times, over at least half a day', async () => {
    const smtp = await mailServer()
    smtp.refusal = { code: 451, text: 'later' }
    const app = await start(smtp.url)
    await write(app)
    await expect.poll(async () => (await rows(app))[0]).toMatchObject({ state: 'waiting', attempts: 1 })
    let waited = 0
    for (let row = (await rows(app))[0]; row?.state === 'waiting'; row = (await rows(app))[0]) {
      waited += row.next_attempt_at.getTime() - Date.now()
      await hurry(app)
    }
    expect(waited).toBeGreaterThan(12 * 3_600_000)
    const [row] = await rows(app)
    expect(row?.state).toBe('failed')
    expect(row?.attempts).toBeGreaterThanOrEqual(5)
  })

  it('gets each letter once from two servers of one installation', async () => {
    const smtp = await mailServer()
    const database = await openTestDatabase()
    open.push(database)
    const secret = { appSecret: 'a secret of at least thirty-two characters' }
    const both = [
      await start(smtp.url, { database, config: secret }),
      await start(smtp.url, { database, config: secret }),
    ]
    for (const app of both) await write(app)
    const [first] = both as [TestApp, TestApp]
    for (const { id } of await rows(first)) {
      const run = ({ services }: TestApp) => sendLetterJob.run(services, { letterId: id }, AbortSignal.timeout(5000))
      await Promise.all(both.map(run))
    }
    await first.settle()
    expect(smtp.letters).toHaveLength(2)
  })
})

describe('tidying', () => {
  it('gives up what was cut off, does not send what has run out, and deletes what is old', async () => {
    const smtp = await mailServer()
    smtp.refusal = { code: 451, text: 'later' }
    const app = await start(smtp.url)
    await write(app)
    await expect.poll(async () => (await rows(app))[0]).toMatchObject({ state: 'waiting', attempts: 1 })
    smtp.refusal = null
    await app.database.root
      .updateTable('letters')
      .set({ expires_at: new Date(0) })
      .execute()
    await hurry(app)
    expect(await rows(app)).toMatchObject([{ state: 'failed', last_error: 'expired', content: null }])
    await app.database.root.updateTable('letters').set({ state: 'sending' }).execute()
    await tidyLetters(app.services, Date.now() + 3_600_000)
    expect(await rows(app)).toMatchObject([{ state: 'failed', last_error: 'cut_off' }])
    await tidyLetters(app.services, Date.now() + 8 * 86_400_000)
    expect(await rows(app)).toEqual([])
    expect(smtp.letters).toEqual([])
  })
})

describe('/dev/mail', () => {
  it('shows letters with their links where that is switched on, and is nowhere else', async () => {
    const app = await start(undefined, { config: { showsLetters: true } })
    await write(app)
    await app.settle()
    const page = await (await fetch(`${app.url}/dev/mail`)).text()
    expect(page).toContain(`<a href="${app.url}/invite?token=t"`)
    const plain = await start(undefined)
    await write(plain)
    expect(await (await fetch(`${plain.url}/dev/mail`)).text()).not.toContain('token=t')
  })
})
