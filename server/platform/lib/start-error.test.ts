// The message of a server that cannot start.
import { describe, expect, it } from 'vitest'
import { explainFailure } from './start-error.ts'

describe('a server that cannot start', () => {
  it('names every cause', () => {
    const cause = new Error('password authentication failed for user "parley"', { cause: new Error('at the root') })
    const text = explainFailure(new Error('The migrations could not be run.', { cause }))
    expect(text.split('\n')).toEqual([
      'The migrations could not be run.',
      '  because: password authentication failed for user "parley"',
      '  because: at the root',
    ])
  })

  it('names the addresses of a host that refuses', () => {
    const refused = [new Error('connect ECONNREFUSED ::1:5432'), new Error('connect ECONNREFUSED 127.0.0.1:5432')]
    const text = explainFailure(new Error('Outer', { cause: new AggregateError(refused) }))
    expect(text).toContain('connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432')
  })

  it('repeats nothing, shows no password, and ends at circular causes', () => {
    const error = new Error('cannot open postgres://parley:s3cret-@pg:5432/parley')
    error.cause = error
    expect(explainFailure(error)).toBe('cannot open postgres://parley:…@pg:5432/parley')
  })

  it.each([
    ['text', 'text'],
    [Object.assign(new Error(''), { code: 'ENOENT' }), 'ENOENT'],
  ])('takes %j', (thrown, text) => {
    expect(explainFailure(thrown)).toBe(text)
  })
})
