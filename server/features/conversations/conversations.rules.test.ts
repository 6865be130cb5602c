// Who has a conversation while its agent is silent.
import { describe, expect, it } from 'vitest'
import { PAUSE_REASONS } from '#shared/conversations.ts'
import { isTakenOver } from './conversations.rules.ts'

describe('isTakenOver', () => {
  it('knows a person in the conversation from a person who was called', () => {
    expect(PAUSE_REASONS.filter(isTakenOver)).toEqual([
      'operator',
      'operator_reply',
      'operator_elsewhere',
      'operator_phrase',
    ])
  })
})
