// Notes which test file begins in which worker, so that a second try of a file can be given the same neighbours.
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'

const { ORDER_LOG, VITEST_POOL_ID } = process.env
const file = expect.getState().testPath
if (ORDER_LOG && file) fs.appendFileSync(ORDER_LOG, `${VITEST_POOL_ID}\t${path.relative(process.cwd(), file)}\n`)
