// Takes an embedded database in memory back to a moment it has been in, to the last byte: what a fresh copy of it would cost twenty times as much for.
// The database is a program with a memory and files. Both are kept as they are, and put back: rows, sequences, settings, caches, locks.
import type { PGlite } from '@electric-sql/pglite'

/** A file, folder or device of the file system in memory, as the build of PGlite keeps it. */
type Node = {
  name: string
  parent: Node
  mode: number
  /** Bytes of a file, by name what is in a folder. */
  contents?: Uint8Array | Record<string, Node>
  usedBytes?: number
  name_next?: Node
  atime: number
  mtime: number
  ctime: number
}
type Stream = { shared: { flags: number; position: number } }
type FileSystem = { root: Node; nameTable: (Node | undefined)[]; streams: (Stream | undefined)[]; nextInode: number }
type Program = {
  HEAPU8: Uint8Array<ArrayBuffer>
  FS: FileSystem
  stackSave(): number
}

/**
 * Remembers the database as it is. Nothing may be under way, now and when it goes back.
 * @returns goes back to this moment
 */
export function rememberMoment({ Module }: PGlite): () => void {
  const program = Module as unknown as Program
  const undo = [rememberMemory(program), rememberFiles(program.FS)]
  return () => {
    for (const step of undo) step()
  }
}

function rememberMemory(program: Program): () => void {
  const memory = program.HEAPU8.slice()
  const stack = program.stackSave()
  return () => {
    if (program.stackSave() !== stack) throw new Error('The database is in the midst of something.')
    program.HEAPU8.set(memory)
    program.HEAPU8.fill(0, memory.length) // it may have grown
  }
}

function rememberFiles(fs: FileSystem): () => void {
  const nodes = [...listNodes(fs.root)].map(rememberNode)
  const names = [...fs.nameTable]
  const streams = fs.streams.map((stream) => stream && { stream, kept: { ...stream }, shared: { ...stream.shared } })
  const { nextInode } = fs
  return () => {
    for (const restore of nodes) restore()
    fs.nameTable.splice(0, Number.POSITIVE_INFINITY, ...names)
    fs.streams.splice(0, Number.POSITIVE_INFINITY, ...streams.map((entry) => entry?.stream))
    // Files that have been closed since are open again, and at their former place.
    for (const entry of streams) if (entry) Object.assign(Object.assign(entry.stream, entry.kept).shared, entry.shared)
    fs.nextInode = nextInode
  }
}

function* listNodes(node: Node): Generator<Node> {
  yield node
  if (!node.contents || node.contents instanceof Uint8Array) return
  for (const child of Object.values(node.contents)) yield* listNodes(child)
}

function rememberNode(node: Node): () => void {
  const kept = { ...node }
  const contents = copyContents(node)
  return () => {
    Object.assign(node, kept, contents && { contents: contents() })
    if (!kept.name_next) delete node.name_next
  }
}

/** A function that makes the contents as they are now, each time anew. */
function copyContents({ contents }: Node): (() => Node['contents']) | undefined {
  if (!contents) return undefined
  if (!(contents instanceof Uint8Array)) {
    const children = { ...contents }
    return () => ({ ...children })
  }
  const bytes = contents.slice()
  return () => {
    contents.set(bytes)
    return contents
  }
}
