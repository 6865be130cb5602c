// Copies of PostgreSQL's programs, for accounts that cannot enter the folder they are installed in. A copy is kept for the next start.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Binaries, libraryLinks } from './package.ts'

/** Files needed only to build other programs. */
const NOT_COPIED = /\.a$|\/(pkgconfig|pgxs|include)(\/|$)/

/** Folders that copies may be kept in, the preferred first. */
export function copyPlaces(home: string): string[] {
  const places = [home, ...(process.getuid?.() === 0 ? ['/var/lib'] : []), '/var/tmp', os.tmpdir()]
  return places.filter((place) => fs.existsSync(place))
}

/**
 * A copy of a package's binaries in a folder below `place`, made unless it is there.
 * @returns undefined when there is no room or no right for it
 */
export function copyBinaries(packageRoot: string, place: string): Binaries | undefined {
  const source = path.join(packageRoot, 'native')
  const target = path.join(place, copyName(packageRoot))
  if (isComplete(source, target)) return { root: target }
  try {
    const unfinished = fs.mkdtempSync(`${target}-`)
    try {
      copyFolder(source, unfinished)
      for (const { source: to, target: link } of libraryLinks(packageRoot)) {
        const file = path.join(unfinished, path.relative('native', link))
        if (!fs.existsSync(file)) fs.symlinkSync(path.relative(path.dirname(link), to), file)
      }
      if (isOurs(target)) fs.rmSync(target, { recursive: true })
      fs.renameSync(unfinished, target)
      removeOlder(target)
      return { root: target }
    } catch (error) {
      fs.rmSync(unfinished, { recursive: true, force: true })
      throw error
    }
  } catch {
    return isComplete(source, target) ? { root: target } : undefined
  }
}

/** One for each installed package: its folder, then its version. */
function copyName(packageRoot: string): string {
  const id = createHash('sha256').update(packageRoot).digest('hex').slice(0, 12)
  const { version } = JSON.parse(fs.readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))
  return `parley-postgres-${id}-${version}`
}

/** Copies of former versions of the same package. */
function removeOlder(copy: string): void {
  const own = path.basename(copy).split('-').slice(0, 3).join('-')
  for (const name of fs.readdirSync(path.dirname(copy))) {
    const other = path.join(path.dirname(copy), name)
    if (name.startsWith(`${own}-`) && other !== copy && isOurs(other))
      fs.rmSync(other, { recursive: true, force: true })
  }
}

/** Readable by everyone, whatever the umask of this process is. */
function copyFolder(from: string, to: string): void {
  fs.mkdirSync(to, { recursive: true })
  fs.chmodSync(to, 0o755)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (NOT_COPIED.test(source)) continue
    if (entry.isDirectory()) copyFolder(source, target)
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target)
    else {
      fs.copyFileSync(source, target, fs.constants.COPYFILE_FICLONE)
      fs.chmodSync(target, fs.statSync(source).mode & 0o111 ? 0o755 : 0o644)
    }
  }
}

/** Every file is there in its size: what cleans temporary folders takes away single files. */
function isComplete(source: string, target: string): boolean {
  if (!isOurs(target)) return false
  return fs
    .readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !NOT_COPIED.test(file))
    .every((file) => {
      const copy = fs.statSync(path.join(target, path.relative(source, file)), { throwIfNoEntry: false })
      return copy?.size === fs.statSync(file).size
    })
}

/** Owned by this user and writable by no other: files in a world-writable folder cannot be trusted. */
function isOurs(folder: string): boolean {
  const stats = fs.lstatSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0
}
