// initdb for a user id that has no name. It looks the name up and gives up when there is none, although it uses that name for nothing once
// it is given the name of the database's owner. Containers are often run under such ids.
import fs from 'node:fs'
import path from 'node:path'
import { copyPlaces } from './binaries.copy.ts'
import type { Binaries } from './package.ts'

/** The function by which the programs look up the name of a user id, and the one of the same length that returns the first user of all. */
const LOOK_UP = Buffer.from('\0getpwuid\0')
const FIRST_USER = Buffer.from('\0getpwent\0')
const PATCHED = ['initdb', 'postgres']

/** What initdb says when the id has no name. */
export const NO_NAME = /could not look up effective user ID/

/**
 * Hands `run` binaries that make a cluster under an id without a name: copies of the two programs concerned, in which one imported function
 * is replaced. They are removed afterwards; the server itself never looks up the name.
 *
 * @param home folder of ours that copies may be kept in
 * @returns the first result of `run` that is not undefined, of the places that copies can be kept in
 */
export async function withNamelessBinaries<T>(
  { root }: Binaries,
  home: string,
  run: (binaries: Binaries) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const place of copyPlaces(home)) {
    const patched = patchInto(root, place)
    if (patched === undefined) continue
    try {
      const result = await run({ root: patched })
      if (result !== undefined) return result
    } finally {
      fs.rmSync(patched, { recursive: true, force: true })
    }
  }
  return undefined
}

function patchInto(root: string, place: string): string | undefined {
  let folder: string | undefined
  try {
    folder = fs.mkdtempSync(path.join(place, 'parley-initdb-'))
    fs.chmodSync(folder, 0o755)
    fs.mkdirSync(path.join(folder, 'bin'))
    fs.chmodSync(path.join(folder, 'bin'), 0o755)
    for (const shared of ['lib', 'share']) fs.symlinkSync(path.join(root, shared), path.join(folder, shared))
    for (const name of PATCHED) patchProgram(path.join(root, 'bin', name), path.join(folder, 'bin', name))
    return folder
  } catch {
    if (folder) fs.rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

function patchProgram(from: string, to: string): void {
  const program = fs.readFileSync(from)
  const at = program.indexOf(LOOK_UP)
  if (at < 0) throw new Error(`${from} does not look up the name of its user.`)
  FIRST_USER.copy(program, at)
  fs.writeFileSync(to, program)
  fs.chmodSync(to, 0o755)
}
