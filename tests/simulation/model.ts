// A model that answers each question by its number, and errs as models do: slow, failing, filtered, calling a person.
import { AppError } from '#shared/errors.ts'
import type { Model } from '#tests/pipeline-world.ts'

/** What it does with a conversation depends on what was said alone, so that a seed plays the same way again. */
export const moodyModel: Model = async (request) => {
  const answered = request.messages.findLastIndex(({ role }) => role === 'assistant')
  const open = request.messages.slice(answered + 1).filter(({ isColleague }) => !isColleague)
  const question = open.map(({ text }) => text).join('\n\n')
  const numbers = question.match(/m\d+(?=\.)/g) ?? []
  const mood = hash(`${question}/${request.messages.length}`) % 100
  if (mood < 8) throw new AppError('model_failed', { reason: 'rate_limited' })
  if (mood < 12) throw new AppError('model_failed', { reason: 'refused' })
  if (mood < 16) {
    const tool = request.tools.find(({ name }) => name === 'hand_off')
    await tool?.run({ reason: 'missing_knowledge' }, request.signal)
  }
  if (mood < 60) await slowly(mood % 15, request.signal)
  return `Here is ${numbers.join(' ')}\n\nAnything else?`
}

/** Waits, unless the answer is not wanted any more. */
function slowly(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** @source FNV-1a, public domain */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
