// What the reply box offers: replies kept ready behind a slash, colleagues behind an at sign.
import { type CannedReply, fillIn } from '#shared/messaging/operator-tools.ts'
import type { Member } from '#shared/organizations/organizations.ts'
import type { Suggest, Suggestion } from '#web/components/chat/composer/use-suggestions.ts'

const OFFERED = 30

/**
 * Replies whose name holds what was typed after a slash, in each language that they have, that of the reader first.
 *
 * @param names stand in the place of the variables
 */
export function cannedSuggestions(
  replies: readonly CannedReply[],
  options: { label: string; language: string; names: { customer: string; agent: string } },
): Suggest {
  const languages = options.language === 'en' ? (['en', 'ru'] as const) : (['ru', 'en'] as const)
  return (before) => {
    const typed = /(?:^|\s)\/([^\s/]*)$/u.exec(before)
    if (typed?.[1] === undefined) return null
    const items = replies
      .filter(({ name }) => holds(name, typed[1]))
      .flatMap((reply) => {
        return languages
          .filter((language) => reply.texts[language] !== '')
          .map((language): Suggestion => {
            const text = fillIn(reply.texts[language], options.names)
            return { key: `${reply._id} ${language}`, label: `${reply.name} · ${language}`, detail: text, text }
          })
      })
    return { label: options.label, from: before.length - typed[1].length - 1, items: items.slice(0, OFFERED) }
  }
}

/** Members whose name holds what was typed after an at sign. */
export function mentionSuggestions(members: readonly Member[], label: string): Suggest {
  return (before) => {
    const typed = /(?:^|\s)@([^\s@]*)$/u.exec(before)
    if (typed?.[1] === undefined) return null
    const items = members
      .filter(({ name }) => holds(name, typed[1]))
      .map(({ _id, name }): Suggestion => ({ key: _id, label: name, text: `@${name} ` }))
    return { label, from: before.length - typed[1].length - 1, items: items.slice(0, OFFERED) }
  }
}

/** Members whose name stands in a note behind an at sign; of names that begin alike, the longest that stands there. */
export function mentionedIn(text: string, members: readonly Member[]): Member['_id'][] {
  const named = new Set<string>()
  for (const { index } of text.matchAll(/@/g)) {
    const [longest] = members
      .map(({ name }) => name)
      .filter((name) => name !== '' && text.startsWith(name, index + 1))
      .sort((one, other) => other.length - one.length)
    if (longest !== undefined) named.add(longest)
  }
  return members.filter(({ name }) => named.has(name)).map(({ _id }) => _id)
}

function holds(name: string, typed: string | undefined): boolean {
  return name.toLowerCase().includes((typed ?? '').toLowerCase())
}
