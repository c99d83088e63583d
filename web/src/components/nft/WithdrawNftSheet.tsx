import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '@/api/client'
import { isApiError, refusedFact } from '@/api/envelope'
import type { OwnedNft } from '@/api/nfts'
import { keys, ownBalance } from '@/api/queries'
import { useCommand } from '@/command/useCommand'
import { useErrorText } from '@/command/useErrorText'
import { isWrongSecurityPassword, SecurityPasswordField } from '@/components/SecurityPasswordField'
import { useFormats } from '@/i18n/format'
import { AppLink } from '@/navigation/navigation'
import { Button } from '@/ui/Button'
import { Line, Notice } from '@/ui/Card'
import { Gap } from '@/ui/Gap'
import { Sheet } from '@/ui/Sheet'
import { toast } from '@/ui/toast'
import NftLine from './NftLine'

/** Why an NFT cannot be withdrawn: ads or orders, it is not in custody any more, a hold, or the network fee. */
const REFUSALS = new Set(['5019', '5031', '5036', '5055'])

function refusalCode(error: unknown): string | null {
  return isApiError(error) && REFUSALS.has(error.code) ? error.code : null
}

/** Withdraws an NFT to the bound address. The temporary balance pays the network fee. */
export function WithdrawNftSheet({ nft, onClose }: { nft: OwnedNft; onClose: () => void }) {
  const { t } = useLingui()
  const { amount } = useFormats()
  const [secret, setSecret] = useState('')
  const [tried, setTried] = useState(false)
  const balance = useQuery(ownBalance)
  const withdraw = useCommand({
    run: async (input: { secret: string }, headers, seal) =>
      read(
        api.POST('/balance/extract/{id}', {
          params: { path: { id: nft.id } },
          body: { securityCode: await seal(input.secret) },
          headers,
        }),
      ),
    touches: [keys.balance, keys.fundRecords],
    done: () => {
      toast(t`Withdrawal submitted.`)
      onClose()
    },
    refused: (error) => isWrongSecurityPassword(error) || refusalCode(error) !== null,
  })
  const { gasAsset } = nft
  const held = balance.data?.lines.find((one) => one.asset === gasAsset)?.temporary
  const to = balance.data?.boundAddress
  const submit = () => {
    setTried(true)
    if (secret !== '') withdraw.send({ secret })
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={t`Withdraw NFT`}
      footer={
        <Button size="large" wide busy={withdraw.busy} onClick={submit}>
          <Trans context="NFT">Withdraw</Trans>
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <NftLine nft={nft} />
        <dl className="rounded-2xl bg-sunken px-4 py-2">
          <Line label={t`To your bound address`}>
            <span className="break-all text-sm">{to ?? '–'}</span>
          </Line>
          <Line label={t`Network fee`}>
            {amount(nft.withdrawalGas)} {gasAsset}
          </Line>
          <Line label={t`Your temporary balance`}>
            {held === undefined ? '–' : `${amount(held)} ${gasAsset}`}
          </Line>
        </dl>
        <p className="text-muted text-sm leading-relaxed">
          <Trans>The network fee is taken from your temporary balance in {gasAsset}.</Trans>
        </p>
        <Refusal error={withdraw.error} nft={nft} />
        <SecurityPasswordField value={secret} onChange={setSecret} tried={tried} command={withdraw} />
      </div>
    </Sheet>
  )
}

/** Why the NFT was not withdrawn, and what helps. */
function Refusal({ error, nft }: { error: unknown; nft: OwnedNft }) {
  const { amount } = useFormats()
  const code = refusalCode(error)
  const said = useErrorText(code === null ? null : error, 'command')
  if (code === null) return null
  const shortfall = refusedFact(error, 'shortfall')
  const fee = `${amount(nft.withdrawalGas)} ${nft.gasAsset}`
  return (
    <div role="alert">
      <Notice tone="warn">
        {code === '5055' ? (
          <>
            <Trans>Your temporary balance doesn’t cover the network fee of {fee}.</Trans>
            <Gap />
            {shortfall === null ? null : (
              <Trans>
                {amount(shortfall)} {nft.gasAsset} is missing.
              </Trans>
            )}
            <Gap />
            <AppLink to="/personalCenter" className="font-semibold underline underline-offset-4">
              <Trans>Show my escrow address</Trans>
            </AppLink>
          </>
        ) : code === '5019' ? (
          <>
            {said}
            <Gap />
            <AppLink to="/fundRecord" className="font-semibold underline underline-offset-4">
              <Trans>Show what has to end</Trans>
            </AppLink>
          </>
        ) : (
          said
        )}
      </Notice>
    </div>
  )
}
