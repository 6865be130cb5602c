// How many tokens a text has, by the tokenizer of current OpenAI models. Loaded when first needed: its tables are large.

/** A synchronous counter. Marks that models treat specially count as the plain text they are here. */
export async function tokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  return (text) => countTokens(text, { disallowedSpecial: new Set() })
}
