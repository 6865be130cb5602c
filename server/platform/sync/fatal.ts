// What cannot get better by coming back: the client gets a FatalError before its socket is closed, and stays away.
import type { WebSocket } from 'ws'
import { JSON_BOUNDS, type JsonBounds, STRANGER_JSON_BOUNDS } from '#server/platform/lib/http/bounded-json.ts'
import { FRAME_MAX, FRAME_MAX_ANONYMOUS, MODIFICATIONS_MAX } from './limits.ts'
import { fatalError } from './protocol.ts'

const bounds = ({ values, depth }: JsonBounds) => `${values} values in ${depth} levels`

/** Message for the client's log, by reason. */
const FATAL = {
  MalformedMessage: 'this is not a message of the protocol',
  TooLarge: `a message may have ${FRAME_MAX_ANONYMOUS} bytes before a token was accepted, and ${FRAME_MAX} afterwards`,
  TooComplex: `a message may have ${bounds(STRANGER_JSON_BOUNDS)} before a token was accepted, and ${bounds(JSON_BOUNDS)} afterwards`,
  ConnectExpected: 'the first message must be Connect',
  ConnectedAlready: 'Connect may be sent once',
  IdentityVersionMismatch: 'the base version of Authenticate is not the one that was announced before',
  TooManyQueries: `one message may change ${MODIFICATIONS_MAX} live queries`,
  QuerySetVersionMismatch: 'the change of the query set does not follow the one before',
} as const
export type FatalReason = keyof typeof FATAL

/** The message for a reason. */
export function fatalMessage(reason: FatalReason): string {
  return fatalError(reason, FATAL[reason])
}

/** Codes with which the websocket library closes a socket for what is no frame, no text, or too large. @source RFC 6455, 7.4.1 */
const BY_LIBRARY: Partial<Record<number, FatalReason>> = {
  1002: 'MalformedMessage',
  1007: 'MalformedMessage',
  1009: 'TooLarge',
}

/** Sends the client what the websocket library finds out itself, before the library closes the socket. */
export function announceClosing(socket: WebSocket, announce: (message: string) => void): void {
  const close = socket.close.bind(socket)
  socket.close = (code, reason) => {
    const why = BY_LIBRARY[code ?? 0]
    if (why && reason === undefined) announce(fatalMessage(why))
    close(code, reason)
  }
}
