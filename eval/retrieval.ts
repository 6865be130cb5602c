// `npm run eval:retrieval -- [folder]`: how often search finds the right passage of the development sets, compared with plain BM25 and
// PostgreSQL's own full-text search. Also with a typo in each question. By meaning and by both with models that are trained in the run,
// how much weight each gets, and whether both together are worse than the better one.
// `--vectors=folder`: a folder with vectors of passages and questions, which are measured as well. `--record` first requests them from the
// embedding model of the environment (EMBEDDINGS_…).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadEnvironment, readConfig } from '#server/config.ts'
import { createEmbeddings } from '#server/integrations/llm/embeddings.ts'
import { compareWithBetter } from './compare-with-better.ts'
import { type FullTextMode, openFullText } from './full-text.ts'
import { type MadeModel, madeModels } from './made-models.ts'
import { DEPTH, type Figures, type Finder, figuresOf, methodsOf, ranksOf } from './methods.ts'
import {
  type EvalSet,
  mistypedVectors,
  type Query,
  readSet,
  recordVectors,
  titleOf,
  type Vectors,
  withTypo,
} from './sets.ts'

type Row = { set: string; method: string } & Figures

const SETS = [
  { name: 'known-item ru', file: 'phpdoc.ru', kind: 'known-item' },
  { name: 'known-item en', file: 'phpdoc.en', kind: 'known-item' },
  { name: 'faq ru', file: 'phpdoc.ru', kind: 'faq' },
  { name: 'faq en', file: 'phpdoc.en', kind: 'faq' },
  { name: 'pubmedqa en', file: 'pubmedqa.en' },
  { name: 'support', file: 'support' },
  { name: 'help ru', file: 'help.ru' },
  { name: 'help en', file: 'help.en' },
]
const FIGURES = ['at1', 'at5', 'at10', 'mrr'] as const
const NAMES = { at1: 'R@1', at5: 'R@5', at10: 'R@10', mrr: 'MRR' }

const { values, positionals } = parseArgs({
  options: { vectors: { type: 'string' }, record: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const folder = positionals[0] ?? 'eval/fixture'
const vectors = values.vectors ?? folder
/** The folder has some of the sets; by default those that come with the project. */
const isThere = (file: string) => existsSync(join(folder, `${file}.passages.jsonl`))
if (values.record) await record()
const rows: Row[] = []
const comparisons: Record<string, string>[] = []
for (const { name, ...place } of SETS.filter(({ file }) => isThere(file)))
  await evaluate(readSet(name, { folder, vectors, ...place }), place.file)
console.table(rows.map(({ set, method, ...each }) => ({ set, method, ...rounded(each) })))
console.log('Both together less the better one, in points, ± standard error; ! is worse beyond chance:')
console.table(comparisons)

async function record(): Promise<void> {
  const { embeddings } = readConfig(loadEnvironment('.env'))
  if (!embeddings) throw new Error('EMBEDDINGS_MODEL is not set: no model to compute vectors with.')
  for (const file of new Set(SETS.map((set) => set.file).filter(isThere))) {
    await recordVectors(createEmbeddings(embeddings), { folder, vectors, file })
  }
}

async function evaluate(set: EvalSet, file: string): Promise<void> {
  const fullText = await openFullText(set.passages.map((passage) => ({ ...passage, title: titleOf(passage) })))
  const modes: FullTextMode[] = ['all words', 'any word']
  const byText = modes.map((mode): [string, Finder] => [
    `PostgreSQL, ${mode}`,
    ({ query }) => fullText.find(query, mode, DEPTH),
  ])
  const models = modelsOf(set, file)
  const withTypos = set.queries.map((query) => ({ ...query, query: withTypo(query.query) }))
  for (const [suffix, asked] of [['', set.queries] as const, [', typos', withTypos] as const]) {
    const words = methodsOf({ ...set, vectors: null })
    for (const [method, find] of [...byText, ...words]) {
      rows.push({ set: set.name, method: method + suffix, ...figuresOf(await ranksOf(asked, find)) })
    }
    for (const model of models) await compare({ ...set, vectors: model.vectorsFor(asked) }, asked, { model, suffix })
  }
  await fullText.close()
}

/** Those that are made of the passages, and the recorded one. */
function modelsOf({ passages, queries, vectors }: EvalSet, file: string): MadeModel[] {
  const made = madeModels(file, passages)
  if (!vectors) return made
  return [
    ...made,
    { name: 'recorded', vectorsFor: (asked) => (asked === queries ? vectors : mistypedVectors(vectors)) },
  ]
}

async function compare(
  set: Pick<EvalSet, 'name' | 'passages'> & { vectors: Vectors },
  asked: Query[],
  { model, suffix }: { model: MadeModel; suffix: string },
): Promise<void> {
  const methods = new Map(methodsOf(set))
  const trust = set.vectors.trust
  const places = async (method: string) => ranksOf(asked, methods.get(method) ?? (() => []))
  const ranks = { words: await places('words'), meaning: await places('meaning'), both: await places('both') }
  for (const method of ['meaning', 'both'] as const) {
    rows.push({ set: set.name, method: `${method}, ${model.name}${suffix}`, ...figuresOf(ranks[method]) })
  }
  const shown = FIGURES.map((figure) => {
    const { difference, error, isWorse } = compareWithBetter(figure, ranks)
    return [NAMES[figure], `${percent(difference)} ± ${percent(error)}${isWorse ? ' !' : ''}`]
  })
  comparisons.push({
    set: set.name + suffix,
    model: model.name,
    trust: trust === null ? '?' : trust.toFixed(2),
    ...Object.fromEntries(shown),
  })
}

function rounded(each: Figures): Record<string, string> {
  return Object.fromEntries(FIGURES.map((figure) => [NAMES[figure], percent(each[figure])]))
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
