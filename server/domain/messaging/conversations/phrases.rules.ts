// Does a text call a person, or the agent back? Phrases are found by whole words, whatever their case and inflection, in
// Russian and English. The caller decides whose text is checked, and what follows.
import { stemOf } from '#server/integrations/llm/words.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

/** Phrases of one party: those that silence the agent, and those that resume it. */
export type PhraseLists = AgentSettings['handoff']['customer']

/** What a text asks for, and by which phrase of the lists. */
export type PhraseIntent = { kind: 'stop' | 'resume'; phrase: string }

/** What a text asks for. A text that asks for both asks for a person: an agent that is silent too long does less harm. */
export function findIntent(text: string, lists: PhraseLists): PhraseIntent | null {
  if (lists.stop.length + lists.resume.length === 0) return null
  const spoken = { text: normalised(text), words: wordsIn(text) }
  const stop = lists.stop.find((phrase) => says(spoken, phrase))
  if (stop !== undefined) return { kind: 'stop', phrase: stop }
  const resume = lists.resume.find((phrase) => says(spoken, phrase))
  return resume === undefined ? null : { kind: 'resume', phrase: resume }
}

/** The first of the phrases that a text contains, anywhere and in any context; null: none. */
export function findPhrase(text: string, phrases: string[]): string | null {
  if (phrases.length === 0) return null
  const words = wordsIn(text).map((word) => ({ ...word, isCounted: no, isThanked: no }))
  return phrases.find((phrase) => says({ text: normalised(text), words }, phrase)) ?? null
}

/** What several texts, oldest first, ask for: the last intent counts. */
export function findLastIntent(texts: string[], lists: PhraseLists): PhraseIntent | null {
  for (const text of texts.toReversed()) {
    const intent = findIntent(text, lists)
    if (intent) return intent
  }
  return null
}

/**
 * `isCounted`: a number stands right before or after it, as in "a table for 5 people".
 * `isThanked`: it is thanked for, as in "thanks for your help".
 */
type Word = { text: string; stem: string; isCounted: () => boolean; isThanked: () => boolean }

const no = () => false

/** Size of the cache of parsed phrases: the same few lists are used for every message. */
const PHRASES_KEPT = 2000
const kept = new Map<string, { text: string; words: Pick<Word, 'text' | 'stem'>[] }>()

function wordsOf(phrase: string) {
  const known = kept.get(phrase)
  if (known) return known
  if (kept.size >= PHRASES_KEPT) kept.clear()
  const made = { text: normalised(phrase).trim(), words: wordsIn(phrase) }
  kept.set(phrase, made)
  return made
}

function says(spoken: { text: string; words: Word[] }, phrase: string): boolean {
  const { text: signs, words: wanted } = wordsOf(phrase)
  // A phrase of signs alone, such as an emoji, has to be a word of its own.
  if (wanted.length === 0) return spoken.text.split(/\s+/).includes(signs)
  return spoken.words.some((first, at) => {
    const isFound = wanted.every((each, place) => {
      const word = spoken.words[at + place]
      return word !== undefined && isSameWord(word, each)
    })
    return isFound && (wanted.length > 1 || !(first.isCounted() || first.isThanked()))
  })
}

const ADDRESS = /.(?::\/\/|@)./su
const WWW_ADDRESS = /\bwww\..+/su
/** Hyphens and apostrophes hold a word together: "non-stop" is one word, and another one than "stop". */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-‐‑'’_][\p{L}\p{M}\p{N}]+)*/gu

function normalised(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll('ё', 'е').replaceAll('\u0301', '') // a mark of stress
}

/** Addresses are no words: "help@shop.com" calls no one. Looked at between spaces: a word may be as long as a message. */
function withoutAddresses(text: string): string {
  return text.replace(/\S+/gu, (between) => (ADDRESS.test(between) ? ' · ' : between.replace(WWW_ADDRESS, ' · ')))
}

function wordsIn(text: string): Word[] {
  const cleaned = withoutAddresses(normalised(text))
  const found = [...cleaned.matchAll(WORD)].map((match) => ({
    text: plainWord(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }))
  const touches = (left: (typeof found)[number] | undefined, right: (typeof found)[number] | undefined) =>
    left !== undefined && right !== undefined && cleaned.slice(left.end, right.start).trim() === ''
  return found.map((word, at) => {
    const [before, after] = [found[at - 1], found[at + 1]]
    return {
      text: word.text,
      stem: stemsOf(word.text),
      isCounted: () =>
        (touches(before, word) && isNumber(before?.text)) || (touches(word, after) && isNumber(after?.text)),
      isThanked: () => THANKS_FOR.test(cleaned.slice(Math.max(0, word.start - 150), word.start)),
    }
  })
}

/** Thanks, and what they are for so far, in one clause: "спасибо вам большое за вашу быструю ". */
const THANKS_FOR =
  /(?:спасиб|благодар|признател|\bthank|\bthx|\bgrateful|\bappreciat)[^.,;:!?\n]{0,60}(?<!\p{L})(?:за|for)\s+(?:[\p{L}-]+\s+){0,3}$/u

/** Particles that hang on a Russian word and change nothing: "оператора-ка". */
const PARTICLE = /-(?:ка|то|таки|де|с)$/

/** A word without what only adds stress: "стооооп", "стоп-стоп", "позови-ка", "operator's". */
function plainWord(word: string): string {
  const joined = word
    .replace(/[‐‑]/g, '-')
    .replace(/['’]s$/, '')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(PARTICLE, '')
  const [first = joined, ...rest] = joined.split('-')
  return rest.every((part) => part === first) ? first : joined
}

const NUMBER_WORDS = new Set(
  `один одного одному двух два две двое двоих трех три трое троих четырех четыре четверо четверых пять пяти пятерых шесть шести семь
  семи восемь восьми девять девяти десять десяти двадцать двадцати пятнадцать тридцать сорок пятьдесят сто несколько сколько столько
  много немного мало пара пару one two three four five six seven eight nine ten twelve twenty few several many`.split(
    /\s+/,
  ),
)

/** Up to three digits, also "2-х": a longer number is rather the number of an order. */
function isNumber(word: string | undefined): boolean {
  return word !== undefined && (/^\d{1,3}(?:-?[хxиойт]\p{L}?)?$/u.test(word) || NUMBER_WORDS.has(word))
}

/** Words without inflections that other words seem to be inflections of: "стопа" is a foot. */
const UNINFLECTED = new Set(['стоп'])

function isSameWord(spoken: Pick<Word, 'text' | 'stem'>, wanted: Pick<Word, 'text' | 'stem'>): boolean {
  if (spoken.text === wanted.text) return true
  if (spoken.stem !== wanted.stem || UNINFLECTED.has(wanted.text)) return false
  return /\p{Script=Cyrillic}/u.test(wanted.text) || isEnglishInflection(spoken.text, wanted.text)
}

function stemsOf(word: string): string {
  return word.split('-').map(stemOf).join('-')
}

const ENDINGS = new Set(['', 's', 'es', 'd', 'ed', 'ing', 'e', 'y', 'ies', 'ied'])

/** The English stemmer also joins what only shares a root: "operating" with "operator", "humanity" with "human". */
function isEnglishInflection(one: string, other: string): boolean {
  let shared = 0
  while (shared < one.length && one[shared] === other[shared]) shared += 1
  const doubled = one[shared - 1]
  const endings = [one, other].map((word) => {
    const ending = word.slice(shared)
    return ending[0] === doubled && /^.(?:ed|ing)$/.test(ending) ? ending.slice(1) : ending // stop, stopped
  })
  const isBareE = endings.includes('') && endings.includes('e') // human, humane
  return !isBareE && endings.every((ending) => ENDINGS.has(ending))
}
