// Parses server-sent events from a stream of text in chunks of any size.

/** @returns what takes the next piece; `onData` is called with the data of each event that is whole */
export function createEventReader(onData: (data: string) => void): (piece: string) => void {
  let rest = ''
  return (piece) => {
    const events = (rest + piece).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'))
      if (lines.length > 0) onData(lines.map((line) => line.slice('data:'.length).trimStart()).join('\n'))
    }
  }
}
