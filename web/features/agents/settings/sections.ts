// The table of contents of the settings of an agent: order, groups, addresses, and which part of the form each section holds.
import type { AgentFormKey } from '../agent-form.rules.ts'

/** The first group stands open; the rows of the others open on demand. */
export const SECTION_GROUPS = [
  { name: 'main', sections: ['basic', 'prompt', 'model', 'knowledge', 'channels'] },
  { name: 'answers', sections: ['replies', 'buffer', 'multimodal', 'context', 'evidence', 'guards', 'knowledge-tool'] },
  { name: 'people', sections: ['handoff', 'availability', 'follow-ups'] },
  { name: 'limits', sections: ['spam', 'spending', 'fallback', 'keys'] },
  { name: 'end', sections: ['delete'] },
] as const

export type SectionGroup = (typeof SECTION_GROUPS)[number]['name']
/** Also the anchor in the address: `/agents/shop/settings#spam`. */
export type SectionId = (typeof SECTION_GROUPS)[number]['sections'][number]

/** All sections in the order of the page. */
export const SECTION_IDS: readonly SectionId[] = SECTION_GROUPS.flatMap(({ sections }): SectionId[] => [...sections])

const SECTION_OF_KEY: Record<AgentFormKey, SectionId> = {
  name: 'basic',
  avatar: 'basic',
  systemPrompt: 'prompt',
  model: 'model',
  temperature: 'model',
  replies: 'replies',
  choices: 'replies',
  ratings: 'replies',
  resending: 'replies',
  buffer: 'buffer',
  multimodal: 'multimodal',
  context: 'context',
  evidence: 'evidence',
  guards: 'guards',
  unfounded: 'guards',
  knowledgeTool: 'knowledge-tool',
  handoff: 'handoff',
  availability: 'availability',
  followUps: 'follow-ups',
  spam: 'spam',
  machineTalk: 'spam',
  spending: 'spending',
  fallback: 'fallback',
}

/** Sections that hold one of the keys, in the order of the page. */
export function sectionsOf(keys: readonly string[]): SectionId[] {
  const found = new Set(keys.map((key) => SECTION_OF_KEY[key as AgentFormKey]))
  return SECTION_IDS.filter((section) => found.has(section))
}

/** The section that the hash of an address names. */
export function sectionOfHash(hash: string): SectionId | undefined {
  return SECTION_IDS.find((section) => `#${section}` === hash)
}

/**
 * The section that is being read.
 *
 * @param tops distance of each section's upper edge from the top of the window, in the order of the page
 * @param line what has passed this height is being read, pixels from the top of the window
 */
export function sectionAt(tops: readonly { id: SectionId; top: number }[], line: number): SectionId | undefined {
  return (tops.findLast(({ top }) => top <= line) ?? tops[0])?.id
}
