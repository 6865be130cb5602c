// What an operator reads when the database that is configured cannot be used.
import { expect, it } from 'vitest'
import { explainFailure, StartError } from '#server/platform/lib/start-error.ts'
import { explainConnection } from './connection-failure.rules.ts'

const URL_GIVEN = 'postgres://parley:s3cret@db.example:6000/shop'
const failing = (message: string, code?: string) => Object.assign(new Error(message), code && { code })
const explain = (error: unknown, url = URL_GIVEN) => explainFailure(explainConnection(error, url))

it.each([
  ['nothing listens', failing('connect ECONNREFUSED 10.0.0.1:6000', 'ECONNREFUSED'), 'Start it'],
  ['nothing listens at any address', new AggregateError([failing('connect', 'ECONNREFUSED')]), 'Start it'],
  ['there is no answer', failing('timeout expired'), 'Start it'],
  ['the host has no such name', failing('getaddrinfo ENOTFOUND db.example', 'ENOTFOUND'), 'Correct its name'],
  ['the database is missing', failing('database "shop" does not exist', '3D000'), 'createdb shop'],
  ['the user is unknown', failing('role "parley" does not exist', '28000'), 'Correct them'],
  ['the password is wrong', failing('password authentication failed', '28P01'), 'Correct them'],
  ['the user may too little', failing('permission denied for schema public', '42501'), 'Make it the owner'],
  ['all connections are taken', failing('sorry, too many clients already', '53300'), 'Raise max_connections'],
  ['it takes no writes', failing('cannot execute CREATE TABLE in a read-only transaction', '25006'), 'the primary'],
  ['it knows Latin letters alone', failing('has no equivalent in encoding "LATIN1"', '22P05'), 'encoding UTF8'],
  ['another program lives there', failing('relation "users" already exists', '42P07'), 'Create an empty one'],
  ['its disk is full', failing('could not extend file', '53100'), 'make room'],
  ['another program answers', failing('The database sent what cannot be read.', '08P01'), 'is not PostgreSQL'],
  ['there is no socket', failing('connect ENOENT /nowhere/.s.PGSQL.5432', 'ENOENT'), 'no socket in'],
  ['its certificate file is missing', failing("ENOENT: no such file or directory, open '/x'", 'ENOENT'), 'its path'],
  ['it speaks no TLS', failing('The server does not support SSL connections'), 'Take sslmode out'],
  ['its certificate is unknown', failing('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'), 'sslrootcert'],
])('says what to do when %s', (_when, error, advice) => {
  const text = explain(error)
  expect(text).toContain(advice)
  expect(text).not.toContain('s3cret')
  if (error.message) expect(text).toContain(`because: ${error.message}`)
})

it('finds the reason behind a migration that failed', () => {
  const denied = failing('permission denied for schema public', '42501')
  expect(explain(new Error('The migrations could not be run.', { cause: denied }))).toContain('Make it the owner')
})

it('understands an address without a host', () => {
  const missing = failing('connect ENOENT', 'ENOENT')
  expect(explain(missing, 'postgres://user@/parley?host=/var/run/x')).toContain('no socket in /var/run/x')
})

it('names the address that was tried, and the usual port where none is given', () => {
  const refused = failing('connect ECONNREFUSED', 'ECONNREFUSED')
  expect(explain(refused)).toContain('db.example:6000')
  expect(explain(refused, 'postgres://db.example/shop')).toContain('db.example:5432')
})

it('leaves alone what it has no words for, and what is in words already', () => {
  const [odd, known] = [failing('odd', 'XX000'), new StartError('A pooler stands before it.')]
  expect(explainConnection(odd, URL_GIVEN)).toBe(odd)
  expect(explainConnection(known, URL_GIVEN)).toBe(known)
})
