// Trying out the search of a space: its stages, and the arguments of the tester.
import * as z from 'zod/mini'
import { id } from '#shared/schema.ts'
import { type SearchResponse, searchInput } from './knowledge.ts'

/**
 * Stages that the tester can leave out: wording the question anew (for agents that do), stems of words, pieces of four letters,
 * nearness in meaning, the judgement of a reranking model, notes before documents, dropping passages that say the same, and adding what
 * stands beside those that were found.
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

/** How far the questions are that a model writes for the passages of a space. */
export type QuestionProgress = {
  isOn: boolean
  /** False: no agent that uses the space has a model that could write them. */
  hasAuthor: boolean
  /** Passages that have them, of `total`; 0 while it is off. */
  done: number
  total: number
}

/** How far the vectors of a space are. */
export type EmbeddingProgress = {
  /** The embedding model by which the space is searched; null: by words alone. */
  serving: string | null
  /** The model whose vectors are being made, or were declined; null: all is done. */
  following: string | null
  isCancelled: boolean
  /** Chunks, and questions written for them, that have a vector of the following model, of `total`. */
  embedded: number
  total: number
}

/** What an agent's model would be given; `wordings`: in which other words the question was looked for as well. */
export type AgentSearchResponse = SearchResponse & { wordings: string[] }
