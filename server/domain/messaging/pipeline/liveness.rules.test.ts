// When a server whose lock is free counts as dead.
import { describe, expect, it } from 'vitest'
import { Sightings } from './liveness.rules.ts'

const SERVER = 7

describe('a server', () => {
  it('whose lock stays free is dead, and not at the first look', () => {
    const sightings = new Sightings()
    expect([0, 500, 1000].map((at) => sightings.note(SERVER, true, at))).toEqual([false, false, true])
  })

  it('that has taken its lock again lives, and is not dead at the next loss', () => {
    const sightings = new Sightings()
    sightings.note(SERVER, true, 0)
    expect(sightings.note(SERVER, false, 500)).toBe(false)
    expect([1000, 1500].map((at) => sightings.note(SERVER, true, at))).toEqual([false, false])
  })

  it('is not judged by looks with a long time between them', () => {
    const sightings = new Sightings()
    sightings.note(SERVER, true, 0)
    expect(sightings.note(SERVER, true, 60_000)).toBe(false)
  })

  it('is not judged by what was seen before an outage', () => {
    const sightings = new Sightings()
    sightings.note(SERVER, true, 0)
    sightings.forget()
    expect(sightings.note(SERVER, true, 1000)).toBe(false)
  })

  it('is judged by its own lock', () => {
    const sightings = new Sightings()
    sightings.note(SERVER, true, 0)
    expect(sightings.note(8, true, 1000)).toBe(false)
  })
})
