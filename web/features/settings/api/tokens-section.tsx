// Tokens of the API: made, listed by how they end, revoked.
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiToken } from '#shared/organizations/api-tokens.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { serverOrigin } from '#web/lib/server/server-address.ts'
import { toast } from '#web/lib/toast.ts'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { scopeKey } from './scopes.ts'

/** Live: when a token was last used is seen at once. */
export function TokensSection() {
  const { t } = useTranslation('settings')
  const tokens: ApiToken[] | undefined = useQuery(api.apiTokens.list, {})
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiToken | null>(null)
  return (
    <CardSection
      title={t(($) => $.api.title)}
      description={t(($) => $.api.description)}
      actions={
        <Button variant="primary" size="sm" onClick={() => setCreating(true)}>
          <Plus aria-hidden="true" />
          {t(($) => $.api.create)}
        </Button>
      }
    >
      {!tokens && (
        <Delayed>
          <Skeleton className="h-12" />
        </Delayed>
      )}
      {tokens?.length === 0 && <p className="text-muted-foreground">{t(($) => $.api.none)}</p>}
      <ul className="divide-y divide-border">
        {tokens?.map((token) => (
          <TokenRow key={token._id} token={token} onRevoke={() => setRevoked(token)} />
        ))}
      </ul>
      <p className="mt-4 text-[0.8125rem] text-muted-foreground">
        {t(($) => $.api.address)} <code className="break-all">{`${serverOrigin}/api/v1`}</code>
        <br />
        {t(($) => $.api.mcpAddress)} <code className="break-all">{`${serverOrigin}/mcp`}</code>
      </p>
      {isCreating && <CreateTokenDialog onClose={() => setCreating(false)} />}
      {revoked && <RevokeDialog token={revoked} onClose={() => setRevoked(null)} />}
    </CardSection>
  )
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { t } = useTranslation('settings')
  const { name, tail, scopes, createdBy, createdAt, lastUsedAt } = token
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <KeyRound aria-hidden="true" className="size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {name} <span className="font-normal text-muted-foreground">…{tail}</span>
        </p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {scopes.map((scope) => t(($) => $.api.scopeNames[scopeKey(scope)])).join(' · ')}
        </p>
        <p className="flex flex-wrap gap-x-2 text-[0.8125rem] text-muted-foreground">
          <span>
            {createdBy ? t(($) => $.api.madeBy, { name: createdBy }) : t(($) => $.api.made)} <DateTime at={createdAt} />
          </span>
          <span>
            {lastUsedAt === null ? (
              t(($) => $.api.neverUsed)
            ) : (
              <>
                {t(($) => $.api.lastUsed)} <RelativeTime at={lastUsedAt} />
              </>
            )}
          </span>
        </p>
      </div>
      <Button size="sm" aria-label={t(($) => $.api.revokeNamed, { name })} onClick={onRevoke}>
        {t(($) => $.api.revoke)}
      </Button>
    </li>
  )
}

function RevokeDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const revoke = useMutation(api.apiTokens.revoke)
  return (
    <ConfirmDialog
      title={t(($) => $.api.revokeTitle, { name: token.name })}
      description={t(($) => $.api.revokeBody)}
      confirmLabel={t(($) => $.api.revoke)}
      onConfirm={async () => {
        await revoke({ apiTokenId: token._id })
        toast.success(t(($) => $.api.revoked))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}
