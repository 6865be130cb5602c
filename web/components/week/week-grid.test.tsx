// The grid of a week by keyboard, mouse and finger, in both of its shapes.
import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { DAYS, PRESETS, type WeekHours } from './hours.rules.ts'
import { WeekGrid } from './week-grid.tsx'

/** Hundreds of cells and fields in jsdom on a busy machine. */
vi.setConfig({ testTimeout: 30_000 })

const none: WeekHours = Array.from({ length: DAYS }, () => [])
let hours: WeekHours

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents')
})
afterEach(() => vi.restoreAllMocks())

function Form({ start }: { start: WeekHours }) {
  const [value, setValue] = useState(start)
  hours = value
  return <WeekGrid label="Working hours" describedBy="help" value={value} onChange={setValue} />
}

function open(start: WeekHours = none) {
  render(<Form start={start} />)
  return userEvent.setup()
}

/** Monday is 0. */
const cell = (name: string) => screen.getByRole('gridcell', { name })
const open9 = 'Monday, 9:00–10:00'

describe('with hours across, where there is room', () => {
  beforeEach(() => {
    vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(700)
  })

  it('has seven rows of twenty-four hours, one tab stop, and says which hours are on', async () => {
    const user = open(PRESETS.work)
    expect(screen.getAllByRole('gridcell')).toHaveLength(7 * 24)
    expect(screen.getAllByRole('row')).toHaveLength(1 + 7)
    expect(cell(open9)).toHaveAttribute('aria-selected', 'true')
    expect(cell('Sunday, 9:00–10:00')).toHaveAttribute('aria-selected', 'false')
    await user.tab()
    expect(cell('Monday, 0:00–1:00')).toHaveFocus()
    await user.tab()
    expect(document.body).toHaveFocus()
  })

  it('moves by arrows, Home and End and stops at the edges', async () => {
    const user = open()
    await user.tab()
    await user.keyboard('{ArrowRight}{ArrowDown}')
    expect(cell('Tuesday, 1:00–2:00')).toHaveFocus()
    await user.keyboard('{End}{ArrowRight}')
    expect(cell('Tuesday, 23:00–24:00')).toHaveFocus()
    await user.keyboard('{Control>}{End}{/Control}{ArrowDown}')
    expect(cell('Sunday, 23:00–24:00')).toHaveFocus()
    await user.keyboard('{Control>}{Home}{/Control}')
    expect(cell('Monday, 0:00–1:00')).toHaveFocus()
  })

  it('turns an hour on and off by Space', async () => {
    const user = open()
    await user.tab()
    await user.keyboard(' ')
    expect(hours[0]).toEqual([0])
    await user.keyboard(' ')
    expect(hours[0]).toEqual([])
  })

  it('turns a whole day or hour by Space on its heading', async () => {
    const user = open()
    await user.tab()
    await user.keyboard('{ArrowLeft}')
    expect(screen.getByRole('rowheader', { name: 'Monday, whole day' })).toHaveFocus()
    await user.keyboard(' ')
    expect(hours.map((open) => open.length)).toEqual([24, 0, 0, 0, 0, 0, 0])
    await user.keyboard('{ArrowRight}{ArrowUp}')
    expect(screen.getByRole('columnheader', { name: '0:00, every day' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(hours.map((open) => open.length)).toEqual([24, 1, 1, 1, 1, 1, 1])
  })

  it('paints a rectangle by Shift with arrows and gives back what it leaves', async () => {
    const user = open()
    await user.tab()
    await user.keyboard(' {Shift>}{ArrowRight}{ArrowRight}{ArrowDown}{/Shift}')
    expect(hours.slice(0, 3)).toEqual([[0, 1, 2], [0, 1, 2], []])
    await user.keyboard('{Shift>}{ArrowUp}{ArrowLeft}{/Shift}')
    expect(hours.slice(0, 2)).toEqual([[0, 1], []])
  })

  it('begins a new rectangle after a move without Shift, closing hours from a closed one', async () => {
    const user = open(PRESETS.always)
    await user.tab()
    await user.keyboard(' {Shift>}{ArrowRight}{/Shift}{ArrowRight}{Shift>}{ArrowRight}{/Shift}')
    expect(hours[0]?.slice(0, 2)).toEqual([2, 3])
  })

  it('is painted by a mouse that is dragged, and needs no dragging', () => {
    open()
    fireEvent.pointerDown(cell(open9), { pointerType: 'mouse', button: 0 })
    fireEvent.pointerOver(cell('Tuesday, 10:00–11:00'), { pointerType: 'mouse', buttons: 1 })
    expect(hours.slice(0, 3)).toEqual([[9, 10], [9, 10], []])
    fireEvent.click(cell('Tuesday, 10:00–11:00'), { detail: 1 })
    expect(hours[1]).toEqual([9, 10])
  })

  it('is turned once by a click of the mouse and by the touch of a finger', () => {
    open()
    fireEvent.pointerDown(cell(open9), { pointerType: 'mouse', button: 0 })
    fireEvent.click(cell(open9), { detail: 1 })
    expect(hours[0]).toEqual([9])
    fireEvent.pointerDown(cell(open9), { pointerType: 'touch', button: 0 })
    fireEvent.click(cell(open9), { detail: 1 })
    expect(hours[0]).toEqual([])
  })

  it('turns a whole day by a click on its name', () => {
    open()
    const heading = screen.getByRole('rowheader', { name: 'Saturday, whole day' })
    fireEvent.pointerDown(heading, { pointerType: 'mouse', button: 0 })
    fireEvent.click(heading, { detail: 1 })
    expect(hours[5]).toHaveLength(24)
  })
})

describe('with days across, on a phone', () => {
  it('has twenty-four rows of seven days, and arrows follow the eye', async () => {
    const user = open()
    const rows = screen.getAllByRole('row')
    expect(rows).toHaveLength(1 + 24)
    expect(within(rows[1] as HTMLElement).getAllByRole('gridcell')).toHaveLength(7)
    await user.tab()
    await user.keyboard('{ArrowRight}{ArrowDown}')
    expect(cell('Tuesday, 1:00–2:00')).toHaveFocus()
    await user.keyboard('{End}')
    expect(cell('Sunday, 1:00–2:00')).toHaveFocus()
  })
})
