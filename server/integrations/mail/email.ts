// Sends mail over SMTP, or writes it to the log where no mail server is configured.
import { createTransport } from 'nodemailer'
import type { Logger } from '#server/platform/lib/logger.ts'

export type Mail = { to: string; subject: string; text: string }

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
  return {
    isConfigured: true,
    async send(mail) {
      await transport.sendMail({ from: config.from, ...mail })
    },
  }
}

/** Whether a letter that failed with this error has definitely not been taken: it may be sent again. */
export function isUnsent(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return typeof responseCode === 'number' || code === 'ECONNECTION' || code === 'EDNS' || code === 'EAUTH'
}
