// The texts sent to people of the team outside of Parley, in the language that they have chosen.
import type { AlertKind, AlertSettings, PushedAlert } from '#shared/organizations/alerts.ts'

export type Letter = { subject: string; text: string }
/** `name`: of the customer or the connection. `url`: where it is looked after; `settingsUrl`: where this is switched off. */
export type AlertContent = {
  kind: AlertKind | 'test'
  name: string | null
  preview: string | null
  url: string
  settingsUrl: string
}

type Words = { unnamed: string; why: string; about: (name: string) => Record<AlertContent['kind'], string> }

const WORDS: Record<AlertSettings['language'], Words> = {
  ru: {
    unnamed: 'Клиент',
    why: 'Настроить оповещения:',
    about: (name) => ({
      handoff: `${name}: нужен сотрудник`,
      mine: `${name}: новое сообщение вам`,
      mention: `Вас упомянули в заметке: ${name}`,
      delivery: `${name}: сообщение не доставлено`,
      connection: `${name}: нет связи с каналом`,
      allowance: 'Сообщения этого месяца почти израсходованы',
      test: 'Так выглядит оповещение',
    }),
  },
  en: {
    unnamed: 'Customer',
    why: 'Choose your alerts:',
    about: (name) => ({
      handoff: `${name} is waiting for a person`,
      mine: `${name} wrote to you`,
      mention: `You were mentioned in a note: ${name}`,
      delivery: `A message did not reach ${name}`,
      connection: `The channel connection ${name} is down`,
      allowance: 'This month’s messages are nearly used up',
      test: 'This is what an alert looks like',
    }),
  },
}

/** An e-mail: a subject, and below it the message preview and the link. */
export function letterOf(content: AlertContent, language: AlertSettings['language']): Letter {
  const words = WORDS[language]
  const head = words.about(oneLine(content.name) || words.unnamed)[content.kind]
  const lines = [
    head,
    ...(content.preview ? ['', content.preview] : []),
    '',
    content.url,
    '',
    `${words.why} ${content.settingsUrl}`,
  ]
  return { subject: `Parley: ${head}`, text: `${lines.join('\n')}\n` }
}

/** A push notification: a title, and below it the message preview. */
export function pushOf(
  content: AlertContent,
  language: AlertSettings['language'],
): Pick<PushedAlert, 'title' | 'body'> {
  const words = WORDS[language]
  return { title: words.about(oneLine(content.name) || words.unnamed)[content.kind], body: content.preview ?? '' }
}

/** The bot's message: the same as an e-mail, without its footer. */
export function noteOf(content: AlertContent, language: AlertSettings['language']): string {
  const words = WORDS[language]
  const head = words.about(oneLine(content.name) || words.unnamed)[content.kind]
  return [head, ...(content.preview ? ['', content.preview] : []), '', content.url].join('\n')
}

type BotWords = Record<'unknown' | 'left' | 'known', string> & { joined: (organization: string) => string }

/** The bot's answers to people who write to it. */
export const BOT_WORDS: Record<AlertSettings['language'], BotWords> = {
  ru: {
    joined: (organization) => `Готово: сюда приходят ваши оповещения из «${organization}». Отключить: /stop`,
    unknown: 'Этот бот присылает оповещения Parley. Откройте «Настройки → Оповещения» и нажмите «Подключить Telegram».',
    left: 'Оповещения сюда больше не приходят. Подключить их снова можно в настройках Parley.',
    known: 'Сюда приходят ваши оповещения. Какие именно, можно выбрать в настройках Parley. Отключить: /stop',
  },
  en: {
    joined: (organization) => `Done: your alerts from “${organization}” come here. To stop them: /stop`,
    unknown: 'This bot sends Parley alerts. In Parley, open “Settings → Alerts” and press “Connect Telegram”.',
    left: 'Alerts no longer come here. You can connect this chat again in the Parley settings.',
    known: 'Your alerts come here. You can choose which ones in the Parley settings. To stop them: /stop',
  },
}

/** A name that is safe in an e-mail subject: one line. */
function oneLine(name: string | null): string {
  return (name ?? '').replace(/\s+/g, ' ').trim()
}
