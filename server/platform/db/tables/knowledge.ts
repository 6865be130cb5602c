// Knowledge: spaces, what was put in, the chunks cut from it (the truth) and the index segments (rebuilt from the chunks at any time).
import type { Generated, GeneratedAlways } from 'kysely'
import type { Id } from '#shared/ids.ts'
import type { SourceKind } from '#shared/knowledge/chunks.ts'
import type {
  DocumentErrorReason,
  DocumentFormat,
  DocumentStatus,
  DocumentWarning,
  EncodingChoice,
  KnowledgeSource,
  TextPosition,
} from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type { TableChunkStatus } from '#shared/knowledge/tables.ts'
import type { DefaultJson, Json, Timestamp } from './columns.ts'

export interface KnowledgeSpacesTable {
  id: Id<'knowledgeSpaces'>
  organization_id: Id<'organizations'>
  slug: string
  name: string
  description: string
  /** Grows with every change of the space's index segments. */
  index_version: Generated<number>
  /** The embedding model that has given every chunk a vector, by which the space is searched; null: by words alone. */
  embedding_model: string | null
  /** The embedding model whose vectors are being made; null: none are. */
  next_embedding_model: string | null
  /** An embedding model whose vectors somebody did not want to be made, or no further. */
  declined_embedding_model: string | null
  /** How well `embedding_model` finds passages of the space by a few of their own words, 0 to 1; null: there are too few to tell. */
  embedding_trust: number | null
  /** Passages among which that was measured; 0: not yet. */
  embedding_trust_chunks: Generated<number>
  /** Whether an agent's model writes questions for its passages. */
  generates_questions: Generated<boolean>
  /** Whether notes are proposed from what people answer. */
  learns_from_replies: Generated<boolean>
  /** The `index_version` whose passages were last compared with each other, and when; null: never. */
  compared_version: number | null
  compared_at: Timestamp | null
  disabled_sources: DefaultJson<KnowledgeSource[]>
  /** From when on what is found counts as an answer, by words and by meaning, 0 to 1. */
  enough_words: Generated<number>
  enough_meaning: Generated<number>
  /** Of what documents are cut into from now on, characters. */
  passage_length: Generated<number>
  passage_overlap: Generated<number>
  /** Whether any source of it has ever had a tag or a time in which it holds. */
  has_marks: Generated<boolean>
  /** When it was removed; it is deleted for good a little later, until then it can be brought back. */
  deleted_at: Date | null
  /** The agents that used it when it was removed. */
  deleted_links: DefaultJson<DeletedLink[]>
  created_at: Timestamp
  updated_at: Timestamp
}

/** A link to be made again when a removed space is brought back. */
export type DeletedLink = {
  agentId: Id<'agents'>
  disabledSources: KnowledgeSource[]
  /** Missing in older ones. */
  tags?: string[]
  languages?: SourceLanguage[]
  createdAt: string
}

export interface DocumentsTable {
  id: Id<'documents'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  name: string
  /** The name as lists are searched and sorted by. */
  name_key: GeneratedAlways<string>
  format: DocumentFormat
  size_bytes: number
  /** Key of the stored upload. */
  file_key: string
  /** When the upload took the place of an earlier one. */
  replaced_at: Timestamp | null
  status: DocumentStatus
  /** 0 to 1. */
  progress: Generated<number>
  /** Grows with every attempt; a worker of an older attempt may not write. */
  attempt: Generated<number>
  error_reason: DocumentErrorReason | null
  error_at: Json<TextPosition> | null
  /** For the reason encoding_unsure. */
  encoding_choices: Json<EncodingChoice[]> | null
  /** As a person has chosen; null: it is found out. */
  encoding: string | null
  /** Whether it is read with what its author has hidden. */
  includes_hidden: Generated<boolean>
  /** SHA-256 of its file in base64url, when it was read last; null: it was not, since that is kept. */
  content_hash: string | null
  warnings: Json<DocumentWarning[]>
  /** Of what is found of it, and what follows: in state processing or error, of the content before; 0: nothing is found. */
  chunk_count: Generated<number>
  token_count: Generated<number>
  page_count: number | null
  /** Of spreadsheets: rows of all sheets, columns of the widest, sheets that hold something. */
  row_count: number | null
  column_count: number | null
  sheet_count: number | null
  /** As of its space when it was cut, characters. */
  passage_length: Generated<number>
  passage_overlap: Generated<number>
  /** Last sign of life of the worker that processes it. */
  heartbeat_at: Timestamp | null
  tags: DefaultJson<string[]>
  /** Found from this instant on, and until that one; null: no end on that side. */
  valid_from: Timestamp | null
  valid_until: Timestamp | null
  /** As its text tells, and as a person says; null: it does not, nobody does. */
  text_language: SourceLanguage | null
  chosen_language: SourceLanguage | null
  /** What a person says, else what the text tells. */
  language: GeneratedAlways<SourceLanguage> | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface FragmentsTable {
  id: Id<'fragments'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  name: string
  content: string
  /** Name and content as lists are searched by. */
  search_key: GeneratedAlways<string>
  also_asked_as: Json<string[]>
  token_count: number
  tags: DefaultJson<string[]>
  /** Found from this instant on, and until that one; null: no end on that side. */
  valid_from: Timestamp | null
  valid_until: Timestamp | null
  /** As its text tells, and as a person says; null: it does not, nobody does. */
  text_language: SourceLanguage | null
  chosen_language: SourceLanguage | null
  /** What a person says, else what the text tells. */
  language: GeneratedAlways<SourceLanguage> | null
  created_at: Timestamp
  updated_at: Timestamp
}

export interface ChunksTable {
  id: Id<'chunks'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  source_kind: SourceKind
  /** Id of the document, fragment or table. */
  source_id: string
  ordinal: number
  /** Name of the document, fragment or table. */
  title: string
  heading_path: Json<string[]>
  body: string
  /** Further wordings that the chunk answers; indexed, not shown. */
  also_asked_as: Json<string[]>
  /** Questions that a model thinks it answers; indexed, not shown. Null: none were asked for yet. */
  generated_questions: Json<string[]> | null
  token_count: number
  content_hash: string
  /** One-based; null where the format has no pages. A chunk may run over to the next page. */
  page: number | null
  last_page: number | null
  sheet: string | null
  /** One-based; null where the chunk holds no rows of a spreadsheet. */
  first_row: number | null
  last_row: number | null
  /** Characters from the start of the extracted text. */
  start_offset: number
  end_offset: number
  is_enabled: Generated<boolean>
  /** Of tables: how far the import of the chunk is. It is enabled when it is ready. */
  import_status: TableChunkStatus | null
  /** A change makes a new row; the ids of those that it has replaced. */
  former_ids: DefaultJson<Id<'chunks'>[]>
  created_at: Timestamp
}

/** A chunk of a document's next content: not found yet. Its id is that of a chunk that stays, where there is one of the same text. */
export interface StagedChunksTable {
  organization_id: Id<'organizations'>
  document_id: Id<'documents'>
  ordinal: number
  id: Id<'chunks'>
  title: string
  heading_path: Json<string[]>
  body: string
  token_count: number
  content_hash: string
  page: number | null
  last_page: number | null
  sheet: string | null
  first_row: number | null
  last_row: number | null
  start_offset: number
  end_offset: number
}

/** What a chunk, or a question that it answers, means to an embedding model. */
export interface ChunkVectorsTable {
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  chunk_id: Id<'chunks'>
  model: string
  /** 0: the chunk itself; n: the nth of its generated questions. */
  question_number: Generated<number>
  /** Of the text that it was made from, of a question its MD5; another than the text's: out of date. */
  content_hash: string
  /** One signed byte a dimension; empty: the model does not take the text. */
  vector: Uint8Array
  created_at: Timestamp
}

/** An immutable piece of a space's lexical index. `deleted` is a bitmap over its local chunk numbers. */
export interface IndexSegmentsTable {
  id: string
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  chunk_count: number
  blob: Uint8Array
  /** By which reading of words it was made. */
  words_version: Generated<number>
  deleted: Uint8Array
  created_at: Timestamp
}
