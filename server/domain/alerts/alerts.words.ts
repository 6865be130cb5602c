// The texts sent to people of the team outside of Parley, in the language that they have chosen.
import type { AlertEvent, AlertKind, AlertSettings, PushedAlert } from '#shared/organizations/alerts.ts'

export type Letter = { subject: string; text: string }
/** `product`: what the person knows the program as. `name`: of the customer, the connection or the agent, or the version. `by`: the colleague who did it. `url`: where it is looked after; `settingsUrl`: where this is switched off. */
export type AlertContent = {
  product: string
  kind: AlertKind | 'test'
  event: AlertEvent | null
  name: string | null
  by: string | null
  preview: string | null
  url: string
  settingsUrl: string
}

type Words = {
  unnamed: string
  why: string
  about: (name: string, by: string, product: string) => Record<AlertContent['kind'] | AlertEvent, string>
}

const WORDS: Record<AlertSettings['language'], Words> = {
  ru: {
    unnamed: 'Клиент',
    why: 'Настроить оповещения:',
    about: (name, by, product) => ({
      handoff: `${name}: нужен сотрудник`,
      mine: `${name}: новое сообщение вам`,
      mention: `Вас упомянули в заметке: ${name}`,
      delivery: `${name}: сообщение не доставлено`,
      connection: `${name}: нет связи с каналом`,
      billing: 'Сообщения этого месяца почти израсходованы',
      billingCritical: 'До конца лимита сообщений этого месяца осталось совсем немного',
      billingSpending: 'Лимит расходов на этот месяц исчерпан',
      agent: `Агент «${name}»: опубликована новая версия (${by})`,
      agentRemoved: `Агент «${name}» удалён (${by})`,
      agentFailing: `Агент «${name}» не смог ответить несколько раз за час`,
      calendarLost: `Агент «${name}»: календарь Google просит подключить его заново, записывать клиентов нельзя`,
      mcpLost: `Сервер MCP «${name}» просит подключить его заново, агенты не могут вызывать его инструменты`,
      approvalWaiting: `${name}: агент ждёт одобрения действия`,
      product: `Установлена новая версия ${product}: ${name}`,
      summary: `Сводка за неделю, ${name}`,
      test: 'Так выглядит оповещение',
    }),
  },
  en: {
    unnamed: 'Customer',
    why: 'Choose your alerts:',
    about: (name, by, product) => ({
      handoff: `${name} is waiting for a person`,
      mine: `${name} wrote to you`,
      mention: `You were mentioned in a note: ${name}`,
      delivery: `A message did not reach ${name}`,
      connection: `The channel connection ${name} is down`,
      billing: 'This month’s messages are nearly used up',
      billingCritical: 'Only a few of this month’s messages are left',
      billingSpending: 'This month’s spending limit is reached',
      agent: `Agent ${name}: a new version was published (${by})`,
      agentRemoved: `Agent ${name} was deleted (${by})`,
      agentFailing: `Agent ${name} failed to answer several times within an hour`,
      calendarLost: `Agent ${name}: the Google calendar has to be connected again, customers cannot be booked`,
      mcpLost: `The MCP server ${name} has to be connected again, agents cannot use its tools`,
      approvalWaiting: `${name}: an agent waits for an action to be approved`,
      product: `${product} was updated to version ${name}`,
      summary: `Your week, ${name}`,
      test: 'This is what an alert looks like',
    }),
  },
}

/** An e-mail: a subject, and below it the message preview and the link. */
export function letterOf(content: AlertContent, language: AlertSettings['language']): Letter {
  const words = WORDS[language]
  const head = headOf(content, words)
  const lines = [
    head,
    ...(content.preview ? ['', content.preview] : []),
    '',
    content.url,
    '',
    `${words.why} ${content.settingsUrl}`,
  ]
  return { subject: `${content.product}: ${head}`, text: `${lines.join('\n')}\n` }
}

/** A push notification: a title, and below it the message preview. */
export function pushOf(
  content: AlertContent,
  language: AlertSettings['language'],
): Pick<PushedAlert, 'title' | 'body'> {
  const words = WORDS[language]
  return { title: headOf(content, words), body: content.preview ?? '' }
}

/** The bot's message: the same as an e-mail, without its footer. */
export function noteOf(content: AlertContent, language: AlertSettings['language']): string {
  const words = WORDS[language]
  const head = headOf(content, words)
  return [head, ...(content.preview ? ['', content.preview] : []), '', content.url].join('\n')
}

type BotWords = Record<'unknown' | 'left' | 'known', string> & { joined: (organization: string) => string }

/** The bot's answers to people who write to it. */
export const BOT_WORDS: Record<AlertSettings['language'], BotWords> = {
  ru: {
    joined: (organization) => `Готово: сюда приходят ваши оповещения из «${organization}». Отключить: /stop`,
    unknown:
      'Этот бот присылает оповещения. Откройте на сайте «Настройки → Оповещения» и нажмите «Подключить Telegram».',
    left: 'Оповещения сюда больше не приходят. Подключить их снова можно в настройках на сайте.',
    known: 'Сюда приходят ваши оповещения. Какие именно, можно выбрать в настройках на сайте. Отключить: /stop',
  },
  en: {
    joined: (organization) => `Done: your alerts from “${organization}” come here. To stop them: /stop`,
    unknown: 'This bot sends alerts. On the site, open “Settings → Alerts” and press “Connect Telegram”.',
    left: 'Alerts no longer come here. You can connect this chat again in the settings on the site.',
    known: 'Your alerts come here. You can choose which ones in the settings on the site. To stop them: /stop',
  },
}

function headOf({ product, kind, event, name, by }: AlertContent, words: Words): string {
  return words.about(oneLine(name) || words.unnamed, oneLine(by), oneLine(product))[event ?? kind]
}

/** A name that is safe in an e-mail subject: one line. */
function oneLine(name: string | null): string {
  return (name ?? '').replace(/\s+/g, ' ').trim()
}
