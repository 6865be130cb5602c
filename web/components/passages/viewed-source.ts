// What the viewer of passages is asked to open.
import type { MessageSource } from '#shared/conversations.ts'

export type ViewedSource = {
  /** Id of the document or note. */
  documentId: string
  name: string
  /** Passage to show and highlight. */
  chunkId?: string | undefined
  /** Its text at that time, shown when it is no longer there. */
  excerpt?: string | undefined
  /** The answer or the question, whose words are marked in the passage. */
  about?: string | undefined
}

/** A source of an answer, with the sentences marked that the answer repeats. */
export function viewedSource({ documentId, source, chunkId, excerpt }: MessageSource, answer: string): ViewedSource {
  return { documentId, name: source, chunkId, excerpt, about: answer }
}
