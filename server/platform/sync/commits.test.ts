// A mutation and a flush that meet: every order in which they can.
import { describe, expect, it } from 'vitest'
import { Clock } from './clock.ts'
import { CommitOrder } from './commits.ts'
import { isVisible } from './visibility.ts'

const BEFORE = '100:100:'
const AFTER = '101:101:'

describe('visibility in a snapshot', () => {
  it.each([
    ['99', '100:105:101,103', true],
    ['100', '100:105:101,103', true],
    ['101', '100:105:101,103', false],
    ['103', '100:105:101,103', false],
    ['104', '100:105:101,103', true],
    ['105', '100:105:101,103', false],
    ['18446744073709551000', '18446744073709550999:18446744073709551001:', true],
  ])('transaction %s in %s: %s', (xid, snapshot, visible) => {
    expect(isVisible(xid, snapshot)).toBe(visible)
  })
})

describe('the order of commits and snapshots', () => {
  it('acknowledges a commit that the running flush sees with the timestamp of the flush', async () => {
    const order = new CommitOrder(new Clock())
    const commit = order.begin()
    commit.xid = '100'
    const { ts } = order.openSnapshot()(AFTER)
    expect(await order.timestamp('100')).toBe(ts)
  })

  it('acknowledges a commit that the running flush does not see with a later timestamp', async () => {
    const order = new CommitOrder(new Clock())
    const { ts } = order.openSnapshot()(BEFORE)
    expect(await order.timestamp('100')).toBeGreaterThan(ts)
  })

  it('keeps acknowledgements waiting while it is not known what the snapshot sees', async () => {
    const order = new CommitOrder(new Clock())
    const opened = order.openSnapshot()
    const acknowledged = order.timestamp('100')
    const { ts } = opened(AFTER)
    expect(await acknowledged).toBe(ts)
  })

  it('lets a flush wait for the commits that it sees, and for no others', async () => {
    const order = new CommitOrder(new Clock())
    const [seen, unseen, unfinished] = [order.begin(), order.begin(), order.begin()]
    seen.xid = '100'
    unseen.xid = '101'
    const { settled } = order.openSnapshot()(AFTER)
    let isSettled = false
    const waiting = settled().then(() => {
      isSettled = true
    })
    await Promise.resolve()
    expect(isSettled).toBe(false)
    seen.close()
    await waiting
    unseen.close()
    unfinished.close()
  })

  it('gives timestamps of its own again when a flush has ended or its snapshot could not be opened', async () => {
    const order = new CommitOrder(new Clock())
    const { ts } = order.openSnapshot()(AFTER)
    order.endFlush()
    expect(await order.timestamp('100')).toBeGreaterThan(ts)
    const opened = order.openSnapshot()
    const acknowledged = order.timestamp('100')
    opened(null)
    await acknowledged
  })
})
