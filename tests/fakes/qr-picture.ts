// A QR code as a PNG, as GREEN-API sends it. One grey byte for each pixel; nothing that a picture library would be needed for.
import { crc32, deflateSync } from 'node:zlib'
import { encode } from 'uqr'

const PIXELS_PER_MODULE = 6
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG that a phone's camera can read. */
export function qrPicture(text: string): Buffer {
  const { data, size } = encode(text, { border: 3 })
  const width = size * PIXELS_PER_MODULE
  const rows: Buffer[] = []
  for (let y = 0; y < width; y++) {
    const row = Buffer.alloc(width + 1)
    const modules = data[Math.floor(y / PIXELS_PER_MODULE)] ?? []
    for (let x = 0; x < width; x++) row[x + 1] = modules[Math.floor(x / PIXELS_PER_MODULE)] ? 0 : 255
    rows.push(row)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(width, 4)
  header.writeUInt8(8, 8) // bits of a sample; colour type 0 is grey
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
