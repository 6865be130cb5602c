// A channel without a network: what comes in is already understood, what goes out is a list. For simulations of thousands of chats.
import type { ChannelAdapter, Inbound } from '#server/adapters/channel.ts'

export type Sent = { chatId: string; text: string; wasSilenced: boolean }

/** Every call is taken at once; `silenced` holds the chats in which no agent may be heard at this moment. */
export class MemoryChannel implements ChannelAdapter {
  readonly sent: Sent[] = []
  readonly silenced = new Set<string>()
  readonly maxTextLength = 4096
  readonly account = null
  /** Called after each send. */
  onSent: (sent: Sent) => void = () => undefined
  #ids = 0

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
    const sent = { chatId, text, wasSilenced: this.silenced.has(chatId) }
    this.sent.push(sent)
    this.onSent(sent)
    return { externalMessageId: String(++this.#ids) }
  }
}
