// When reading pauses and resumes.
import { expect, it, vi } from 'vitest'
import { Intake } from './intake.ts'

function openIntake() {
  const socket = { pause: vi.fn(), resume: vi.fn() }
  return { socket, intake: new Intake(socket) }
}

it('stops reading after a thousand unanswered messages and goes on when half of them are done', () => {
  const { socket, intake } = openIntake()
  const done = Array.from({ length: 1001 }, () => intake.admit(10))
  expect(socket.pause).toHaveBeenCalledOnce()
  for (const finish of done.slice(0, 501)) finish()
  expect(socket.resume).not.toHaveBeenCalled()
  done[501]?.()
  expect(socket.resume).toHaveBeenCalledOnce()
})

it('stops reading after few messages that are large', () => {
  const { socket, intake } = openIntake()
  const done = Array.from({ length: 3 }, () => intake.admit(15 * 2 ** 20))
  expect(socket.pause).toHaveBeenCalledOnce()
  for (const finish of done) finish()
  expect(socket.resume).toHaveBeenCalledOnce()
})

it('counts a message once, however often it is finished', () => {
  const { socket, intake } = openIntake()
  const first = intake.admit(1)
  for (let i = 0; i < 1000; i++) intake.admit(1)
  for (let i = 0; i < 1000; i++) first()
  expect(socket.resume).not.toHaveBeenCalled()
})

it('goes on only when it may for both reasons', () => {
  const { socket, intake } = openIntake()
  const release = intake.hold()
  const done = intake.admit(40 * 2 ** 20)
  release()
  expect(socket.resume).not.toHaveBeenCalled()
  const again = intake.hold()
  done()
  expect(socket.resume).not.toHaveBeenCalled()
  again()
  expect(socket.resume).toHaveBeenCalledOnce()
})
