// White label, in a browser: an administrator sets the brand of the installation; the sign-in page, the shell, a letter and the web chat show it.
import sharp from 'sharp'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { judgeFrom, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const ROOT = { name: 'Root', email: 'root@example.com', password: 'correct horse 42' }
const NAME = 'Заря & Co'

for (const look of looksOf('ru 1280 light')) {
  test.describe(`branding: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const word = (key: string, values: Record<string, string | number> = {}) => say('branding', key, values)
    let smtp: FakeSmtp
    let installation: Installation

    test.beforeAll(async () => {
      smtp = await startFakeSmtp()
      installation = await startInstallation({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Parley <parley@example.test>' } })
    })
    test.afterAll(async () => {
      await installation?.close()
      smtp?.close()
    })

    test('an installation is shown under another name everywhere', async ({ browser }) => {
      const baseURL = installation.url
      const session = await signUp(baseURL, ROOT, 'House')
      const context = await openContext(browser, look, { baseURL, person: ROOT })
      const page = await context.newPage()
      const judge = (name: string) => judgeFrom(page, `branding ${name}`, { look })
      await page.goto('/admin/branding')
      const light = page.getByRole('textbox', { name: word('colors.light'), exact: true })
      await light.fill('#ffd400')
      await expect(
        page.getByText(say('errors', 'brand_color_too_light', ratioOf(look.language, '1.36', '4.5'))),
      ).toBeVisible()
      await judge('refused')
      await light.fill('#8a1c4a')
      await page.getByRole('textbox', { name: word('colors.dark'), exact: true }).fill('#ff9ec4')
      await page.getByRole('textbox', { name: word('name.label'), exact: true }).fill(NAME)
      await page.getByRole('textbox', { name: word('letters.senderName'), exact: true }).fill('Zarya')
      await page.getByRole('radio', { name: word('footer.modes.own') }).focus()
      await page.keyboard.press('Space')
      await page.getByRole('textbox', { name: word('footer.text'), exact: true }).fill('By Zarya')
      await page.getByRole('textbox', { name: word('footer.text'), exact: true }).press('Enter')
      await expect(page.getByText(word('saved'))).toBeVisible()
      await expect(page).toHaveTitle(new RegExp(NAME))
      const logo = await sharp({ create: { width: 400, height: 100, channels: 4, background: '#8a1c4a' } })
        .png()
        .toBuffer()
      await page.getByTestId('brand-logoLight').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
      await expect(page.getByText(word('pictures.taken'))).toBeVisible()
      await judge('installation')
      await page.goto('/settings/branding')
      await expect(page.getByRole('textbox', { name: word('name.label'), exact: true })).toHaveAttribute(
        'placeholder',
        NAME,
      )
      await judge('organization')

      const guest = await openContext(browser, look, { baseURL })
      const signIn = await guest.newPage()
      await expect(async () => {
        await signIn.goto('/signin')
        await expect(signIn.getByRole('banner').getByRole('img', { name: NAME })).toBeVisible({ timeout: 2000 })
      }).toPass()
      await expect(signIn).toHaveTitle(new RegExp(NAME))
      const primary = await signIn.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--primary'),
      )
      expect(primary).toBe(look.theme === 'dark' ? '#ff9ec4' : '#8a1c4a')
      await judgeFrom(signIn, 'branding sign-in', { look })

      const before = smtp.letters.length
      await call(session, 'mutation', 'organizations/invites:create', { email: 'new@example.com', role: 'operator' })
      const letter = await smtp.letter(before + 1)
      expect(letter.subject).toContain(`${NAME}:`)
      expect(letter.headers.find(({ key }) => key === 'from')?.value).toBe('Zarya <parley@example.test>')
      expect(letter.html).toContain(`alt="${NAME.replace('&', '&amp;')}"`)

      const agent = (await call(session, 'mutation', 'agents:create', { name: 'Agent' })) as { _id: string }
      const texts = { greeting: '', offline: '' }
      const widget = {
        ...{ title: 'Chat', color: '', position: 'right', hasAvatar: false, takesFiles: false, domains: [] },
        texts: { ru: texts, en: texts },
      }
      const made = (await call(session, 'action', 'channels/webchat:provision', { agentId: agent._id, widget })) as {
        externalAccountId: string
      }
      const chat = await guest.newPage()
      await chat.goto(`/talk/${made.externalAccountId}`)
      await expect(chat.getByText('By Zarya')).toBeVisible()
      await expect(chat.locator('header')).toHaveCSS('background-color', 'rgb(138, 28, 74)')
      await judgeFrom(chat, 'branding web chat', { look })
      await guest.close()
      await context.close()
    })
  })
}

/** Numbers as the language writes them. */
function ratioOf(language: 'ru' | 'en', ratio: string, min: string): Record<string, string> {
  const written = (number: string) => (language === 'ru' ? number.replace('.', ',') : number)
  return { ratio: written(ratio), min: written(min) }
}
