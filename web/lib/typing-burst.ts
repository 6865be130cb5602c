// What is typed while no field has the focus. Letters are shortcuts in the inbox, and also what a reply begins with:
//
//   a letter alone                          its shortcut, once it is clear that nothing follows
//   letters in a row, all of them shortcuts these shortcuts, in their order
//   letters in a row, one of them is none   text: none of the shortcuts acts, and all of it goes into the box that is open
//
// J and K act at once, for who walks through a list should not wait; where text follows, the way is gone back, and the text stands in the box from
// which it started. A box that is still being loaded gets what is typed until it is there.

/** Letters that follow each other faster are one row, milliseconds: people who type leave less between two of them. */
const ROW_MS = 300
/** So long a box may take to come, milliseconds. */
const AWAITED_MS = 5000

/** A place to write in. */
export type TypingBox = {
  /** What it writes to. */
  id: string
  /** Whether that is what the person has asked for; false also while the real box is being loaded. */
  isCurrent(): boolean
  hasFocus(): boolean
  /** Takes the focus, and the text behind what stands there. */
  receive(text: string): void
}
/** What only the registry of shortcuts knows of a press. */
export type PressFacts = {
  isInField: boolean
  /** A window, menu or list is open. */
  isForModal: boolean
  /** Some shortcut acts by this key alone or begins or ends with it. */
  isTaken: boolean
}
type Row = { text: string; at: number; held: (() => void)[]; back: { boxId: string; go: () => void } | null }

const boxes: TypingBox[] = []
let row: Row | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let awaited: { isFor(box: TypingBox): boolean; text: string; until: number } | null = null

/** From now on the box takes what is typed elsewhere, and at once what was typed for it before. @returns the function that ends it */
export function offerBox(box: TypingBox): () => void {
  boxes.push(box)
  handOver(box)
  return () => void boxes.splice(boxes.indexOf(box), 1)
}

/** Who writes while going on to another conversation goes on writing there: the next box gets the focus and what is typed meanwhile. */
export function carryWritingOn(): void {
  const box = boxes.at(-1)
  if (box?.hasFocus()) awaitBox((next) => next.id !== box.id && next.isCurrent(), '')
}

/** Runs a shortcut that a key has called, or keeps it until it is clear that the key does not begin a text. */
export function actUnlessTyping(act: () => void, { isAtOnce = false } = {}): void {
  if (!row || isAtOnce) act()
  else row.held.push(act)
}

/** For a shortcut that acts at once: how it is undone when its key turns out to begin a text. */
export function offerReturn(go: () => void): void {
  const box = boxes.at(-1)
  if (row && box) row.back ??= { boxId: box.id, go }
}

/** Looks at a press before anything else does, and keeps it from all else when it is text. */
export function followTyping(event: KeyboardEvent, facts: PressFacts): void {
  if (/^(Shift|Control|Alt|Meta|CapsLock)/.test(event.key)) return
  const box = boxes.at(-1)
  const isFree = !facts.isForModal && !facts.isInField
  if (isAwaited() && isPrintable(event) && !facts.isForModal && (isFree || box?.hasFocus())) {
    consume(event)
    if (awaited) awaited.text += event.key
    return
  }
  const isInRow = row !== null && event.timeStamp - row.at <= ROW_MS
  if (!isInRow || event.repeat) runHeld()
  if (!box || !isFree || !isPrintable(event) || event.repeat || (event.key === ' ' && !isInRow)) {
    runHeld()
    // An input method or an accent begins here: it goes on in the field.
    if (box?.isCurrent() && isFree && /^(Dead|Process)$/.test(event.key)) box.receive('')
    return
  }
  row ??= { text: '', at: 0, held: [], back: null }
  row.text += event.key
  row.at = event.timeStamp
  clearTimeout(timer)
  if (facts.isTaken) timer = setTimeout(runHeld, ROW_MS)
  else takeText(event, row, box)
}

function takeText(event: KeyboardEvent, { text, back }: Row, box: TypingBox): void {
  consume(event)
  row = null
  if (back) {
    awaitBox(({ id }) => id === back.boxId, text)
    back.go()
    handOver(box)
  } else if (box.isCurrent()) box.receive(text)
  else awaitBox(({ id }) => id !== box.id, text)
}

function runHeld(): void {
  clearTimeout(timer)
  const held = row?.held ?? []
  row = null
  for (const act of held) act()
}

function awaitBox(isFor: (box: TypingBox) => boolean, text: string): void {
  awaited = { isFor, text, until: Date.now() + AWAITED_MS }
}

function isAwaited(): boolean {
  if (awaited && Date.now() > awaited.until) awaited = null
  return awaited !== null
}

function handOver(box: TypingBox): void {
  if (!isAwaited() || !awaited?.isFor(box)) return
  const { text } = awaited
  awaited = null
  box.receive(text)
}

function isPrintable(event: KeyboardEvent): boolean {
  const isLetter = event.key.length === 1 && !event.isComposing
  const isCommand = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  return isLetter && !isCommand
}

function consume(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}
