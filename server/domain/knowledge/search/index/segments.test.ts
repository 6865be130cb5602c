// Segments: what is written is read back, merged, and looked up with typing errors.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trigramsOf } from '#server/platform/lib/text/word-distance.ts'
import type { Id } from '#shared/ids.ts'
import { rank } from '../query/ranking.ts'
import type { IndexedChunk } from '../retrieval.ts'
import { buildSegment } from './build-segment.ts'
import { mergeSegments } from './merge-segments.ts'
import { IndexPart, OpenSegment, SearchedIndex } from './searched-index.ts'
import { isDeleted, markDeleted, noneDeleted, openSegment, type SegmentField } from './segment.ts'
import { SegmentBuilder } from './segment-builder.ts'
import { TrigramLookup } from './trigram-lookup.ts'

function chunk(number: number, body: string, labels: Partial<IndexedChunk> = {}): IndexedChunk {
  const id = String(number).padStart(32, '0') as Id<'chunks'>
  return { id, title: '', headingPath: [], alsoAskedAs: [], ...labels, body }
}

/** Term → [local number, frequency] pairs. */
function contents(field: SegmentField): Record<string, [number, number][]> {
  const terms: Record<string, [number, number][]> = {}
  for (let position = 0; position < field.termCount; position++) {
    const postings: [number, number][] = []
    field.forEachPosting(position, (local, frequency) => postings.push([local, frequency]))
    expect(field.countAt(position)).toBe(postings.length)
    expect(field.find(field.termAt(position))).toBe(position)
    terms[field.termAt(position)] = postings
  }
  return terms
}

const bodies = fc.array(fc.array(fc.constantFrom('кот', 'пёс', 'cat', 'dog', '42', '𝄞нота', 'дом'), { maxLength: 8 }), {
  maxLength: 30,
})
const toChunks = (lists: string[][], from = 0) => lists.map((words, number) => chunk(from + number, words.join(' ')))

describe('a segment', () => {
  it('gives back ids, lengths and postings; labels weigh two and count one', () => {
    const segment = openSegment(
      buildSegment([
        chunk(1, 'Кот и кот', { title: 'Кот', headingPath: ['Звери'], alsoAskedAs: ['кошка'] }),
        chunk(2, ''),
        chunk(3, 'кот'),
      ]),
    )
    expect(segment.chunkCount).toBe(3)
    expect(segment.chunkIdAt(2)).toBe(String(3).padStart(32, '0'))
    expect([...segment.stems.lengths]).toEqual([6, 0, 1])
    expect(contents(segment.stems)).toEqual({
      звер: [[0, 2]],
      и: [[0, 1]],
      кот: [
        [0, 4],
        [2, 1],
      ],
      кошк: [[0, 2]],
    })
    expect(contents(segment.grams).кот_).toEqual([
      [0, 4],
      [2, 1],
    ])
    expect(segment.stems.find('пёс')).toBe(-1)
  })

  it('caps frequencies and survives wide gaps between chunks', () => {
    const chunks = Array.from({ length: 40_000 }, (_, number) => chunk(number, number % 39_999 === 0 ? 'редкое' : ''))
    chunks.push(chunk(40_000, 'слово '.repeat(1000)))
    const { stems } = openSegment(buildSegment(chunks))
    expect(contents(stems)).toEqual({
      редк: [
        [0, 1],
        [39_999, 1],
      ],
      слов: [[40_000, 255]],
    })
  })

  it('can be opened from bytes that stand anywhere', () => {
    const blob = buildSegment([chunk(1, 'дом')])
    const shifted = new Uint8Array(blob.length + 1)
    shifted.set(blob, 1)
    expect(contents(openSegment(shifted.subarray(1)).stems)).toEqual({ дом: [[0, 1]] })
  })

  it('is refused when it is something else', () => {
    expect(() => openSegment(new Uint8Array(200))).toThrow('Not an index segment')
  })
})

describe('merging', () => {
  it('gives the segment that all living chunks together would have given', () => {
    fc.assert(
      fc.property(bodies, bodies, fc.array(fc.nat(29)), (first, second, gone) => {
        const chunks = [toChunks(first), toChunks(second, 100)]
        const stored = chunks.map((list) => ({ blob: buildSegment(list), deleted: noneDeleted(list.length) }))
        for (const local of gone) if (local < first.length) markDeleted(stored[0]?.deleted ?? new Uint8Array(), local)
        const living = chunks.flatMap((list, at) =>
          list.filter((_, local) => !isDeleted(stored[at]?.deleted ?? new Uint8Array(), local)),
        )
        expect(Buffer.from(mergeSegments(stored)).equals(buildSegment(living))).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})

describe('fuzzy lookup', () => {
  it('finds what comparing with every term would find, in the same order', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('а', 'б', 'в', 'г'), minLength: 3, maxLength: 9 }), {
      minLength: 1,
      maxLength: 60,
    })
    fc.assert(
      fc.property(
        words,
        fc.string({ unit: fc.constantFrom('а', 'б', 'в', 'д'), minLength: 3, maxLength: 9 }),
        (terms, word) => {
          const { stems } = openSegment(buildSegment([chunk(1, terms.join(' '))]))
          const asked = new Set(trigramsOf(word))
          const expected = Object.keys(contents(stems))
            .filter((term) => term !== word && term.length >= 3)
            .map((term) => {
              const own = trigramsOf(term)
              const common = own.filter((trigram) => asked.has(trigram)).length
              return { term, similarity: common / (own.length + asked.size - common) }
            })
            .filter(({ similarity }) => similarity >= 0.3)
            .sort((a, b) => b.similarity - a.similarity || (a.term < b.term ? -1 : 1))
          const lookup = new TrigramLookup(stems)
          expect(lookup.similar(word, 0.3, 60)).toEqual(expected.slice(0, 60))
          expect(lookup.similar(word, 0.3, 2)).toEqual(expected.slice(0, 2))
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('the builder off the main thread', () => {
  it('gives the same bytes, several orders at a time, and starts again after it was closed', async () => {
    const builder = new SegmentBuilder()
    const chunks = [chunk(1, 'кот'), chunk(2, 'дом')]
    const [a, b] = await Promise.all([builder.build(chunks), builder.build(chunks.slice(1))])
    expect(Buffer.from(a).equals(buildSegment(chunks))).toBe(true)
    const merged = await builder.merge([{ blob: b, deleted: noneDeleted(1) }])
    expect(Buffer.from(merged).equals(b)).toBe(true)
    const late = expect(builder.build(chunks)).rejects.toThrow('closed')
    await builder.close()
    await late
    await expect(builder.build(chunks)).resolves.toHaveLength(a.length)
    await builder.close()
  })

  it('reports a segment that it cannot read', async () => {
    const builder = new SegmentBuilder()
    await expect(builder.merge([{ blob: new Uint8Array(100), deleted: new Uint8Array() }])).rejects.toThrow(
      'Not an index segment',
    )
    await builder.close()
  })
})

describe('an index of several parts', () => {
  it('ranks as one segment of the same chunks does', () => {
    const chunks = ['оплата картой', 'доставка и оплата', 'возврат товара', 'доставка курьером', 'гарантия'].map(
      (body, n) => chunk(n, body),
    )
    const part = (list: IndexedChunk[]) =>
      new IndexPart(new OpenSegment(openSegment(buildSegment(list))), noneDeleted(list.length))
    const ids = (index: SearchedIndex) =>
      rank(index, 'как оплатить доставку', 10).chunks.map(({ chunkId, score }) => [chunkId, score])
    const whole = new SearchedIndex([part(chunks)])
    expect(ids(new SearchedIndex([part(chunks.slice(0, 2)), part(chunks.slice(2))]))).toEqual(ids(whole))
    expect(ids(whole)).toHaveLength(3)
  })

  it('counts and finds nothing that is deleted', () => {
    const chunks = [chunk(1, 'оплата картой'), chunk(2, 'оплата наличными')]
    const whole = new SearchedIndex([new IndexPart(new OpenSegment(openSegment(buildSegment(chunks))), noneDeleted(2))])
    const left = whole.without([{ part: 0, local: 0 }])
    expect(left.chunkCount).toBe(1)
    expect(rank(left, 'оплата картой', 5).chunks.map(({ place }) => place.local)).toEqual([1])
    expect(whole.chunkCount).toBe(2)
  })
})

describe('a word whose last chunk is deleted', () => {
  const segment = new OpenSegment(openSegment(buildSegment([chunk(1, 'Курьер приедет'), chunk(2, 'Курьеры и дрон')])))
  const without = (...locals: number[]) =>
    new SearchedIndex([new IndexPart(segment, noneDeleted(2))]).without(locals.map((local) => ({ part: 0, local })))

  it('is in the dictionary while one chunk holds it, and not after, whether the index is tidied or not', () => {
    expect(without().hasStem('приедет')).toBe(true)
    expect([without(1).hasStem('курьер'), without(0, 1).hasStem('курьер')]).toEqual([true, false])
    expect([without(0).hasStem('приедет'), without(0).hasStem('дрон')]).toEqual([false, true])
  })

  it('is no spelling of another', () => {
    expect(without(0).similarStems('приедют', 0.3, 10)).toEqual([])
    expect(without(0).stemsFrom('прие', 10)).toEqual([])
    expect(without().stemsFrom('прие', 10)).toEqual(['приедет'])
  })
})
