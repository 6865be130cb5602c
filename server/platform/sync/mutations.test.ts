// The order of a client's mutations while it changes sockets.
import { describe, expect, it } from 'vitest'
import { Clock } from './clock.ts'
import { CommitOrder } from './commits.ts'
import type { Host, MutationCall, MutationOutcome } from './host.ts'
import { Mutations, type Requester } from './mutations.ts'

class Socket implements Requester {
  isOpen = true
  answered: number[] = []
  answerMutation(requestId: number): void {
    this.answered.push(requestId)
  }
  giveUp(): void {
    this.isOpen = false
  }
}

/** A host that has stored no outcome, and finds that out once `known` says so. */
function setUp() {
  const ran: number[] = []
  const lookUps: { requestId: number; resolve: (recorded: null) => void }[] = []
  const host = {
    recorded: ({ requestId }: MutationCall) => {
      const { promise, resolve } = Promise.withResolvers<MutationOutcome | null>()
      lookUps.push({ requestId, resolve })
      return promise
    },
    mutate: async ({ requestId }: MutationCall): Promise<MutationOutcome> => {
      ran.push(requestId)
      return { outcome: { ok: true, value: null, logLines: [] } as unknown as MutationOutcome['outcome'], xid: null }
    },
  } as unknown as Host
  const mutations = new Mutations(host)
  const commits = new CommitOrder(new Clock())
  const send = (socket: Socket, requestId: number, mayBeRepeated: boolean) => {
    const call = { claims: null, clientSession: 's', requestId, path: 'a:b', args: {} } as unknown as MutationCall
    void mutations.submit(socket, call, { commits, mayBeRepeated, done: () => undefined })
  }
  const known = (requestId: number) => {
    for (const look of lookUps.filter((each) => each.requestId === requestId)) look.resolve(null)
  }
  return { ran, mutations, send, known }
}

describe('mutations of a client whose sockets break', () => {
  it('run in the order in which they were sent, also when a later one is looked up longer than an earlier one is given up', async () => {
    const { ran, mutations, send, known } = setUp()
    const [second, third] = [new Socket(), new Socket()]
    send(second, 1, true)
    send(second, 2, true)
    second.isOpen = false
    known(1)
    await turn()
    send(third, 1, true)
    send(third, 2, true)
    for (const requestId of [1, 2]) known(requestId)
    await turn()
    for (const requestId of [1, 2]) known(requestId)
    await mutations.settle()
    expect(ran).toEqual([1, 2])
    expect(third.answered).toEqual([1, 2])
  })

  it('run without the socket that sent them where another has asked for them too', async () => {
    const { ran, mutations, send } = setUp()
    const [first, second] = [new Socket(), new Socket()]
    send(first, 1, false)
    send(first, 2, false)
    first.isOpen = false
    send(second, 1, true)
    send(second, 2, true)
    await mutations.settle()
    expect(ran).toEqual([1, 2])
    expect(second.answered).toEqual([1, 2])
  })

  it('do not run for sockets that have all closed', async () => {
    const { ran, mutations, send } = setUp()
    const socket = new Socket()
    send(socket, 1, false)
    socket.isOpen = false
    await mutations.settle()
    expect(ran).toEqual([])
  })
})

/** Everything that waits for nothing goes on. */
function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}
