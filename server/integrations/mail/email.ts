// Sends mail over SMTP, or writes it to the log where no mail server is configured.
import { createTransport } from 'nodemailer'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { BrandSender } from '#shared/organizations/branding.ts'

/** `id`: names the letter for good, so that a mailbox recognises a copy of it. `sender`: left out, that of the configuration. */
export type Mail = { to: string; subject: string; text: string; html?: string; id?: string; sender?: BrandSender }

export interface Mailer {
  /** False: letters go to the log only. */
  isConfigured: boolean
  /** Sends one letter. @throws when the mail server refuses it */
  send(mail: Mail): Promise<void>
}

/** A mailer for `smtpUrl`; without one the letters, links included, go to the log at level info. */
export function createMailer(config: { smtpUrl: string | undefined; from: string }, log: Logger): Mailer {
  if (!config.smtpUrl) {
    return {
      isConfigured: false,
      async send(mail) {
        log.info({ to: mail.to, subject: mail.subject, text: mail.text }, 'mail (no SMTP_URL is set)')
      },
    }
  }
  const transport = createTransport({ url: config.smtpUrl, disableFileAccess: true, disableUrlAccess: true })
  const configured = addressOf(config.from)
  return {
    isConfigured: true,
    async send({ to, subject, id, sender, ...body }) {
      const { name, address } = configured
      const from = { name: oneLine(sender?.name ?? name), address: sender?.address ?? address }
      await transport.sendMail({
        ...body,
        from,
        ...(sender?.replyTo && { replyTo: { name: '', address: sender.replyTo } }),
        // As an object: a text would be read as a list of addresses.
        to: { name: '', address: to },
        subject: oneLine(subject),
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(id !== undefined && { messageId: `<${id}@${from.address.split('@').at(-1) || 'localhost'}>` }),
      })
    },
  }
}

/** A header is one line: a break in it would begin another header. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** The parts of `Name <address>`, or of an address alone. */
function addressOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*)<([^<>]*)>\s*$/s.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/** Phases before the letter is handed over. */
const EARLY_TIMEOUTS = new Set<unknown>(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'])

type SmtpError = { code?: unknown; responseCode?: unknown; syscall?: unknown; timeoutType?: unknown }

/** Whether a letter that failed with this error has definitely not been taken: it may be sent again. */
export function isUnsent(error: unknown): boolean {
  const { code, responseCode, syscall, timeoutType } = error as SmtpError
  if (typeof responseCode === 'number' || syscall === 'connect' || EARLY_TIMEOUTS.has(timeoutType)) return true
  return code === 'ECONNECTION' || code === 'EDNS' || code === 'EAUTH'
}

/** Whether the mail server refuses this letter for good. That it does not let us in is no fault of the letter. */
export function isRefused(error: unknown): boolean {
  const { code, responseCode } = error as SmtpError
  return typeof responseCode === 'number' && responseCode >= 500 && code !== 'EAUTH'
}
