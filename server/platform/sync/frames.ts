// Outgoing websocket messages as bytes on the wire.
//
// Frames of a server are not masked, so what is the same for a thousand clients is the same bytes a thousand times: it is written down, and
// compressed, once. What differs between them, the skew of their clocks, stands at the beginning of a Transition and goes ahead in a fragment of
// its own, followed by the shared one.
//
// The websocket library would make a header and two writes for each client and message. It compresses nothing by itself (upgrade.ts), so what it
// writes (pongs, the closing frame) keeps its place between our messages.
import zlib from 'node:zlib'

const FINAL = 0x80
const DEFLATED = 0x40
const CONTINUATION = 0x0
const TEXT = 0x1
const PING = 0x9
/** Ends what a deflate stream has flushed; left out on the wire. @source RFC 7692, 7.2.1 */
const FLUSHED = 4
/** Texts that are shorter gain little. */
const DEFLATE_FROM = 1_024
const DEFLATE = { level: 3, finishFlush: zlib.constants.Z_SYNC_FLUSH }

/** A whole text message. @source RFC 6455, 5.2 */
export function textFrame(text: string): Buffer {
  return frame(FINAL | TEXT, Buffer.from(text))
}

/** Asks the client to answer once it has read up to here. */
export function pingFrame(): Buffer {
  return frame(FINAL | PING, Buffer.alloc(0))
}

/** A text message whose beginning is each client's own. */
export type SharedMessage = {
  opening(own: string): string
  plain: Buffer
  /** Null: not worth compressing. Has the meaning of `plain` only behind an opening that is deflated too. */
  deflated: Buffer | null
}

/** @param isForMany whether it will be sent to enough clients to be worth compressing */
export function sharedMessage(opening: (own: string) => string, rest: string, isForMany: boolean): SharedMessage {
  const bytes = Buffer.from(rest)
  const plain = frame(FINAL | CONTINUATION, bytes)
  const isDeflated = isForMany && bytes.length >= DEFLATE_FROM
  return { opening, plain, deflated: isDeflated ? frame(FINAL | CONTINUATION, deflated(bytes)) : null }
}

/** The frames of a shared message for one client. `mayDeflate`: it has agreed to compression. */
export function framesFor(message: SharedMessage, own: string, mayDeflate: boolean): [Buffer, Buffer] {
  const opening = Buffer.from(message.opening(own))
  if (!mayDeflate || !message.deflated) return [frame(TEXT, opening), message.plain]
  return [frame(TEXT | DEFLATED, stored(opening)), message.deflated]
}

function deflated(bytes: Buffer): Buffer {
  const whole = zlib.deflateRawSync(bytes, DEFLATE)
  return whole.subarray(0, whole.length - FLUSHED)
}

/** A block of a deflate stream that holds bytes as they are; what follows begins at a byte. @source RFC 1951, 3.2.4 */
function stored(bytes: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt16LE(bytes.length, 1)
  header.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([header, bytes])
}

function frame(first: number, content: Buffer): Buffer {
  const { length } = content
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const made = Buffer.allocUnsafe(headerLength + length)
  made[0] = first
  if (headerLength === 2) made[1] = length
  else if (headerLength === 4) {
    made[1] = 126
    made.writeUInt16BE(length, 2)
  } else {
    made[1] = 127
    made.writeBigUInt64BE(BigInt(length), 2)
  }
  content.copy(made, headerLength)
  return made
}
