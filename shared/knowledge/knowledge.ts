// Knowledge: spaces, documents, fragments, chunks and search results.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import {
  ALSO_ASKED_AS_MAX,
  ALSO_ASKED_AS_MAX_ITEMS,
  FILE_NAME_MAX,
  FIND_NAMED_MAX,
  FRAGMENT_CONTENT_MAX,
  FRAGMENT_NAME_MAX,
  IMPORT_NOTES_MAX,
  LIST_SEARCH_MAX,
  PASSAGE_LENGTH_MAX,
  PASSAGE_LENGTH_MIN,
  PASSAGE_OVERLAP_MAX,
  SPACE_DESCRIPTION_MAX,
  SPACE_NAME_MAX,
} from '#shared/limits.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import type { ChunkPlace, SourceKind } from './chunks.ts'
import { languages, type SourceLanguage, type SourceMarks, tags } from './knowledge-marks.ts'

/** Formats that an upload accepts, by file name extension. */
export const DOCUMENT_FORMATS = [
  'txt',
  'md',
  'csv',
  'json',
  'html',
  'pdf',
  'docx',
  'odt',
  'rtf',
  'pptx',
  'xlsx',
  'xls',
  'ods',
] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

/** The kinds of sources of a space; each can be switched off for a space, and for one agent that uses it. */
export const KNOWLEDGE_SOURCES = ['documents', 'fragments', 'webSearch', 'tables'] as const
export type KnowledgeSource = (typeof KNOWLEDGE_SOURCES)[number]

/** Which switch chunks of a kind obey. */
export const SOURCE_OF_KIND: Record<SourceKind, KnowledgeSource> = {
  document: 'documents',
  fragment: 'fragments',
  table: 'tables',
}

/**
 * uploading ─► processing ─► ready
 *                 │  ▲
 *          cancel │  │ retry
 *                 ▼  │
 *               error ┘
 */
export const DOCUMENT_STATES = ['uploading', 'processing', 'ready', 'error'] as const
export type DocumentStatus = (typeof DOCUMENT_STATES)[number]

/** In which order documents are listed. */
export const DOCUMENT_SORTS = ['newest', 'name', 'largest'] as const
export type DocumentSort = (typeof DOCUMENT_SORTS)[number]

/** Why a document is in state error. Each has a text that says what to do next. */
export type DocumentErrorReason =
  | 'password_protected'
  | 'damaged'
  | 'type_mismatch'
  | 'no_text_layer'
  | 'unreadable_text_layer'
  | 'too_large'
  | 'empty'
  | 'invalid_json'
  | 'encoding_unsure'
  | 'timeout'
  | 'not_started'
  | 'file_elsewhere'
  | 'cancelled'
  | 'failed'

/** What an author can hide in a file. `deletions`: removed while changes were tracked; `texts`: formatted or marked as hidden. */
export const HIDDEN_KINDS = ['rows', 'columns', 'sheets', 'slides', 'notes', 'comments', 'texts', 'deletions'] as const
/** Amount of each kind; kinds without any are missing. */
export type HiddenCounts = Partial<Record<(typeof HIDDEN_KINDS)[number], number>>

/** An encoding in which a file may be written, and how its text begins then. */
export type EncodingChoice = { encoding: string; preview: string }

/** A place in a text, both one-based. */
export type TextPosition = { line: number; column: number }

/** Something a reader of a ready document should know; `pages` are one-based. */
export type DocumentWarning =
  | { kind: 'no_text_layer' | 'unreadable_text_layer'; pages: number[] }
  | { kind: 'limit_reached'; limit: 'pages' | 'rows' | 'characters'; kept: number }
  /** Rows with more cells than the table has columns: how many, and the first of them. */
  | { kind: 'ragged_rows'; count: number; rows: number[]; sheet?: string }
  | { kind: 'encoding_guessed'; encoding: string }
  /** Headers and footers that repeat on most pages: how many lines, and the first of them. */
  | { kind: 'running_lines'; count: number; sample: string }
  /** Another document of the space has the same content: a person says which stays. */
  | { kind: 'same_file'; documentId: Id<'documents'>; name: string }
  /** Hidden content, and whether it was included because a person asked for it. */
  | { kind: 'hidden'; counts: HiddenCounts; isIncluded: boolean }

const spaceName = z.string().check(z.trim(), z.minLength(1), z.maxLength(SPACE_NAME_MAX))
const description = z.string().check(z.maxLength(SPACE_DESCRIPTION_MAX))
const knowledgeSpaceId = id('knowledgeSpaces')
const listSearch = z.string().check(z.maxLength(LIST_SEARCH_MAX))
const enabledSources = z.array(z.enum(KNOWLEDGE_SOURCES))
const share = z.number().check(z.minimum(0), z.maximum(1))
const enough = z.strictObject({ words: share, meaning: share })

/**
 * Thresholds from which a passage of a space counts as an answer: the share of the question's weight that its words cover, or its
 * similarity in meaning; 0 to 1. Below both the evidence is weak.
 */
export type Enough = z.infer<typeof enough>

const passageSize = z
  .strictObject({
    length: z.int().check(z.minimum(PASSAGE_LENGTH_MIN), z.maximum(PASSAGE_LENGTH_MAX)),
    overlap: z.int().check(z.minimum(0)),
  })
  .check(z.refine(({ length, overlap }) => overlap <= PASSAGE_OVERLAP_MAX * length))

/** Characters at which a passage of a document is full, and those of whole sentences that the next one repeats at most. */
export type PassageSize = z.infer<typeof passageSize>
export const PASSAGE_SIZE: PassageSize = { length: 700, overlap: 120 }

export const createSpaceInput = z.strictObject({ name: spaceName, description: z.optional(description) })
export const updateSpaceInput = z.strictObject({
  knowledgeSpaceId,
  patch: z.strictObject({
    name: z.optional(spaceName),
    description: z.optional(description),
    enabledSources: z.optional(enabledSources),
    enough: z.optional(enough),
    passages: z.optional(passageSize),
  }),
})
export const spaceInput = z.strictObject({ knowledgeSpaceId })
/** `isConfirmed`: also when agents use the space; without it such a space is refused and the agents are named. */
export const removeSpaceInput = z.strictObject({ knowledgeSpaceId, isConfirmed: z.optional(z.boolean()) })
export const spaceBySlugInput = z.strictObject({ slug: z.string(), organizationId: id('organizations') })
export const linkAgentInput = z.strictObject({ knowledgeSpaceId, agentId: id('agents') })
export const updateLinkInput = z.strictObject({
  ...linkAgentInput.shape,
  patch: z.strictObject({
    enabledSources: z.optional(enabledSources),
    tags: z.optional(tags),
    languages: z.optional(languages),
  }),
})
export const documentsInput = z.strictObject({ knowledgeSpaceId })
/** `search`: characters of the name. */
export const countDocumentsInput = z.strictObject({
  knowledgeSpaceId,
  search: z.optional(listSearch),
  status: z.optional(z.enum(DOCUMENT_STATES)),
})
export const browseDocumentsInput = z.strictObject({
  ...countDocumentsInput.shape,
  sort: z.optional(z.enum(DOCUMENT_SORTS)),
  paginationOpts,
})
/** `names`: of files, as they would be uploaded. */
export const findNamedInput = z.strictObject({
  knowledgeSpaceId,
  names: z.array(z.string().check(z.maxLength(FILE_NAME_MAX))).check(z.maxLength(FIND_NAMED_MAX)),
})
export const documentInput = z.strictObject({ documentId: id('documents') })
export const chooseEncodingInput = z.strictObject({
  documentId: id('documents'),
  encoding: z.string().check(z.minLength(1), z.maxLength(40)),
})
export const includeHiddenInput = z.strictObject({ documentId: id('documents'), includesHidden: z.boolean() })
const fragmentName = z.string().check(z.trim(), z.minLength(1), z.maxLength(FRAGMENT_NAME_MAX))
const fragmentContent = z.string().check(z.trim(), z.minLength(1), z.maxLength(FRAGMENT_CONTENT_MAX))
const wording = z.string().check(z.trim(), z.minLength(1), z.maxLength(ALSO_ASKED_AS_MAX))
const alsoAskedAs = z.array(wording).check(z.maxLength(ALSO_ASKED_AS_MAX_ITEMS))
export const createFragmentInput = z.strictObject({
  knowledgeSpaceId,
  name: fragmentName,
  content: fragmentContent,
  alsoAskedAs: z.optional(alsoAskedAs),
})
export const updateFragmentInput = z.strictObject({
  fragmentId: id('fragments'),
  patch: z.strictObject({
    name: z.optional(fragmentName),
    content: z.optional(fragmentContent),
    alsoAskedAs: z.optional(alsoAskedAs),
  }),
})
export const importFragmentsInput = z.strictObject({
  knowledgeSpaceId,
  notes: z
    .array(z.strictObject({ name: fragmentName, content: fragmentContent, alsoAskedAs }))
    .check(z.minLength(1), z.maxLength(IMPORT_NOTES_MAX)),
})
/** `search`: characters of the name or the content. */
export const listFragmentsInput = z.strictObject({ knowledgeSpaceId, search: z.optional(listSearch), paginationOpts })
export const fragmentInput = z.strictObject({ fragmentId: id('fragments') })
export const searchInput = z.strictObject({
  knowledgeSpaceId,
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(2000)),
  limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(50))),
})

/** Which documents of a space are looked through. */
export type DocumentFilter = z.infer<typeof countDocumentsInput>

/** How a text is compared when lists are searched: without case, ё as е. The database keeps names in the same form. */
export function searchKey(text: string): string {
  return text.trim().toLowerCase().replaceAll('ё', 'е')
}

export type KnowledgeSpace = {
  _id: Id<'knowledgeSpaces'>
  slug: string
  name: string
  organizationId: Id<'organizations'>
  description: string
  /** What agents may use of it. */
  enabledSources: KnowledgeSource[]
  enough: Enough
  /** Passage size for documents cut from now on; existing chunks stay unchanged. */
  passages: PassageSize
  linkedAgents: number
  documents: number
  fragments: number
  tables: number
  createdAt: number
  updatedAt: number
}

/**
 * An agent that uses a space, and what of it: no more than the space has enabled. `tags`: only sources with one of them, `languages`: only
 * sources in one of them, or in none that is known; none: all.
 */
export type SpaceLink = {
  agentId: Id<'agents'>
  enabledSources: KnowledgeSource[]
  tags: string[]
  languages: SourceLanguage[]
}

export type KnowledgeDocument = SourceMarks & {
  _id: Id<'documents'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  format: DocumentFormat
  sizeBytes: number
  status: DocumentStatus
  /** 0 to 1 while uploading or processing. */
  progress: number
  errorReason: DocumentErrorReason | null
  /** Where in the file the error is, for reasons that have a place. */
  errorAt: TextPosition | null
  /** For the reason encoding_unsure: the likeliest first. Null for any other. */
  encodingChoices: EncodingChoice[] | null
  /** As a person has chosen; null: it is found out. */
  encoding: string | null
  /** Whether it is read with what its author has hidden. */
  includesHidden: boolean
  warnings: DocumentWarning[]
  /** Searches find the previous content: the newest is being processed, or was rejected. Counts and warnings are of what is found. */
  servesEarlier: boolean
  chunks: number
  tokens: number
  pages: number | null
  /** Of spreadsheets. */
  rows: number | null
  columns: number | null
  sheets: number | null
  /** It was made from a page of a site, and is renewed with it. */
  isSitePage: boolean
  uploadedAt: number
  /** When its newest content came; null: it has the one that it was uploaded with. */
  replacedAt: number | null
}

/** A document in the list of work, which spans all spaces. */
export type WorkItem = Pick<KnowledgeDocument, '_id' | 'name' | 'status' | 'progress' | 'errorReason'> & {
  spaceSlug: string
  spaceName: string
}
/** Work on documents: the newest in progress, and the latest that ended. `unlisted`: how many more are in progress. */
export type DocumentWork = { unfinished: WorkItem[]; unlisted: number; ended: WorkItem[] }

export type Fragment = SourceMarks & {
  _id: Id<'fragments'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  name: string
  content: string
  alsoAskedAs: string[]
  tokens: number
  createdAt: number
  updatedAt: number
}

/** One found chunk. `documentId` is the id of the document or fragment it comes from; scores are 0 to 1 within one query. */
export type SearchResult = {
  id: Id<'chunks'>
  documentId: string
  content: string
  tokens: number
  score: number
  /** `meaning` is null where search used words alone, `relevance` where no reranking model was used: it has a scale of its own. */
  scores: { words: number; grams: number; meaning: number | null; relevance: number | null }
  matchedTerms: string[]
  /** Not a hit itself: a neighbour that completes a hit. Its scores are 0. */
  isNeighbour: boolean
  metadata: ChunkPlace & {
    source: string
    sourceKind: SourceKind
    chunkIndex: number
    totalChunks: number
    headingPath: string[]
  }
}

/** The answer of `knowledge/search:explain`; `knowledge/search:run` gives the results alone. */
export type SearchResponse = {
  results: SearchResult[]
  /** 0 to 1: how much of the question's weight the best chunk carries; low means "probably not in here". */
  evidence: number
  /** How near the nearest chunk is in meaning, 0 to 1; null: search went by words alone. */
  nearest: number | null
  /** Whether no hit reaches the threshold of its space. */
  isWeak: boolean
  elapsedMs: number
  /** Where the time went, in the order of the stages. */
  stages: StageTiming[]
}

/** What takes time in a search: asking providers for other words, for vectors and for a judgement, then opening the index, ranking and choosing. */
export type TimedStage = 'rewrite' | 'embed' | 'rerank' | 'index' | 'words' | 'meaning' | 'select'

/** `hasFailed`: the search went on without the stage. */
export type StageTiming = { stage: TimedStage; elapsedMs: number; hasFailed: boolean }
