// A proxy between a server and a real PostgreSQL that injects the faults of networks, restarts and full disks.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/**
 * The fault of a connection. `fatal`: an error that ends it arrives in one packet with every answer. `cut`: it ends after some bytes.
 * `spoilt`: after some bytes it is noise, and ends soon. `silent`: after some bytes nothing comes any more.
 */
export type Befalls = 'nothing' | 'fatal' | 'cut' | 'spoilt' | 'silent'

export type DatabaseProxy = {
  /** Of the database, through the proxy. */
  url: string
  /** The fault of connections made from now on, by the name of the application. */
  befalls: (application: string) => Befalls
  /** The most bytes of answers before the fault; the actual number is random, at least one. */
  bytesBefore: number
  /** The next so many commits succeed, but their answers are lost: their connections end. */
  commitsToHide: number
  /** New connections are refused, and all open ones are closed. */
  away: boolean
  /** How many connections have had a fault. */
  befallen: number
  /** Ends every connection, or a random share of them. */
  cut(share?: number): void
  close(): Promise<void>
}

const NOISE_BYTES = 512
const NOISE_MS = 50

/** Starts a proxy in front of the database at `target`. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const upstream = new URL(target)
  const links = new Set<Link>()
  const server = net.createServer((socket) => {
    if (proxy.away) return void socket.resetAndDestroy()
    const link = new Link(socket, net.connect(Number(upstream.port || 5432), upstream.hostname), proxy)
    links.add(link)
    socket.once('close', () => links.delete(link))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const cut = (share = 1) => {
    for (const link of links) if (Math.random() < share) link.end()
  }
  let away = false
  const proxy: DatabaseProxy = {
    url: url.toString(),
    befalls: () => 'nothing',
    bytesBefore: 20_000,
    commitsToHide: 0,
    befallen: 0,
    get away() {
      return away
    },
    set away(value) {
      away = value
      if (away) cut()
    },

    cut,
    async close() {
      server.close()
      cut()
    },
  }
  return proxy
}

/** One proxied connection. */
class Link {
  application = ''
  readonly #client: net.Socket
  readonly #database: net.Socket
  readonly #proxy: DatabaseProxy
  #fate: Befalls = 'nothing'
  #left: number
  #isOver = false
  #hidesCommit = false

  constructor(client: net.Socket, database: net.Socket, proxy: DatabaseProxy) {
    this.#client = client
    this.#database = database
    this.#proxy = proxy
    this.#left = randomInt(proxy.bytesBefore)
    client.setNoDelay(true)
    database.setNoDelay(true)
    client.once('data', (first: Buffer) => {
      this.application = /application_name\0([^\0]*)/.exec(first.toString('latin1'))?.[1] ?? ''
      this.#fate = proxy.befalls(this.application)
      database.write(first)
      client.on('data', (chunk: Buffer) => this.#fromClient(chunk))
    })
    database.on('data', (chunk: Buffer) => this.#fromDatabase(chunk))
    for (const socket of [client, database]) {
      socket.on('error', () => {})
      socket.once('close', () => this.end())
    }
  }

  end(): void {
    this.#client.destroy()
    this.#database.destroy()
  }

  #fromClient(chunk: Buffer): void {
    if (this.#proxy.commitsToHide > 0 && isCommit(chunk)) {
      this.#proxy.commitsToHide--
      this.#hidesCommit = true
    }
    this.#database.write(chunk)
  }

  #fromDatabase(chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#hidesCommit && chunk.includes('COMMIT\0')) this.#hide()
    else if (this.#fate === 'fatal') this.#appendFatal(chunk)
    else if (this.#fate === 'nothing') this.#client.write(chunk)
    else this.#countDown(chunk)
  }

  #hide(): void {
    this.#isOver = true
    this.#proxy.befallen++
    this.end()
  }

  #countDown(chunk: Buffer): void {
    this.#left -= chunk.length
    if (this.#left >= 0) return void this.#client.write(chunk)
    this.#isOver = true
    this.#proxy.befallen++
    this.#client.write(chunk.subarray(0, Math.max(0, chunk.length + this.#left)))
    if (this.#fate === 'cut') this.#client.end(() => this.end())
    if (this.#fate === 'spoilt') this.#sendNoise()
  }

  #appendFatal(chunk: Buffer): void {
    if (!chunk.subarray(-READY_BYTES, -1).equals(READY.subarray(0, -1))) return void this.#client.write(chunk)
    this.#isOver = true
    this.#proxy.befallen++
    const fatal = errorFrame('FATAL', '57P01', 'terminating connection due to administrator command')
    this.#client.end(Buffer.concat([chunk, fatal]))
  }

  /** No byte of it starts a message, and none is text. */
  #sendNoise(): void {
    this.#client.write(Buffer.from(Array.from({ length: NOISE_BYTES }, () => randomInt(0x80, 0x100))))
    setTimeout(() => this.end(), NOISE_MS)
  }
}

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])
const READY_BYTES = READY.length

function isCommit(chunk: Buffer): boolean {
  return /Q.{4}commit\0/s.test(chunk.toString('latin1'))
}

function errorFrame(severity: string, code: string, message: string): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${message}`].map((field) => `${field}\0`).join('')
  const body = Buffer.from(`${fields}\0`)
  const header = Buffer.alloc(5)
  header.write('E')
  header.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}
