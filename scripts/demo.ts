// `npm run demo`: the real server on an embedded database in data/demo, filled with a hotel's workspace, along with fakes of the model,
// of Telegram, WhatsApp, MAX, VK, Avito, Instagram and the hotel's site, and a page of another origin that embeds web chats. Nothing
// leaves this machine. Delete data/demo to start from scratch;
// `--empty` leaves the hotel's workspace as a newcomer's: nothing in it.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { createOutbound } from '#server/integrations/http/outbound.ts'
import { StartError } from '#server/platform/lib/start-error.ts'
import { startFakeAvito } from '#tests/fakes/avito/avito.ts'
import { startAvitoPage } from '#tests/fakes/avito/avito-page.ts'
import { startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { startGreenApiPage } from '#tests/fakes/green-api/green-api-page.ts'
import { startProgramPage } from '#tests/fakes/http/http-program-page.ts'
import { startFakeInstagram } from '#tests/fakes/instagram/instagram.ts'
import { INSTAGRAM_VERSION } from '#tests/fakes/instagram/instagram-methods.ts'
import { startInstagramPage } from '#tests/fakes/instagram/instagram-page.ts'
import { startFakeMax } from '#tests/fakes/max/max.ts'
import { startMaxPage } from '#tests/fakes/max/max-page.ts'
import { answerFromPassages } from '#tests/fakes/openai/openai.demo.ts'
import { replyWithChoices } from '#tests/fakes/openai/openai.demo-choices.ts'
import { replyFromTable } from '#tests/fakes/openai/openai.demo-tables.ts'
import { startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { startFakeSite } from '#tests/fakes/site.ts'
import { startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { startTelegramPage } from '#tests/fakes/telegram/telegram-page.ts'
import { startFakeVk } from '#tests/fakes/vk/vk.ts'
import { startVkPage } from '#tests/fakes/vk/vk-page.ts'
import { startWebchatPage } from '#tests/fakes/webchat/webchat-page.ts'
import { GRAPH_VERSION, startFakeWhatsappCloud } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud.ts'
import { startWhatsappCloudPage } from '#tests/fakes/whatsapp-cloud/whatsapp-cloud-page.ts'
import * as demoAvito from '#tests/seeds/demo.avito.ts'
import { addDemoNumber, rememberNumber } from '#tests/seeds/demo.cloud.ts'
import * as demoInstagram from '#tests/seeds/demo.instagram.ts'
import { DEMO_SITE } from '#tests/seeds/demo.knowledge.ts'
import { letCustomersWrite } from '#tests/seeds/demo.live.ts'
import { listWidgets } from '#tests/seeds/demo.store.ts'
import {
  addDemoBots,
  addDemoInstances,
  DEMO_ALERT_BOT,
  DEMO_BOTS,
  DEMO_FREE_BOT,
  DEMO_LOGINS,
  DEMO_PASSWORD,
  fillDemoSite,
  rememberChats,
  rememberInstances,
  seedDemo,
} from '#tests/seeds/demo.ts'

const PORT = Number(process.env.PORT ?? 3000)
/** A demo on another port has its own data. */
const DATA_DIR = path.resolve(import.meta.dirname, PORT === 3000 ? '../data/demo' : `../data/demo-${PORT}`)
const IS_EMPTY = process.argv.includes('--empty')
const SEEDED = path.join(DATA_DIR, 'seeded')
const PHONE_PORT = PORT + 20
const WHATSAPP_PORT = PORT + 21
/** The same at every start: a connection keeps the address of its instance. */
const GREEN_API_PORT = PORT + 22
/** Likewise: a site keeps its address. */
const SITE_PORT = PORT + 23
const WEBCHAT_PORT = PORT + 24
const PROGRAM_PAGE_PORT = PORT + 25
/** The same at every start: a connection keeps the address of its program. */
const PROGRAM_PORT = PORT + 26
/** Likewise. */
const CLOUD_PORT = PORT + 27
const CLOUD_PAGE_PORT = PORT + 28
const MAX_PAGE_PORT = PORT + 29
/** The same at every start: a connection keeps its token. */
const MAX_BOT = { username: 'pine_shore_bot', firstName: 'Сосновый берег', token: `f9LHod${'d3m0'.repeat(10)}` }
const VK_PAGE_PORT = PORT + 30
/** Likewise. */
const VK_COMMUNITY = { groupId: 200_300_400, screenName: 'pine_shore', token: `vk1.a.${'d3m0'.repeat(30)}` }
const AVITO_PAGE_PORT = PORT + 31
const INSTAGRAM_PAGE_PORT = PORT + 32
const PROGRAM_HOST = 'program.example'

process.once('uncaughtException', (error: NodeJS.ErrnoException) => {
  const isPortTaken = error.code === 'EADDRINUSE'
  if (!isPortTaken && !(error instanceof StartError)) throw error
  const ports = `The demo uses the ports ${PORT} and ${PHONE_PORT} to ${INSTAGRAM_PAGE_PORT}; one is taken. Set PORT to another.`
  console.error(isPortTaken ? ports : error.message)
  process.exit(1)
})

/** Filled with another password, by an earlier version, it would not let in those who sign in as it says. */
const isSeeded = existsSync(SEEDED) && readFileSync(SEEDED, 'utf8') === DEMO_PASSWORD
if (!isSeeded) rmSync(DATA_DIR, { recursive: true, force: true })

const model = await startFakeOpenAi({
  isRecording: false,
  reply: (request) => ({
    ...(replyFromTable(request) ?? replyWithChoices(request) ?? { text: answerFromPassages(request) }),
    ...{ delayMs: 500, pieceDelayMs: 40 },
  }),
})
const telegram = await startFakeTelegram()
addDemoBots(telegram)
const phone = await startTelegramPage(
  telegram,
  [...Object.values(DEMO_BOTS), { ...DEMO_FREE_BOT, isFree: true }, DEMO_ALERT_BOT],
  PHONE_PORT,
)
const greenApi = await startFakeGreenApi({ port: GREEN_API_PORT })
addDemoInstances(greenApi)
const whatsapp = await startGreenApiPage(greenApi, WHATSAPP_PORT)
const cloud = await startFakeWhatsappCloud({ port: CLOUD_PORT })
const number = addDemoNumber(cloud)
const cloudPage = await startWhatsappCloudPage(cloud, number, CLOUD_PAGE_PORT)
const max = await startFakeMax()
const maxPage = await startMaxPage(max, max.addBot(MAX_BOT), MAX_PAGE_PORT)
const vk = await startFakeVk()
const vkPage = await startVkPage(vk, vk.addCommunity(VK_COMMUNITY), VK_PAGE_PORT)
const avito = await startFakeAvito()
const avitoAccount = demoAvito.addDemoAccount(avito)
const avitoPage = await startAvitoPage(avito, avitoAccount, demoAvito.DEMO_AD, AVITO_PAGE_PORT)
const instagram = await startFakeInstagram()
const instagramAccount = demoInstagram.addDemoAccount(instagram)
const instagramPage = await startInstagramPage(instagram, instagramAccount, INSTAGRAM_PAGE_PORT)
const site = await startFakeSite(DEMO_SITE.host, SITE_PORT)
fillDemoSite(site)
const program = await startProgramPage({
  port: PROGRAM_PAGE_PORT,
  programPort: PROGRAM_PORT,
  host: PROGRAM_HOST,
  file: path.join(DATA_DIR, 'program.json'),
})
/** The hotel's site and the example program are the whole web. */
const outbound = createOutbound({
  resolve: async (host) => ([DEMO_SITE.host, PROGRAM_HOST].includes(host) ? ['127.0.0.1'] : []),
  isAllowed: (address, port) => address === '127.0.0.1' && [site.port, String(PROGRAM_PORT)].includes(port),
})
const app = await createApp(
  readConfig({
    PORT: String(PORT),
    HOST: process.env.HOST ?? '127.0.0.1',
    DATA_DIR,
    LOG_LEVEL: 'warn',
    OPENAI_BASE_URL: model.url,
    TELEGRAM_API_ROOT: telegram.url,
    ALERT_BOT_TOKEN: DEMO_ALERT_BOT.token,
    GREEN_API_URL: greenApi.url,
    WHATSAPP_GRAPH_URL: cloud.origin,
    WHATSAPP_GRAPH_VERSION: GRAPH_VERSION,
    MAX_API_URL: max.url,
    VK_API_URL: vk.url,
    AVITO_API_URL: avito.url,
    INSTAGRAM_GRAPH_URL: instagram.origin,
    INSTAGRAM_GRAPH_VERSION: INSTAGRAM_VERSION,
  }),
  {
    outbound,
    demonstration: {
      telegram: phone.url,
      whatsapp: whatsapp.url,
      whatsappCloud: cloudPage.url,
      messengers: { max: maxPage.url, vk: vkPage.url, avito: avitoPage.url, instagram: instagramPage.url },
      webchat: `http://localhost:${WEBCHAT_PORT}`,
      program: program.url,
      programAddress: program.address,
    },
  },
)
const webchat = await startWebchatPage(
  () => app.url,
  () => listWidgets(app.database),
  WEBCHAT_PORT,
)
if (!isSeeded) {
  const log = (line: string) => console.log(`  … ${line}`)
  console.log(`Filling data/${path.basename(DATA_DIR)} (once):`)
  await seedDemo({
    baseUrl: app.url,
    siteUrl: site.origin,
    webchatHost: new URL(webchat.url).host,
    database: app.database,
    now: new Date(),
    log,
    isEmpty: IS_EMPTY,
  })
  writeFileSync(SEEDED, DEMO_PASSWORD)
}
await rememberChats(telegram, app.database)
if (!isSeeded && !IS_EMPTY) {
  console.log('  … customers write, and are answered')
  await letCustomersWrite(telegram, DEMO_BOTS)
}
await rememberInstances(greenApi, app.database)
await rememberNumber(number, app.database, app.url)
await demoAvito.rememberAccount(avitoAccount, app)
await demoInstagram.rememberAccount(instagramAccount, app.database, app.url)

const logins = DEMO_LOGINS.map(({ email, password, organization }) => `  ${email}  ${password}  (${organization})`)
console.log(`
Parley demo · ${app.url}

Sign in · Вход:
${logins.join('\n')}

Write as a customer · Напишите как клиент:
  Telegram  ${phone.url}  (a free bot there waits to be connected · свободный бот ждёт подключения)
  WhatsApp  ${whatsapp.url}  (a second number there waits to be connected · второй номер ждёт подключения)
  Cloud API ${cloudPage.url}  (a number of Meta's own API waits to be connected · номер в Cloud API ждёт подключения)
  MAX       ${maxPage.url}  (a bot waits to be connected · бот ждёт подключения)
  VK        ${vkPage.url}  (a community waits to be connected · сообщество ждёт подключения)
  Avito     ${avitoPage.url}  (an account with an ad waits to be connected · аккаунт с объявлением ждёт подключения)
  Instagram ${instagramPage.url}  (an account waits to be connected · аккаунт ждёт подключения)
  Web chat  ${webchat.url}  (a page of another site · страница другого сайта)
  HTTP      ${program.url}  (an example program waits to be connected · программа для примера ждёт подключения)

To connect a channel yourself, begin at ${app.url}/channels: each setup says what to copy from these pages.
Чтобы подключить канал самому, начните с ${app.url}/channels: каждый мастер скажет, что взять с этих страниц.

The model, all messengers and the hotel's site are fakes on this machine: the model quotes the knowledge and understands nothing.
Модель, все мессенджеры и сайт отеля здесь ненастоящие: ответы собираются из базы знаний, наружу ничего не уходит.
Ctrl+C stops · остановить: Ctrl+C
`)

const stop = async () => {
  await app.close()
  phone.close()
  whatsapp.close()
  cloudPage.close()
  maxPage.close()
  vkPage.close()
  avitoPage.close()
  instagramPage.close()
  await webchat.close()
  await program.close()
  await telegram.close()
  await greenApi.close()
  await cloud.close()
  await max.close()
  await vk.close()
  await avito.close()
  await instagram.close()
  await site.close()
  await model.close()
  process.exit(0)
}
process.once('SIGINT', stop)
process.once('SIGTERM', stop)
