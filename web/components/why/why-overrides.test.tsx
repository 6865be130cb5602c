// The overrides of a tester, in words.
import { render } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { WhyOverrides } from './why-overrides.tsx'

vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useOrganization: () => ({ timeZone: 'Asia/Almaty' }) }))

/** Every setting that the controls of the test chat change, as recorded. */
const OVERRIDES = {
  model: 'openai/gpt-5-mini',
  temperature: 0,
  systemPrompt: 'Be brief.',
  'knowledge.isOn': false,
  'knowledge.spaceIds': ['s1', 's2'],
  applyRules: true,
  'simulate.channel': 'webchat',
  'replies.splitByParagraphs': true,
  'simulate.at': '2026-01-05T04:30:00.000Z',
  'simulate.contact.name': 'Bolat',
  'simulate.contact.language': 'kk',
  'context.maxMessages': 3,
  'context.maxTokens': 500,
  'tools.webSearch': false,
  'tools.tables': false,
  'choices.isOn': true,
  'handoff.byAgent': false,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('why', 'test-chat', 'conversations', 'versions')
})

function lines(overrides: Record<string, unknown>): (string | null)[] {
  const { container } = render(<WhyOverrides overrides={overrides} modelLabel={() => 'GPT-5 mini'} />)
  return [...container.querySelectorAll('li')].map(({ textContent }) => textContent)
}

it('are shown under the names of the controls, with readable values', () => {
  expect(lines(OVERRIDES)).toEqual([
    'Model: GPT-5 mini',
    'Temperature: 0',
    'Instructions: Be brief.',
    'Use knowledge: no',
    'Spaces: 2 spaces',
    'Rules for customers: yes',
    'Channel: Web chat',
    'One message per paragraph: yes',
    'Moment: 5 Jan 2026, 09:30 (Asia/Almaty)',
    'Customer’s name: Bolat',
    'Customer’s language: Kazakh',
    'Messages remembered: 3',
    'Tokens remembered: 500',
    'Search the web: no',
    'Compute with tables: no',
    'Offer choices: yes',
    'Hand over on its own: no',
  ])
})

it('are shown in Russian too, each path with its name', async () => {
  await setLanguage('ru')
  await loadTexts('why', 'test-chat', 'conversations')
  const shown = lines(OVERRIDES)
  expect(shown).toContain('Канал: Веб-чат')
  expect(shown.filter((line) => /^[a-zA-Z.]+:/.test(line ?? ''))).toEqual([])
  await setLanguage('en')
})

it('names other settings, and shows no path for unknown ones', () => {
  const { spam } = agentSettings.parse({ model: 'test/one' })
  expect(lines({ 'spam.warningPercent': spam.warningPercent, 'a.setting.of_tomorrow': 1 })).toEqual([
    `Warn at, %: ${spam.warningPercent}`,
    'No description: 1',
  ])
})
