// How much of a model's context a text takes.

/** Tokens of a text, roughly: models cut Latin text into pieces of about four letters and Cyrillic into about two and a half. */
export function estimateTokens(text: string): number {
  const cyrillic = text.match(/[\u0400-\u04ff]/g)?.length ?? 0
  return Math.ceil(cyrillic / 2.5 + (text.length - cyrillic) / 4)
}
