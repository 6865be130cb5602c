// Why a server cannot start, said to the person who starts it.

/** A reason not to start that is the operator's to mend: shown as its message alone, without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}

/** Causes that are shown; a longer chain is cut off. */
const CAUSES_MAX = 8

/** What went wrong and why, a cause a line, without the passwords of addresses. */
export function explainFailure(error: unknown): string {
  const chain: unknown[] = []
  for (let next = error; next !== undefined && chain.length < CAUSES_MAX; next = causeOf(next)) chain.push(next)
  const lines = chain.map((each) => withoutPasswords(messageOf(each)))
  return [...new Set(lines)].join('\n  because: ')
}

/** A connection that is refused at each address of a host has no message of its own. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message) return error.message
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return 'code' in error ? String(error.code) : error.name
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

function withoutPasswords(text: string): string {
  return text.replace(/(\w+:\/\/[^\s:@/]*):[^\s@/]*@/g, '$1:…@')
}
