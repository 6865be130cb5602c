// Which tables a text of the server writes: through Kysely's builders and in raw SQL, inside of CTEs too.

/** Stands for a table whose name the text computes. */
export const COMPUTED = '*'

const BUILDER =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:(['"`])(?<table>[\w.]+)(?:\s+as\s+\w+)?\1)?/g

/** `${…}` and `"…"` around a name are taken along; what is no name of ours (a CTE cannot be written) stands out in the result. */
const NAME = String.raw`(?<table>\$\{|(?:"?\w+"?\.)?"?\w+"?)`
const STATEMENTS = [
  String.raw`\b(?:insert|merge)\s+into\s+(?:only\s+)?${NAME}`,
  String.raw`\bdelete\s+from\s+(?:only\s+)?${NAME}`,
  String.raw`\btruncate\s+(?:table\s+)?(?:only\s+)?${NAME}(?=[\s;\`'"]*(?:cascade\b|[\`'"]))`,
  // `do update set` and `for update of` name no table.
  String.raw`\bupdate\s+(?:only\s+)?(?!set\b|of\b)(?<table>\$\{|(?:"?\w+"?\.)?"?\w+"?)(?:[^\`;$]*?\}|(?:\s+as)?\s+(?!set\b)\w+)?\s+set\b`,
].map((pattern) => new RegExp(pattern, 'gi'))

/** Names of the tables that a text writes, each once, sorted; `COMPUTED` where the name is not written out. Comments are not read. */
export function tablesWritten(text: string): string[] {
  const code = withoutComments(text)
  const names = [BUILDER, ...STATEMENTS].flatMap((pattern) => [...code.matchAll(pattern)].map(nameIn))
  return [...new Set(names)].sort()
}

function nameIn({ groups }: RegExpMatchArray): string {
  const name = groups?.table?.replaceAll('"', '').replace(/^public\./, '')
  return !name || name.startsWith('$') ? COMPUTED : name
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}
