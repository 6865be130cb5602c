// Why did it not answer? Because the bot's settings answered in its place, or the customer opted out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HANDOFF_SENTENCES, STOP_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import { type ConnectionSettings, connectionSettings } from '#shared/channels/connection-settings.ts'
import { api } from '#tests/app.ts'
import { echo } from '#tests/pipeline-world.ts'
import { type Cause, type Shop, Stage } from './stage.ts'

const OFFLINE = 'Nobody is here.'
const hours = { command: 'hours', description: { ru: 'Часы', en: '' }, action: 'text' as const, text: 'From nine.' }
const help = { ...hours, command: 'help', text: 'Ask me anything.' }

let stage: Stage
/** Default settings of bots. */
let plain: Shop
/** Has a greeting of its own; "help" is a command there, and not a call for a person. */
let own: Shop
let chat: number

beforeAll(async () => {
  stage = await Stage.open()
  plain = await stage.openShop()
  own = await stage.openShop({ buffer: { seconds: 60 } })
  await configure(own, { welcomeText: 'Welcome!', commands: [hours, help] })
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.model = echo
  chat = stage.newChat()
})

function configure({ owner, connectionId }: Shop, settings: Partial<ConnectionSettings>) {
  const call = { connectionId, settings: { ...connectionSettings.parse({}), ...settings } }
  return owner.http.action(api.channels.telegram.configure, call)
}

describe('a command', () => {
  it('greets with the welcome text, which no message buffer delays', async () => {
    await stage.says(own, chat, '/start ref_1')
    expect(stage.heard(chat)).toEqual(['Welcome!'])
    await stage.expectExplained(own, chat, {
      outcome: 'welcomed',
      stoppedAt: 'command',
      facts: { command: '/start' },
      lines: ['welcomed'],
    })
  })

  it('is answered with its text, even if its name is a phrase that calls a person', async () => {
    await stage.says(own, chat, '/help')
    expect(stage.heard(chat)).toEqual(['Ask me anything.'])
    await stage.expectExplained(own, chat, {
      outcome: 'command_answered',
      stoppedAt: 'command',
      lines: ['command_answered'],
    })
  })

  it('is answered before the question that came with it', async () => {
    await stage.says(own, chat, 'What does it cost?')
    await stage.says(own, chat, '/hours')
    expect(stage.heard(chat)).toEqual([expect.stringMatching(/^From nine\.\n\nYou said: What does it cost\?/)])
    await stage.expectExplained(own, chat, { outcome: 'replied' })
  })

  it('that is unknown is passed to the agent', async () => {
    await stage.says(plain, chat, '/hours')
    expect(stage.heard(chat)).toEqual(['You said: /hours'])
  })

  it('calls a person', async () => {
    await stage.says(plain, chat, '/human')
    expect(stage.heard(chat)).toEqual([HANDOFF_SENTENCES.en])
    await stage.expectExplained(plain, chat, {
      outcome: 'customer_request',
      stoppedAt: 'command',
      facts: { command: '/human' },
      lines: ['customer_request'],
      pausedFor: 'customer_request',
    })
  })
})

describe('the menu of a bot', () => {
  it('previews its commands in both languages, including unsaved changes', async () => {
    const shop = await stage.openShop()
    const { owner, connectionId } = shop
    const bot = stage.telegram.bot(shop.token)
    const menu = (language: string) =>
      bot.menus.get(language)?.map(({ command, description }) => [command, description])
    expect([...bot.menus.keys()].toSorted()).toEqual(['', 'en', 'ru'])
    expect(menu('ru')?.map(([command]) => command)).toEqual(['start', 'human', 'stop'])
    expect(menu('')).toEqual(menu('en'))
    expect((await configure(shop, { commands: [hours] })).settings?.commands).toEqual([hours])
    expect([menu('ru')?.at(-1), menu('en')?.at(-1)]).toEqual([
      ['hours', 'Часы'],
      ['hours', 'Часы'],
    ])
    bot.menus.clear()
    await owner.http.action(api.channels.telegram.sync, { connectionId })
    expect(menu('en')).toHaveLength(4)
    stage.telegram.revoke(shop.token)
    await expect(configure(shop, { commands: [] })).rejects.toMatchObject({ data: { code: 'telegram_token_invalid' } })
    const [unchanged] = await owner.http.query(api.channelConnections.list, {})
    expect(unchanged?.settings?.commands).toEqual([hours])
  })
})

describe('a customer who sends /stop', () => {
  const stopped: Cause = {
    outcome: 'customer_stop',
    stoppedAt: 'command',
    facts: { command: '/stop' },
    lines: ['customer_stop'],
    pausedFor: 'customer_stop',
  }

  it('receives nothing more, and calls no person, until they send /start', async () => {
    await stage.says(plain, chat, '/stop')
    await stage.expectExplained(plain, chat, stopped)
    expect((await stage.conversation(plain, chat)).needsPerson).toBe(false)
    await stage.says(plain, chat, 'Continue, bot')
    expect(stage.heard(chat)).toEqual([STOP_SENTENCES.en])
    await stage.says(plain, chat, '/start')
    expect(stage.heard(chat)).toHaveLength(2)
    await stage.expectExplained(plain, chat, { outcome: 'replied', lines: ['customer_stop'] })
  })

  it('does not receive an answer in progress', async () => {
    stage.model = async (request) => {
      await stage.sends(plain, chat, '/stop')
      return echo(request)
    }
    await stage.says(plain, chat, 'Tell me everything')
    expect(stage.heard(chat)).toEqual([STOP_SENTENCES.en])
    await stage.expectExplained(plain, chat, stopped)
  })

  it('may still call a person', async () => {
    await stage.says(plain, chat, '/stop')
    await stage.says(plain, chat, '/human')
    expect(stage.heard(chat)).toEqual([STOP_SENTENCES.en, HANDOFF_SENTENCES.en])
    expect(await stage.conversation(plain, chat)).toMatchObject({ pauseReason: 'customer_request', needsPerson: true })
  })
})

describe('while the agent does not answer', () => {
  it('customers receive the offline text once each time, and the conversation shows why', async () => {
    await configure(plain, { isAgentOn: false, offlineText: OFFLINE })
    await stage.says(plain, chat, 'Hello?')
    await stage.says(plain, chat, 'Anybody?')
    expect(stage.heard(chat)).toEqual([OFFLINE])
    await stage.expectExplained(plain, chat, {
      outcome: 'agent_off',
      stoppedAt: 'agent_off',
      lines: ['agent_off', 'agent_off'],
    })
    await configure(plain, { isAgentOn: true, offlineText: OFFLINE })
    await stage.says(plain, chat, 'And now?')
    await configure(plain, { isAgentOn: false, offlineText: OFFLINE })
    await stage.says(plain, chat, 'Gone again?')
    await configure(plain, {})
    expect(stage.heard(chat)).toEqual([OFFLINE, expect.stringMatching(/^You said: /), OFFLINE])
  })

  it('outside of its hours they receive the bot’s text instead of the agent’s', async () => {
    const closed = Array.from({ length: 7 }, () => [])
    const availability = { isLimited: true, hours: closed, outside: 'text' as const, text: 'We open on Monday.' }
    const shop = await stage.openShop({ availability })
    await configure(shop, { offlineText: OFFLINE })
    await stage.says(shop, chat, 'Hello?')
    await stage.says(shop, chat, 'Anybody?')
    expect(stage.heard(chat)).toEqual([OFFLINE])
    await stage.expectExplained(shop, chat, {
      outcome: 'outside_hours',
      stoppedAt: 'availability',
      facts: { hasOwnText: true },
      lines: ['outside_hours', 'outside_hours'],
    })
  })
})

describe('after the configured session length', () => {
  it('the agent is not given earlier messages, and the trace shows it', async () => {
    const prompts: string[] = []
    stage.model = (request) => {
      prompts.push(request.messages.map(({ text }) => text).join('|'))
      return 'Fine.'
    }
    const shop = await stage.openShop()
    await configure(shop, { sessionMinutes: 60 })
    await stage.says(shop, chat, 'I am Anna')
    await stage.says(shop, chat, 'Who am I?')
    await stage.silence(chat, 61)
    await stage.says(shop, chat, 'And now?')
    expect(prompts).toEqual(['I am Anna', 'I am Anna|Fine.|Who am I?', 'And now?'])
    const trace = await stage.expectExplained(shop, chat, { outcome: 'replied' })
    expect(trace.prompt).toMatchObject({ newAfterMinutes: 60, droppedMessages: 4 })
    expect((await stage.messages(shop, chat)).length).toBe(6)
  })
})
