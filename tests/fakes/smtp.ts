// A mail server on loopback that keeps every letter, parsed as a mail program would.
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** `headers`: names in lower case. */
export type Letter = {
  to: string[]
  subject: string
  text: string
  html: string
  headers: { key: string; value: string }[]
  raw: string
}

export interface FakeSmtp {
  /** What `SMTP_URL` is set to. */
  url: string
  letters: Letter[]
  /** The answer to recipients instead of 250: its code decides whether the letter may be sent again. Null: all are taken. */
  refusal: { code: number; text: string } | null
  /** Resolves with the letter of that number, counted from one. */
  letter(number: number): Promise<Letter>
  close(): void
}

/** Starts the mail server. @param port a free one by default */
export async function startFakeSmtp(port = 0): Promise<FakeSmtp> {
  const letters: Letter[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(_address, _session, done) {
      const { refusal } = fake
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData(stream, session, done) {
      readLetter(stream)
        .then((letter) => {
          letters.push({ ...letter, to: session.envelope.rcptTo.map(({ address }) => address) })
          for (const look of waiting) look()
          done()
        })
        .catch(done)
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const fake: FakeSmtp = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters,
    refusal: null,
    letter: (number) =>
      new Promise((done) => {
        const look = () => {
          const found = letters[number - 1]
          if (!found) return
          waiting.delete(look)
          done(found)
        }
        waiting.add(look)
        look()
      }),
    close: () => void server.close(),
  }
  return fake
}

async function readLetter(stream: Readable): Promise<Omit<Letter, 'to'>> {
  const raw = await buffer(stream)
  const { subject = '', text = '', html = '', headers } = await PostalMime.parse(raw)
  return { subject, text, html, headers, raw: raw.toString('utf8') }
}
