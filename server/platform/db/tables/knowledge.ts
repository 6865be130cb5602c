// Knowledge: spaces, their sources, the chunks cut from them (the source of truth) and the index segments (rebuilt from the chunks at any
// time).
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
  /** The embedding model that the space is searched with, for which every chunk has a vector; null: search by words alone. */
  embedding_model: string | null
  /** The embedding model whose vectors are being computed; null: none. */
  next_embedding_model: string | null
  /** An embedding model whose vectors a user declined, or stopped. */
  declined_embedding_model: string | null
  /** How well `embedding_model` finds passages of the space by a few of their own words, 0 to 1; null: too few passages to measure. */
  embedding_trust: number | null
  /** Number of passages in that measurement; 0: not measured yet. */
  embedding_trust_chunks: Generated<number>
  /** Whether an agent's model generates questions for its passages. */
  generates_questions: Generated<boolean>
  /** Whether notes are proposed from operators' replies. */
  learns_from_replies: Generated<boolean>
  /** The `index_version` whose passages were last compared with each other, and when; null: never. */
  compared_version: number | null
  compared_at: Timestamp | null
  disabled_sources: DefaultJson<KnowledgeSource[]>
  /** Thresholds from which a hit counts as an answer, by words and by meaning, 0 to 1. */
  enough_words: Generated<number>
  enough_meaning: Generated<number>
  /** Passage length for documents cut from now on, characters. */
  passage_length: Generated<number>
  passage_overlap: Generated<number>
  /** Whether any source has ever had a tag or a validity period. */
  has_marks: Generated<boolean>
  /** When it was removed; it can be restored until it is purged a little later. */
  deleted_at: Date | null
  /** The agents that used it when it was removed. */
  deleted_links: DefaultJson<DeletedLink[]>
  created_at: Timestamp
  updated_at: Timestamp
}

/** A link to restore with a removed space. */
export type DeletedLink = {
  agentId: Id<'agents'>
  disabledSources: KnowledgeSource[]
  /** Missing in older rows. */
  tags?: string[]
  languages?: SourceLanguage[]
  createdAt: string
}

export interface DocumentsTable {
  id: Id<'documents'>
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  name: string
  /** Normalized name, for searching and sorting lists. */
  name_key: GeneratedAlways<string>
  format: DocumentFormat
  size_bytes: number
  /** Key of the stored upload. */
  file_key: string
  /** When the upload replaced an earlier one. */
  replaced_at: Timestamp | null
  status: DocumentStatus
  /** 0 to 1. */
  progress: Generated<number>
  /** Grows with every attempt; a worker of an older attempt may not write. */
  attempt: Generated<number>
  error_reason: DocumentErrorReason | null
  error_at: Json<TextPosition> | null
  /** Set with the reason encoding_unsure. */
  encoding_choices: Json<EncodingChoice[]> | null
  /** Chosen by a person; null: detected. */
  encoding: string | null
  /** Whether text that its author has hidden is included. */
  includes_hidden: Generated<boolean>
  /** SHA-256 of its file in base64url, as last read; null: not read since this is recorded. */
  content_hash: string | null
  warnings: Json<DocumentWarning[]>
  /** Counts of what is searchable, here and below: in state processing or error, of the previous content; 0: nothing is searchable. */
  chunk_count: Generated<number>
  token_count: Generated<number>
  page_count: number | null
  /** Of spreadsheets: rows of all sheets, columns of the widest, sheets that are not empty. */
  row_count: number | null
  column_count: number | null
  sheet_count: number | null
  /** Passage length of its space when it was cut, characters. */
  passage_length: Generated<number>
  passage_overlap: Generated<number>
  /** Last heartbeat of the worker that processes it. */
  heartbeat_at: Timestamp | null
  tags: DefaultJson<string[]>
  /** Validity period within which it is found, start included; null: open on that side. */
  valid_from: Timestamp | null
  valid_until: Timestamp | null
  /** Detected from its text, and set by a person; null: not detected, not set. */
  text_language: SourceLanguage | null
  chosen_language: SourceLanguage | null
  /** The one set by a person, else the detected one. */
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
  /** Normalized name and content, for searching lists. */
  search_key: GeneratedAlways<string>
  also_asked_as: Json<string[]>
  token_count: number
  tags: DefaultJson<string[]>
  /** Validity period within which it is found, start included; null: open on that side. */
  valid_from: Timestamp | null
  valid_until: Timestamp | null
  /** Detected from its text, and set by a person; null: not detected, not set. */
  text_language: SourceLanguage | null
  chosen_language: SourceLanguage | null
  /** The one set by a person, else the detected one. */
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
  /** Generated questions that the chunk answers; indexed, not shown. Null: not generated yet. */
  generated_questions: Json<string[]> | null
  token_count: number
  content_hash: string
  /** One-based; null where the format has no pages. A chunk may continue on the next page. */
  page: number | null
  last_page: number | null
  sheet: string | null
  /** One-based; null where the chunk holds no spreadsheet rows. */
  first_row: number | null
  last_row: number | null
  /** Characters from the start of the extracted text. */
  start_offset: number
  end_offset: number
  is_enabled: Generated<boolean>
  /** Of tables: import progress of the chunk. It is enabled when it is ready. */
  import_status: TableChunkStatus | null
  /** An edit creates a new row; the ids of the rows that it replaced. */
  former_ids: DefaultJson<Id<'chunks'>[]>
  created_at: Timestamp
}

/** A chunk of a document's next content, not searchable yet. Where a chunk with the same text stays, it has that one's id. */
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

/** The embedding of a chunk, or of a question that it answers. */
export interface ChunkVectorsTable {
  organization_id: Id<'organizations'>
  knowledge_space_id: Id<'knowledgeSpaces'>
  chunk_id: Id<'chunks'>
  model: string
  /** 0: the chunk itself; n: the nth of its generated questions. */
  question_number: Generated<number>
  /** Of the text that it was computed from, of a question its MD5; a mismatch means out of date. */
  content_hash: string
  /** One signed byte per dimension; empty: the model rejects the text. */
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
  /** Version of the tokenizer that it was built with. */
  words_version: Generated<number>
  deleted: Uint8Array
  created_at: Timestamp
}
