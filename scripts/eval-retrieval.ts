// `npm run eval:retrieval -- [folder]`: how often search finds the right passage of the development sets, beside plain BM25 and
// PostgreSQL's own full-text search. Also with a typing error in each question.
// `--vectors=folder`: where the vectors of passages and questions lie; with them also by meaning and by both. `--record` first asks the
// embedding model of the environment (EMBEDDINGS_…) for them.
import { parseArgs } from 'node:util'
import { loadEnvironment, readConfig } from '#server/config.ts'
import { createEmbeddings } from '#server/llm/embeddings.ts'
import { type FullTextMode, openFullText } from './eval/full-text.ts'
import { DEPTH, type Figures, type Finder, figures, methodsOf } from './eval/methods.ts'
import { type EvalSet, readSet, recordVectors, titleOf, withTypo } from './eval/sets.ts'

type Row = { set: string; method: string } & Figures

const SETS = [
  { name: 'known-item ru', file: 'phpdoc.ru', kind: 'known-item' },
  { name: 'known-item en', file: 'phpdoc.en', kind: 'known-item' },
  { name: 'faq ru', file: 'phpdoc.ru', kind: 'faq' },
  { name: 'faq en', file: 'phpdoc.en', kind: 'faq' },
  { name: 'pubmedqa en', file: 'pubmedqa.en' },
]

const { values, positionals } = parseArgs({
  options: { vectors: { type: 'string' }, record: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const folder = positionals[0] ?? '../shared/data/retrieval'
const vectors = values.vectors ?? folder
if (values.record) await record()
const rows: Row[] = []
for (const { name, ...place } of SETS) rows.push(...(await evaluate(readSet(name, { folder, vectors, ...place }))))
console.table(rows.map(({ set, method, ...each }) => ({ set, method, ...rounded(each) })))

async function record(): Promise<void> {
  const { embeddings } = readConfig(loadEnvironment('.env'))
  if (!embeddings) throw new Error('EMBEDDINGS_MODEL is not set: there is nobody to ask for vectors.')
  for (const file of new Set(SETS.map((set) => set.file))) {
    await recordVectors(createEmbeddings(embeddings), { folder, vectors, file })
  }
}

async function evaluate(set: EvalSet): Promise<Row[]> {
  const fullText = await openFullText(set.passages.map((passage) => ({ ...passage, title: titleOf(passage) })))
  const modes: FullTextMode[] = ['all words', 'any word']
  const methods: [string, Finder][] = [
    ...modes.map((mode): [string, Finder] => [`PostgreSQL, ${mode}`, ({ query }) => fullText.find(query, mode, DEPTH)]),
    ...methodsOf(set),
  ]
  const withTypos = set.queries.map((query) => ({ ...query, query: withTypo(query.query) }))
  const rows: Row[] = []
  for (const [suffix, asked] of [['', set.queries] as const, [', typos', withTypos] as const]) {
    for (const [method, find] of methods) {
      rows.push({ set: set.name, method: method + suffix, ...(await figures(asked, find)) })
    }
  }
  await fullText.close()
  return rows
}

function rounded({ at1, at5, at10, mrr }: Figures): Record<string, string> {
  const percent = (share: number) => (share * 100).toFixed(1)
  return { 'R@1': percent(at1), 'R@5': percent(at5), 'R@10': percent(at10), MRR: percent(mrr) }
}
