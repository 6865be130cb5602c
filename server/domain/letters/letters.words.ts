// The texts of letters in both languages, as plain text and as simple HTML. Names that people chose are one line in both.
import type { LetterContent, LetterKind, LetterLanguage } from '#server/integrations/mail/letters.ts'
import { escaped } from '#server/platform/lib/text/escape-html.ts'
import type { Brand } from '#shared/organizations/branding.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { WEBHOOK_FAILING_DAYS } from '#shared/webhooks/webhook-limits.ts'

/** `action`: what the link does; `path`: where it leads. */
type Words = { subject: string; paragraphs: string[]; action?: string; path?: string; after?: string[] }
/** `product`: the name of the brand that the letter is under. */
type WordsOf = { [Kind in LetterKind]: (content: Extract<LetterContent, { kind: Kind }>, product: string) => Words }
export type LetterText = { subject: string; text: string; html: string }

const ROLES: Record<LetterLanguage, Record<OrganizationRole, string>> = {
  ru: {
    owner: 'владелец',
    admin: 'администратор',
    builder: 'конструктор',
    operator: 'оператор',
    analyst: 'аналитик',
  },
  en: { owner: 'owner', admin: 'admin', builder: 'builder', operator: 'operator', analyst: 'analyst' },
}

const ru: WordsOf = {
  'confirm-email': ({ path }, product) => ({
    subject: `${product}: подтвердите почту`,
    paragraphs: ['Подтвердите, что этот адрес электронной почты ваш. Ссылка действует сутки.'],
    ...{ action: 'Подтвердить почту', path },
    after: [`Если вы не регистрировались в сервисе ${product}, ничего делать не нужно.`],
  }),
  'reset-password': ({ path }, product) => ({
    subject: `${product}: новый пароль`,
    paragraphs: ['Кто-то попросил сменить пароль вашей учётной записи. Ссылка действует час и только один раз.'],
    ...{ action: 'Задать новый пароль', path },
    after: ['Если это были не вы, ничего делать не нужно: прежний пароль остаётся в силе.'],
  }),
  'password-changed': (_, product) => ({
    subject: `${product}: пароль изменён`,
    paragraphs: ['Пароль вашей учётной записи изменён. На других устройствах нужно войти снова.'],
    ...{ action: 'Это были не вы? Задайте новый пароль', path: '/forgot' },
  }),
  'sign-up-attempt': (_, product) => ({
    subject: `${product}: у вас уже есть учётная запись`,
    paragraphs: [
      `Кто-то попытался зарегистрироваться в сервисе ${product} с вашим адресом. Если это были вы, у вас уже есть учётная запись: войдите с её паролем.`,
    ],
    ...{ action: 'Войти', path: '/signin' },
    after: ['Если это были не вы, ничего делать не нужно.'],
  }),
  invitation: ({ organization, inviter, role, path, days }, product) => ({
    subject: `${product}: приглашение в организацию «${organization}»`,
    paragraphs: [
      `${inviter} приглашает вас в организацию «${organization}». Ваша роль: ${ROLES.ru[role]}.`,
      `Ссылка действует ${days} ${daysInRussian(days)}.`,
    ],
    ...{ action: 'Принять приглашение', path },
    after: ['Если вы не ждали приглашения, ничего делать не нужно.'],
  }),
  'new-sign-in': ({ device, place, at }, product) => ({
    subject: `${product}: вход с нового устройства`,
    paragraphs: [
      'В вашу учётную запись вошли с устройства, которого раньше не было.',
      [device, ...(place === null ? [] : [place]), moment(at, 'ru')].join(', '),
    ],
    ...{ action: 'Посмотреть, где вы вошли', path: '/settings/security' },
    after: ['Если это были не вы, завершите этот сеанс и смените пароль.'],
  }),
  'two-step-off': (_, product) => ({
    subject: `${product}: двухэтапный вход выключен`,
    paragraphs: ['Двухэтапный вход в вашу учётную запись выключен: теперь достаточно пароля.'],
    ...{ action: 'Настройки безопасности', path: '/settings/security' },
    after: ['Если это были не вы, смените пароль и включите двухэтапный вход снова.'],
  }),
  'account-deleted': (_, product) => ({
    subject: `${product}: учётная запись удалена`,
    paragraphs: ['Ваша учётная запись удалена вместе с тем, что принадлежало только вам.'],
  }),
  'webhook-disabled': ({ host, reason, path }) => ({
    subject: `Parley: события больше не отправляются на ${host}`,
    paragraphs: [
      reason === 'gone'
        ? `Сервер ${host} ответил, что этого адреса больше нет (410). Parley перестал отправлять на него события.`
        : `Сервер ${host} не принимает события уже ${WEBHOOK_FAILING_DAYS} дней. Parley перестал их отправлять.`,
      'События не потеряны: они ждут, пока вы снова включите вебхук.',
    ],
    ...{ action: 'Открыть вебхук', path },
  }),
}

const en: WordsOf = {
  'confirm-email': ({ path }, product) => ({
    subject: `${product}: confirm your email`,
    paragraphs: ['Confirm that this email address is yours. The link is good for a day.'],
    ...{ action: 'Confirm email', path },
    after: [`If you did not sign up for ${product}, you do not need to do anything.`],
  }),
  'reset-password': ({ path }, product) => ({
    subject: `${product}: new password`,
    paragraphs: ['A new password was asked for your account. The link is good for an hour, and once.'],
    ...{ action: 'Set a new password', path },
    after: ['If it was not you, you do not need to do anything: your password stays as it is.'],
  }),
  'password-changed': (_, product) => ({
    subject: `${product}: password changed`,
    paragraphs: ['The password of your account was changed. Other devices have to sign in again.'],
    ...{ action: 'Not you? Set a new password', path: '/forgot' },
  }),
  'sign-up-attempt': (_, product) => ({
    subject: `${product}: you already have an account`,
    paragraphs: [
      `Someone tried to sign up for ${product} with your address. If it was you, you already have an account: sign in with its password.`,
    ],
    ...{ action: 'Sign in', path: '/signin' },
    after: ['If it was not you, you do not need to do anything.'],
  }),
  invitation: ({ organization, inviter, role, path, days }, product) => ({
    subject: `${product}: invitation to ${organization}`,
    paragraphs: [
      `${inviter} invites you to the organization ${organization}. Your role: ${ROLES.en[role]}.`,
      `The link is good for ${days} ${days === 1 ? 'day' : 'days'}.`,
    ],
    ...{ action: 'Accept the invitation', path },
    after: ['If you did not expect an invitation, you do not need to do anything.'],
  }),
  'new-sign-in': ({ device, place, at }, product) => ({
    subject: `${product}: sign-in from a new device`,
    paragraphs: [
      'Your account was signed in to from a device that was not used before.',
      [device, ...(place === null ? [] : [place]), moment(at, 'en')].join(', '),
    ],
    ...{ action: 'See where you are signed in', path: '/settings/security' },
    after: ['If it was not you, end that session and change your password.'],
  }),
  'two-step-off': (_, product) => ({
    subject: `${product}: two-step sign-in switched off`,
    paragraphs: ['Two-step sign-in was switched off for your account: the password alone is enough now.'],
    ...{ action: 'Security settings', path: '/settings/security' },
    after: ['If it was not you, change your password and switch two-step sign-in on again.'],
  }),
  'account-deleted': (_, product) => ({
    subject: `${product}: account deleted`,
    paragraphs: ['Your account was deleted, together with what belonged to you alone.'],
  }),
  'webhook-disabled': ({ host, reason, path }) => ({
    subject: `Parley: events are no longer sent to ${host}`,
    paragraphs: [
      reason === 'gone'
        ? `${host} has answered that this address is gone (410). Parley has stopped sending events to it.`
        : `${host} has not taken any event for ${WEBHOOK_FAILING_DAYS} days. Parley has stopped sending them.`,
      'No event is lost: they wait until you switch the webhook on again.',
    ],
    ...{ action: 'Open the webhook', path },
  }),
}

const WORDS: Record<LetterLanguage, WordsOf> = { ru, en }

/** Where a letter stands: the brand that it is under, and the address of the installation, without a trailing slash. */
export type LetterFrame = { brand: Brand; publicUrl: string }

/** What a letter says. */
export function letterText(content: LetterContent, language: LetterLanguage, frame: LetterFrame): LetterText {
  const plain = Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
  ) as LetterContent
  const product = oneLine(frame.brand.name)
  const words = (WORDS[language][plain.kind] as (given: LetterContent, product: string) => Words)(plain, product)
  const link = words.path === undefined ? null : frame.publicUrl + words.path
  return { subject: words.subject, text: asText(words, link, product), html: asHtml(words, link, language, frame) }
}

function asText({ paragraphs, action, after = [] }: Words, link: string | null, product: string): string {
  const linked = link === null ? [] : [`${action}:\n${link}`]
  return `${[...paragraphs, ...linked, ...after, `—\n${product}`].join('\n\n')}\n`
}

function asHtml(
  { subject, paragraphs, action = '', after = [] }: Words,
  link: string | null,
  language: string,
  { brand, publicUrl }: LetterFrame,
): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escaped(text)}</p>`
  const style = `${BUTTON};background:${brand.accent.light ?? ACCENT}`
  const button = `<p style="margin:0 0 16px"><a href="${escaped(link ?? '')}" style="${style}">${escaped(action)}</a></p>`
  const body = [...paragraphs.map(paragraph), ...(link === null ? [] : [button]), ...after.map(paragraph)].join('\n')
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1c1c1c;background:#ffffff">
<main style="max-width:32rem;margin:0 auto">
<p style="margin:0 0 24px;font-weight:600;font-size:18px">${headOf(brand, publicUrl)}</p>
${body}
</main>
</body>
</html>
`
}

/** The logo, or the name: never both, since a logo shows the name, and says it where pictures are not loaded. */
function headOf({ name, logo }: Brand, publicUrl: string): string {
  if (logo.light === null) return escaped(oneLine(name))
  return `<img src="${escaped(publicUrl + logo.light)}" alt="${escaped(oneLine(name))}" height="32" style="height:32px;max-width:100%">`
}

const ACCENT = '#1f4fd8'
/** White is read on every accent of the light theme. */
const BUTTON = [
  ...['display:inline-block', 'padding:10px 18px', 'border-radius:8px'],
  ...['color:#ffffff', 'text-decoration:none', 'font-weight:600'],
].join(';')

/** Without line breaks and signs that turn the direction of writing. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

function daysInRussian(days: number): string {
  return { one: 'день', few: 'дня' }[new Intl.PluralRules('ru').select(days) as 'one' | 'few'] ?? 'дней'
}

function moment(at: number, language: LetterLanguage): string {
  const shape = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(language, shape).format(at)} UTC`
}
