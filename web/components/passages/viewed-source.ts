// What the viewer of passages is asked to open.

import { CHUNK_CONTENT_MAX } from '#shared/limits.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import type { KnownPlace } from './use-place-text.ts'

export type ViewedSource = {
  /** Id of the document, note or table; of a page of the web its address. */
  documentId: string
  name: string
  /** Passage to show and highlight. */
  chunkId?: string | undefined
  /** Its text at that time, shown when it is no longer there. */
  excerpt?: string | undefined
  /** The answer or the question, whose words are marked in the passage. */
  about?: string | undefined
  /** Where in its file the passage stands. */
  place?: KnownPlace | undefined
  /** Of a page of the web, of which only the excerpt is kept. */
  url?: string | undefined
}

/** A source of an answer, with the sentences marked that the answer repeats. */
export function viewedSource(
  { documentId, source, chunkId, excerpt, url, ...place }: MessageSource,
  answer: string,
): ViewedSource {
  return { documentId, name: source, chunkId, excerpt, about: answer, place, url }
}

/** The arguments by which the server tells where the passage stands now. */
export function locatedBy({ documentId, chunkId, excerpt }: ViewedSource) {
  return {
    sourceId: documentId,
    ...(chunkId !== undefined && { chunkId }),
    ...(excerpt !== undefined && { excerpt: excerpt.slice(0, CHUNK_CONTENT_MAX) }),
  }
}
