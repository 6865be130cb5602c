// The hosts that tools may call, and the vault of secrets that they send. On the wire: tools/vault.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import { noArgs } from '#shared/schema.ts'
import {
  setToolSecretInput,
  TOOL_HOSTS_MAX,
  TOOL_SECRETS_MAX,
  toolHostInput,
  toolSecretInput,
} from '#shared/tools/tools.ts'
import { placeOf } from './call.ts'
import { findSender } from './tools.store.ts'
import { hostOf } from './vault.rules.ts'
import * as store from './vault.store.ts'

/** The hosts that tools may call. */
export const hosts = orgQuery({ args: noArgs, handler: (ctx) => store.listHosts(ctx) })

/** The secrets by name; what they are is shown to no one. */
export const secrets = orgQuery({ args: noArgs, handler: (ctx) => store.listSecrets(ctx) })

/** Lets tools call a host. Safe to repeat. @throws tool_host_invalid, too_many_tool_hosts */
export const addHost = orgMutation({
  args: toolHostInput,
  isAudited: true,
  handler: async (ctx, given) => {
    const host = hostFrom(given.host)
    const known = await store.listHosts(ctx)
    if (known.length >= TOOL_HOSTS_MAX) throw new AppError('too_many_tool_hosts', { max: TOOL_HOSTS_MAX })
    await store.insertHost(ctx, host, ctx.now)
    await ctx.audit({ resource: { kind: 'toolHost', id: host, name: host } })
    return null
  },
})

/** Tools that call it fail from now on. Safe to repeat. */
export const removeHost = orgMutation({
  args: toolHostInput,
  isAudited: true,
  handler: async (ctx, { host }) => {
    await store.deleteHost(ctx, host)
    await ctx.audit({ resource: { kind: 'toolHost', id: host, name: host } })
    return null
  },
})

/** Puts a secret into the vault, in place of that of the same name. An action: outcomes and arguments of mutations are kept. @throws tool_host_invalid, too_many_tool_secrets */
export const setSecret = orgAction({
  args: setToolSecretInput,
  isAudited: true,
  handler: async (ctx, { name, value, ...given }) => {
    const host = hostFrom(given.host)
    await ctx.write(async (write) => {
      const id = (await store.findSecret(write, name)) ?? newId('toolSecrets')
      const known = await store.listSecrets(write)
      if (known.length >= TOOL_SECRETS_MAX && !known.some((secret) => secret._id === id))
        throw new AppError('too_many_tool_secrets', { max: TOOL_SECRETS_MAX })
      const sealed = ctx.services.secrets.encrypt(value, placeOf(id))
      await store.saveSecret(write, { id, name, host, value: sealed }, write.now)
      await write.audit({ resource: { kind: 'toolSecret', id, name }, after: { host } })
    })
    return null
  },
})

/** @throws not_found, tool_secret_in_use */
export const removeSecret = orgMutation({
  args: toolSecretInput,
  isAudited: true,
  handler: async (ctx, { secretId }) => {
    const tool = await findSender(ctx, secretId)
    if (tool !== undefined) throw new AppError('tool_secret_in_use', { tool })
    const { name, host } = await store.deleteSecret(ctx, secretId)
    await ctx.audit({ resource: { kind: 'toolSecret', id: secretId, name }, before: { host } })
    return null
  },
})

function hostFrom(text: string): string {
  const host = hostOf(text)
  if (host === null) throw new AppError('tool_host_invalid')
  return host
}
