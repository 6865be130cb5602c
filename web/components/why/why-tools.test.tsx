// What "Why?" says of tool calls that were not carried out.
import { render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { TOOL_REFUSALS, type TraceToolCall } from '#shared/messaging/trace.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { WhyTools } from './why-tools.tsx'

afterEach(() => startI18n('en'))

function call(change: Partial<TraceToolCall>): TraceToolCall {
  return { name: 'search', arguments: '{}', result: '[]', hasFailed: false, durationMs: 3, ...change }
}

describe.each(['en', 'ru'] as const)('a refused call, in %s', (language) => {
  it('has a reason in words of its own', async () => {
    await startI18n(language)
    await loadTexts('why')
    const texts = TOOL_REFUSALS.map((refusal) => {
      const { container, unmount } = render(<WhyTools tools={[call({ hasFailed: true, refusal })]} />)
      const text = container.textContent ?? ''
      unmount()
      expect(text, refusal).not.toContain(refusal)
      return text
    })
    const plain = render(<WhyTools tools={[call({ hasFailed: true })]} />).container.textContent
    expect(new Set([...texts, plain]).size).toBe(TOOL_REFUSALS.length + 1)
  })

  it('is counted where it is not shown', async () => {
    await startI18n(language)
    await loadTexts('why')
    const { container } = render(<WhyTools tools={[call({})]} leftOut={400} />)
    expect(container).toHaveTextContent('400')
  })
})
