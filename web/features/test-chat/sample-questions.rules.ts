// Which questions an empty test chat proposes.

const AT_MOST = 4

/** The notes that are questions, else the questions that every business is asked. */
export function sampleQuestions(noteNames: readonly string[], common: readonly string[]): string[] {
  const asked = [...new Set(noteNames.map((name) => name.trim()))].filter((name) => name.endsWith('?'))
  return (asked.length > 0 ? asked : common).slice(0, AT_MOST)
}
