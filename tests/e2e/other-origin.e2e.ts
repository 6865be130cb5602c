// The interface on a site of its own: signed in to a server on another origin, with a token in browser storage.
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { signUp } from '#tests/seeds/installation.ts'
import { expect, test } from './fixtures.ts'
import { type Installation, startInstallation } from './server.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const WEB = path.resolve(import.meta.dirname, '../../dist/web')
const TYPES: Partial<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

let installation: Installation
let site: http.Server
let origin: string

test.beforeAll(async () => {
  site = http.createServer(serve)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  installation = await startInstallation({ env: { ALLOWED_ORIGINS: origin } })
  await signUp(installation.url, ANNA, 'Anna & Co')
})
test.afterAll(async () => {
  await installation.close()
  site.closeAllConnections()
  site.close()
})

/** The built interface, whose page names the server. */
function serve(request: http.IncomingMessage, answer: http.ServerResponse): void {
  const asked = path.join(WEB, path.normalize(new URL(request.url ?? '/', 'http://x').pathname))
  const file = path.extname(asked) !== '' && fs.existsSync(asked) ? asked : path.join(WEB, 'index.html')
  answer.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream')
  const meta = `<meta name="parley-server" content="${installation.url}" />`
  answer.end(
    file.endsWith('.html') ? fs.readFileSync(file, 'utf8').replace('<head>', `<head>${meta}`) : fs.readFileSync(file),
  )
}

test('a user signs in on a separate site, returns to it, and leaves nothing behind after signing out', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: origin })
  const page = await context.newPage()
  await page.goto('/agents')
  await expect(page).toHaveURL(/\/signin/)
  await page.locator('input[type=email]').fill(ANNA.email)
  await page.locator('input[type=password]').fill(ANNA.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/agents$/)
  const kept = () =>
    page.evaluate(() =>
      Object.keys(localStorage)
        .filter((key) => key.startsWith('better-auth_'))
        .sort(),
    )
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page).toHaveURL(/\/agents$/)
  expect(await kept()).toEqual(['better-auth_cookie', 'better-auth_session_data'])
  expect(await context.cookies()).toEqual([])
  await page.goto('/settings/security')
  await expect(page.getByRole('listitem').first()).toBeVisible()
  await page.evaluate(() => localStorage.removeItem('better-auth_cookie'))
  await page.evaluate(() => localStorage.removeItem('better-auth_session_data'))
  await page.goto('/agents')
  await expect(page).toHaveURL(/\/signin/)
  expect(await kept()).not.toContain('better-auth_session_data')
  await context.close()
})
