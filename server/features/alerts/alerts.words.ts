// What is sent to people of the team outside of Parley, in the language that they have chosen.
import type { AlertKind, AlertSettings } from '#shared/alerts.ts'

export type Letter = { subject: string; text: string }
/** `name`: of the customer or the connection. `url`: where it is looked after; `settingsUrl`: where this is switched off. */
export type Told = {
  kind: AlertKind | 'test'
  name: string | null
  preview: string | null
  url: string
  settingsUrl: string
}

type Words = { unnamed: string; why: string; about: (name: string) => Record<Told['kind'], string> }

const WORDS: Record<AlertSettings['language'], Words> = {
  ru: {
    unnamed: 'Клиент',
    why: 'Какие оповещения приходят:',
    about: (name) => ({
      handoff: `${name}: нужен сотрудник`,
      mine: `${name}: новое сообщение вам`,
      mention: `Вас упомянули в заметке: ${name}`,
      delivery: `${name}: сообщение не доставлено`,
      connection: `${name}: нет связи с каналом`,
      allowance: 'Сообщения этого месяца почти израсходованы',
      test: 'Так приходит оповещение',
    }),
  },
  en: {
    unnamed: 'Customer',
    why: 'Which alerts you get:',
    about: (name) => ({
      handoff: `${name} waits for a person`,
      mine: `${name} wrote to you`,
      mention: `You were mentioned in a note: ${name}`,
      delivery: `A message did not reach ${name}`,
      connection: `The channel connection ${name} is down`,
      allowance: 'The month’s messages are nearly used up',
      test: 'This is how an alert comes',
    }),
  },
}

/** A letter: a line of subject, and below it what was written and where to look. */
export function letterOf(told: Told, language: AlertSettings['language']): Letter {
  const words = WORDS[language]
  const head = words.about(oneLine(told.name) || words.unnamed)[told.kind]
  const lines = [
    head,
    ...(told.preview ? ['', told.preview] : []),
    '',
    told.url,
    '',
    `${words.why} ${told.settingsUrl}`,
  ]
  return { subject: `Parley: ${head}`, text: `${lines.join('\n')}\n` }
}

/** A name fit for the subject of a letter, whatever its owner has put into it. */
function oneLine(name: string | null): string {
  return (name ?? '').replace(/\s+/g, ' ').trim()
}
