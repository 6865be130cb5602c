// The worker thread that builds and merges segments, one order after another. Started only by segment-builder.ts.
import { parentPort } from 'node:worker_threads'
import type { IndexedChunk, StoredSegment } from '../retrieval.ts'
import { buildSegment } from './build-segment.ts'
import { mergeSegments } from './merge-segments.ts'

export type SegmentOrder = { id: number } & (
  | { kind: 'build'; chunks: IndexedChunk[] }
  | { kind: 'merge'; segments: StoredSegment[] }
)
export type SegmentAnswer = { id: number } & ({ blob: Uint8Array } | { error: string })

parentPort?.on('message', (order: SegmentOrder) => {
  const answer = answerTo(order)
  parentPort?.postMessage(
    answer,
    'blob' in answer && answer.blob.buffer instanceof ArrayBuffer ? [answer.blob.buffer] : [],
  )
})

function answerTo(order: SegmentOrder): SegmentAnswer {
  try {
    const blob = order.kind === 'build' ? buildSegment(order.chunks) : mergeSegments(order.segments)
    return { id: order.id, blob }
  } catch (error) {
    return { id: order.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
