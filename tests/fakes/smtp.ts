// A mail server on loopback that accepts and keeps every letter.
import net, { type AddressInfo, type Socket } from 'node:net'

export type Letter = { to: string[]; text: string }

export interface FakeSmtp {
  /** What `SMTP_URL` is set to. */
  url: string
  letters: Letter[]
  /** Resolves with the letter of that number, counted from one. */
  letter(number: number): Promise<Letter>
  close(): void
}

/** Starts the mail server. */
export async function startFakeSmtp(): Promise<FakeSmtp> {
  const letters: Letter[] = []
  const waiting = new Set<() => void>()
  const server = net.createServer((socket) =>
    converse(socket, (letter) => {
      letters.push(letter)
      for (const look of waiting) look()
    }),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    letters,
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
    close: () => server.close(),
  }
}

function converse(socket: Socket, keep: (letter: Letter) => void): void {
  let to: string[] = []
  let data: string[] | null = null
  let rest = ''
  const say = (text: string) => socket.write(`${text}\r\n`)
  const hear = (line: string) => {
    if (data) {
      if (line !== '.') return void data.push(line)
      keep({ to, text: decode(data.join('\r\n')) })
      data = null
      return say('250 kept')
    }
    const recipient = /^RCPT TO:<(.+)>/i.exec(line)?.[1]
    if (recipient) to.push(recipient)
    if (/^MAIL/i.test(line)) to = []
    if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n')
    if (/^DATA/i.test(line)) data = []
    say(data ? '354 go on' : '250 ok')
  }
  say('220 fake')
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString('utf8')).split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) hear(line)
  })
}

/** The text part, decoded from any transfer encoding. */
function decode(letter: string): string {
  const body = letter.slice(letter.indexOf('\r\n\r\n') + 4)
  if (/transfer-encoding: base64/i.test(letter)) return Buffer.from(body, 'base64').toString('utf8')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
