// A person has forgotten their password: the letter, its link, the new password, and what becomes of the old password and of open screens.
import { type FakeSmtp, type Letter, startFakeSmtp } from '#tests/fakes/smtp.ts'
import { signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const OLD = 'correct horse 42'
const NEW = 'another battery staple 43'

let smtp: FakeSmtp
let installation: Installation

test.beforeAll(async () => {
  smtp = await startFakeSmtp()
  installation = await startInstallation({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Parley <parley@example.test>' } })
})
test.afterAll(async () => {
  await installation.close()
  smtp.close()
})

// A letter has a language of its own, so both are always played.
for (const look of looksOf('ru 1280 light', true).filter(isOnDiagonal)) {
  test(`a forgotten password is replaced by the link of a letter: ${look.name}`, async ({ browser }) => {
    const say = wordsOf(look.language)
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: OLD }
    const { url: baseURL } = installation
    await signUp(baseURL, person, 'Anna & Co')
    const options = { baseURL, locale: look.language === 'ru' ? 'ru-RU' : 'en-GB' }
    const open = await openContext(browser, look, { ...options, person })
    const lost = await open.newPage()
    await lost.goto('/agents')
    await expect(lost.getByRole('heading', { level: 1 })).toBeVisible()

    const context = await openContext(browser, look, options)
    const page = await context.newPage()
    await page.goto('/signin')
    await page.getByRole('link', { name: say('auth', 'signIn.forgot') }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('auth', 'forgot.title'))
    await page.getByLabel(say('auth', 'field.email')).fill(person.email)
    await page.getByRole('button', { name: say('auth', 'forgot.submit') }).click()
    await expect(page.getByText(say('auth', 'forgot.sent', { email: person.email }))).toBeVisible()
    await expectAccessible(page, 'the letter is sent')

    const letter = await letterWithLink(person.email)
    expect(letter.subject).toBe(look.language === 'ru' ? 'Parley: новый пароль' : 'Parley: new password')
    const link = linkOf(letter)
    await page.goto(link)
    await page.getByLabel(say('auth', 'reset.newPassword')).fill(NEW)
    await page.getByLabel(say('auth', 'field.confirmPassword')).fill(NEW)
    await expectAccessible(page, 'a new password')
    await page.getByRole('button', { name: say('auth', 'reset.submit') }).click()
    await expect(page).toHaveURL(/\/signin/)
    await expect(lost).toHaveURL(/\/signin/)

    await enter(OLD)
    await expect(page.getByRole('alert')).toBeVisible()
    await enter(NEW)
    await expect(page).toHaveURL(/\/agents$/)
    await open.close()

    await context.clearCookies()
    await page.goto(link)
    await page.getByLabel(say('auth', 'reset.newPassword')).fill(OLD)
    await page.getByLabel(say('auth', 'field.confirmPassword')).fill(OLD)
    await page.getByRole('button', { name: say('auth', 'reset.submit') }).click()
    await expect(page.getByText(say('auth', 'reset.badTitle'))).toBeVisible()
    await expectAccessible(page, 'a used link')
    await context.close()

    async function enter(password: string): Promise<void> {
      await page.getByLabel(say('auth', 'field.email')).fill(person.email)
      await page.getByLabel(say('auth', 'field.password'), { exact: true }).fill(password)
      await page.getByRole('button', { name: say('auth', 'signIn.submit'), exact: true }).click()
    }
  })
}

/** Each language and each width once. */
function isOnDiagonal({ language, width }: Look): boolean {
  return (language === 'ru') === (width === 1280)
}

/** The letter comes from a job of the server, after the one that confirms the address. */
async function letterWithLink(email: string): Promise<Letter> {
  const found = () => smtp.letters.find(({ to, text }) => to.includes(email) && text.includes('/reset?'))
  await expect.poll(() => found()?.subject ?? null).not.toBeNull()
  return found() as Letter
}

function linkOf({ text }: Letter): string {
  return /https?:\S+\/reset\?\S+/.exec(text)?.[0] ?? ''
}
