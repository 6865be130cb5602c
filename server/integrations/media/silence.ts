// A silent recording, for testing a key.
import type { Recording } from './media.ts'

const RATE = 8000
const SAMPLE_BYTES = 2
const HEADER_BYTES = 44

/** One second of silence as WAV: 16 bits, one channel. */
export function silence(): Recording {
  const dataBytes = RATE * SAMPLE_BYTES
  const wav = Buffer.alloc(HEADER_BYTES + dataBytes)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16) // length of the format
  wav.writeUInt16LE(1, 20) // PCM
  wav.writeUInt16LE(1, 22) // channels
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE * SAMPLE_BYTES, 28)
  wav.writeUInt16LE(SAMPLE_BYTES, 32)
  wav.writeUInt16LE(8 * SAMPLE_BYTES, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(dataBytes, 40)
  return { bytes: wav, mimeType: 'audio/wav', durationSeconds: 1 }
}
