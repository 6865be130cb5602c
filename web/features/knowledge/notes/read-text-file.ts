// The text of a file that a person has chosen, in the encoding in which spreadsheets of our customers are saved.

/** UTF-8 or UTF-16 where the bytes are that, otherwise windows-1251: what Excel in Russian writes. */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}
