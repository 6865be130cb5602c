// A model that answers each question by its number, and fails as models do: slow, erring, filtered, calling a person.
import { AppError } from '#shared/errors.ts'
import type { Model } from '#tests/pipeline-world.ts'
import { hash } from './hash.ts'
import type { Play, Stage } from './stage.ts'

type Request = Parameters<Model>[0]

/** Its behaviour depends only on the seed and on the messages, so that a seed replays the same way. */
export function moodyModel(stage: Stage): Model {
  return async (request) => {
    const play = playOf(stage, request)
    await play?.order.act('model asked', () => undefined, { signal: request.signal })
    const mood = hash(`${play?.seed}/${openQuestion(request)}/${request.messages.length}`) % 100
    if (mood >= 16 && mood < 60) await slowly(mood % 15, request.signal)
    await play?.order.act('model answers', () => undefined, { signal: request.signal })
    return answer(request, mood)
  }
}

async function answer(request: Request, mood: number): Promise<string> {
  if (mood < 8) throw new AppError('model_failed', { reason: 'rate_limited' })
  if (mood < 12) throw new AppError('model_failed', { reason: 'refused' })
  if (mood < 16) {
    const tool = request.tools.find(({ name }) => name === 'hand_off')
    await tool?.run({ reason: 'missing_knowledge' }, request.signal)
  }
  const numbers = openQuestion(request).match(/m\d+(?=\.)/g) ?? []
  return `Here is ${numbers.join(' ')}\n\nAnything else?`
}

/** The customer's messages since the last answer. */
function openQuestion({ messages }: Request): string {
  const answered = messages.findLastIndex(({ role }) => role === 'assistant')
  const open = messages.slice(answered + 1).filter(({ isColleague }) => !isColleague)
  return open.map(({ text }) => text).join('\n\n')
}

/** The customer's name is the id of their chat. */
function playOf(stage: Stage, { data = [] }: Request): Play | undefined {
  for (const { text } of data) {
    const play = stage.find(text)
    if (play) return play
  }
  return undefined
}

/** Waits, unless the answer is aborted. */
function slowly(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
