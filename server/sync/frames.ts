// Outgoing websocket messages as bytes on the wire.
//
// Frames of a server are not masked, so one message to a thousand clients is the same bytes a thousand times: they are made once
// and written as one piece, where the websocket library would make a header and two writes for each client. It compresses and
// fragments nothing here (`perMessageDeflate: false`), so what it writes by itself (pongs, the closing frame) keeps its place.

const FINAL_TEXT = 0x81

/** A whole text message. @source RFC 6455, 5.2 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerLength + length)
  frame[0] = FINAL_TEXT
  if (headerLength === 2) frame[1] = length
  else if (headerLength === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, headerLength)
  return frame
}
