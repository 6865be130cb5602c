// A number from a text, the same every time.

/** A whole number of 32 bits. @source FNV-1a, public domain */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
