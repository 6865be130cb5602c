// Why a server cannot start, for the person who starts it.

/** A reason not to start that the operator can fix: shown as its message alone, without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}

/** How many causes are shown; a longer chain is cut off. */
const CAUSES_MAX = 8

/** The error and its causes, one a line, without the passwords in addresses. */
export function explainFailure(error: unknown): string {
  const chain: unknown[] = []
  for (let next = error; next !== undefined && chain.length < CAUSES_MAX; next = causeOf(next)) chain.push(next)
  const lines = chain.map((each) => withoutPasswords(messageOf(each)))
  return [...new Set(lines)].join('\n  because: ')
}

/** A connection that is refused at each address of a host has an error without a message. */
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
