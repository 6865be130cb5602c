// A whole installation for a browser story: the real server as its own process on a fresh data folder, with fakes of Telegram, WhatsApp and a model.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createMigratedDatabase } from '#tests/database.ts'
import { type FakeAvito, startFakeAvito } from '#tests/fakes/avito/avito.ts'
import { type FakeGreenApi, startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { type FakeInstagram, startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'
import { INSTAGRAM_VERSION } from '#tests/fakes/instagram/instagram-methods.ts'
import { type FakeMax, startFakeMax } from '#tests/fakes/max/max.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type FakeVk, startFakeVk } from '#tests/fakes/vk/vk.ts'
import {
  type FakeWhatsappCloud,
  GRAPH_VERSION,
  startFakeWhatsappCloud,
} from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'

export type Installation = {
  url: string
  telegram: FakeTelegram
  greenApi: FakeGreenApi
  whatsappCloud: FakeWhatsappCloud
  max: FakeMax
  vk: FakeVk
  avito: FakeAvito
  instagram: FakeInstagram
  openai: FakeOpenAi | null
  close(): Promise<void>
}

const START_LIMIT_MS = 60_000
const ROOT = path.resolve(import.meta.dirname, '../..')

type InstallationOptions = {
  hasModel?: boolean
  /** The server creates and runs its database itself, which takes seconds; otherwise it gets an empty existing one. */
  isFromNothing?: boolean
  /** Pretends to have a public https address, which only the fakes resolve. */
  isPublic?: boolean
  /** Further variables of the server's environment. */
  env?: Record<string, string>
}

/** Starts an installation. Without `hasModel` no key is configured, as on a first start. */
export async function startInstallation({
  hasModel = false,
  isFromNothing = false,
  isPublic = false,
  env = {},
}: InstallationOptions = {}): Promise<Installation> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-e2e-'))
  const database = isFromNothing ? undefined : await createMigratedDatabase()
  const telegram = await startFakeTelegram()
  const greenApi = await startFakeGreenApi({ secondMs: 100 })
  const whatsappCloud = await startFakeWhatsappCloud()
  const max = await startFakeMax()
  const vk = await startFakeVk()
  const avito = await startFakeAvito()
  const instagram = await startFakeInstagram()
  const openai = hasModel ? await startFakeOpenAi() : null
  const port = await freePort()
  const server = spawn(process.execPath, ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...(database && { DATABASE_URL: database.url }),
      TELEGRAM_API_ROOT: telegram.url,
      GREEN_API_URL: greenApi.url,
      WHATSAPP_GRAPH_URL: whatsappCloud.origin,
      WHATSAPP_GRAPH_VERSION: GRAPH_VERSION,
      MAX_API_URL: max.url,
      VK_API_URL: vk.url,
      AVITO_API_URL: avito.url,
      INSTAGRAM_GRAPH_URL: instagram.origin,
      INSTAGRAM_GRAPH_VERSION: INSTAGRAM_VERSION,
      ...(isPublic && { PUBLIC_URL: 'https://parley.example', ALLOWED_ORIGINS: `http://localhost:${port}` }),
      ...(openai && { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: openai.url }),
      ...env,
    },
  })
  const url = `http://localhost:${port}`
  avito.webhookOrigin = () => url
  instagram.webhookOrigin = () => url
  const close = async () => {
    await stop(server)
    await telegram.close()
    await greenApi.close()
    await whatsappCloud.close()
    await max.close()
    await vk.close()
    await avito.close()
    await instagram.close()
    await openai?.close()
    await database?.drop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await ready(url, server)
  } catch (error) {
    await close()
    throw error
  }
  return { url, telegram, greenApi, whatsappCloud, max, vk, avito, instagram, openai, close }
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`The server ended with code ${server.exitCode}`)
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await wait(100)
  }
  throw new Error('The server did not become ready')
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return
  const exited = once(server, 'exit')
  server.kill('SIGTERM')
  await exited
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
