// The form of a note: further wordings are typed one per line.

/** Non-empty lines without surrounding spaces, each once, in the order typed. */
export function wordingsOf(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')
}
