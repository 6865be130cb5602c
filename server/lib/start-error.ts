// Why a server cannot start, said to the person who starts it.

/** A reason not to start that is the operator's to mend: shown as its message alone, without a stack. */
export class StartError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'StartError'
  }
}
