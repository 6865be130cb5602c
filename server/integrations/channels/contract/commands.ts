// Commands that customers are offered.

/** A command that customers are offered, without the slash, and what it is for in each language. */
export type OfferedCommand = { command: string; description: { ru: string; en: string } }
