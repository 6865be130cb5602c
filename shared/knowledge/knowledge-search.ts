// The search tester of a space: its stages and arguments.
import * as z from 'zod/mini'
import { id } from '#shared/schema.ts'
import { type SearchResponse, searchInput } from './knowledge.ts'

/**
 * Stages that the tester can skip: rephrasing the question (for agents that do), word stems, 4-grams, vector similarity, reranking, notes
 * before documents, deduplication, and adding the neighbours of hits.
 */
export const SEARCH_STAGES = [
  'rewrite',
  'words',
  'grams',
  'meaning',
  'rerank',
  'notes',
  'duplicates',
  'neighbours',
] as const
export type SearchStage = (typeof SEARCH_STAGES)[number]

const without = z.optional(z.array(z.enum(SEARCH_STAGES)))

export const explainInput = z.extend(searchInput, { without })
export const explainAsAgentInput = z.strictObject({ agentId: id('agents'), query: searchInput.shape.query, without })
export const samplesInput = z.strictObject({ knowledgeSpaceId: id('knowledgeSpaces') })

export const setQuestionsInput = z.strictObject({ knowledgeSpaceId: id('knowledgeSpaces'), isOn: z.boolean() })

/** Progress of the questions that a model generates for the passages of a space. */
export type QuestionProgress = {
  isOn: boolean
  /** False: no agent that uses the space has a model that can generate them. */
  hasAuthor: boolean
  /** Passages that have them, of `total`; 0 while it is off. */
  done: number
  total: number
}

/** Progress of the embeddings of a space. */
export type EmbeddingProgress = {
  /** The embedding model that the space is searched with; null: by words alone. */
  serving: string | null
  /** The model whose vectors are being computed, or were declined; null: all is done. */
  following: string | null
  isCancelled: boolean
  /** Chunks, and questions generated for them, that have a vector of the following model, of `total`. */
  embedded: number
  total: number
}

/** What an agent's model would receive; `wordings`: other wordings that were searched for as well. */
export type AgentSearchResponse = SearchResponse & { wordings: string[] }
