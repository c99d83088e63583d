import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { isApiError, refusedField } from '@/api/envelope'
import { coinConfig } from '@/api/queries'
import { useExplained } from '@/command/useExplained'
import { addressFault, addressStart, hasChecksum } from '@/lib/address'
import { SelectField, TextField } from '@/ui/Field'

export interface Receiving {
  chainType: string
  address: string
}

/** Whether the two are complete enough to be sent; the server checks the address in full. */
export function receivingFault({ chainType, address }: Receiving): 'chain' | 'address' | null {
  if (chainType === '') return 'chain'
  return addressFault(chainType, address.trim()) ? 'address' : null
}

/** Whether a command was refused for its address, which is then said at the field. */
export function refusesAddress(error: unknown): boolean {
  return isApiError(error) && (error.code === '1015' || refusedField(error) === 'receivingAddress')
}

/** A USDT address with its chain type: the same characters on another chain are somebody else's. */
export function ReceivingFields({
  value,
  onChange,
  tried,
  refused,
}: {
  value: Receiving
  onChange: (value: Receiving) => void
  tried: boolean
  /** What the command with this address was refused with. */
  refused: unknown
}) {
  const { t } = useLingui()
  const config = useQuery(coinConfig)
  const chains = config.data?.chains ?? []
  const fault = tried ? receivingFault(value) : null
  const explained = useExplained(refusesAddress(refused) ? refused : null)
  // Its characters are those of an address, so it is the checksum among them that does not fit.
  const said =
    isApiError(refused) && refused.code === '1015' && hasChecksum(value.chainType, value.address.trim())
      ? t`This address contains a typo: its checksum doesn’t match. Copy it again from your wallet.`
      : explained
  return (
    <>
      <SelectField
        label={t`Chain`}
        value={value.chainType}
        placeholder={t`Choose a chain`}
        onChange={(chainType) => onChange({ ...value, chainType })}
        options={chains.map((one) => ({ value: one.chainType, label: one.name }))}
        error={fault === 'chain' ? t`Choose the chain your address is on.` : ''}
      />
      <TextField
        label={t`USDT address`}
        value={value.address}
        onChange={(address) => onChange({ ...value, address })}
        placeholder={addressStart(value.chainType)}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        error={fault === 'address' ? t`Enter a valid address for this chain.` : said}
        hint={t`Paste your address instead of typing it.`}
      />
    </>
  )
}
