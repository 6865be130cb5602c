// Finds or unpacks a browser for tests: CHROMIUM_PATH, a Chromium on PATH, else the one of @sparticuz/chromium (Linux on x64).
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'chromium-headless-shell', 'google-chrome']
/** Not the list of @sparticuz/chromium: that one switches web security off. */
const ARGUMENTS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--font-render-hinting=none',
]

/** A headless browser; close it when done. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await chromiumLaunch())
}

/** Launch options for Playwright. */
export async function chromiumLaunch(): Promise<{ executablePath: string; headless: true; args: string[] }> {
  return { executablePath: await browserPath(), headless: true, args: ARGUMENTS }
}

/** The program to launch, with its libraries in place. Unpacking takes two or three seconds, once per checkout. */
async function browserPath(): Promise<string> {
  return process.env.CHROMIUM_PATH ?? installedBrowser() ?? (await unpackedBrowser())
}

function installedBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}

async function unpackedBrowser(): Promise<string> {
  const cache = join(import.meta.dirname, '../.cache/chromium')
  await mkdir(cache, { recursive: true })
  // The package unpacks into the temporary folder it sees when it is loaded.
  const temporaryFolder = process.env.TMPDIR
  process.env.TMPDIR = cache
  const { default: packed, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium')
  const path = await packed.executablePath()
  const packageFolder = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')))
  await inflate(join(packageFolder, 'bin', 'al2023.tar.br'))
  process.env.FONTCONFIG_FILE = await writeFontsConfig(cache)
  setupLambdaEnvironment(join(cache, 'al2023', 'lib'))
  if (temporaryFolder === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = temporaryFolder
  return path
}

/** The package's own configuration knows only a folder that we do not unpack to; without any font Chromium crashes. */
async function writeFontsConfig(cache: string): Promise<string> {
  const path = join(cache, 'fonts.conf')
  const folders = [join(cache, 'fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`).join('')
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}<cachedir>${join(cache, 'font-cache')}</cachedir></fontconfig>`
  await writeFile(path, text)
  return path
}
