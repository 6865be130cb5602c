// A channel without a network: incoming messages are already parsed, outgoing ones are kept. For simulations of thousands of chats.
import { setTimeout } from 'node:timers/promises'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { hash } from './hash.ts'
import type { Play, Stage, Voice } from './stage.ts'

/** A send takes less than this. */
const SLOWEST_MS = 8
/** One of this many sends is slow. */
const SLOW_EVERY = 3

/** Accepts every call, sooner or later: how long a call takes is fixed by the seed. */
export class MemoryChannel implements ChannelAdapter {
  readonly maxTextLength = 4096
  readonly markup = 'source'
  readonly account = null
  readonly #stage: Stage
  #ids = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async identify() {
    return { externalAccountId: 'account', identifier: 'account', state: null }
  }
  async connect(): Promise<void> {}
  async disconnect(): Promise<void> {}
  async showTyping(): Promise<void> {}
  verify(): boolean {
    return true
  }
  parse(body: unknown): Inbound {
    return body as Inbound
  }
  async poll() {
    return { updates: [], nextOffset: null }
  }
  async send(_credentials: unknown, chatId: string, text: string) {
    const play = this.#stage.find(chatId)
    const voice = play?.voices.find((each) => each.chatId === chatId)
    if (play && voice) await show(play, voice, text)
    return { externalMessageId: String(++this.#ids) }
  }
}

/** Texts of ratings: the operator who ended the conversation wants them sent. */
const OF_RATINGS = /^(How would you rate|Thank you for rating)/

/** A text counts as heard at the beginning of the call. */
async function show(play: Play, voice: Voice, text: string): Promise<void> {
  await play.order.act('send begins', () => {
    const isWanted = voice.mayBeAsked && OF_RATINGS.test(text)
    voice.sent.push({ text, wasSilenced: voice.isSilenced && !isWanted })
  })
  const mood = hash(`${play.seed}/${voice.sent.length}/${text}`)
  if (mood % SLOW_EVERY === 0) await setTimeout(mood % SLOWEST_MS)
  await play.order.act('send ends', () => undefined)
}
