import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { isApiError, refusedField } from '@/api/envelope'
import { coinConfig } from '@/api/queries'
import { useErrorText } from '@/command/useErrorText'
import { addressFault, addressPrefix, hasChecksum } from '@/lib/address'
import { SelectField, TextField } from '@/ui/Field'

export interface ReceivingAddress {
  chainType: string
  address: string
}

/** Returns the field that is missing or malformed, if any. The server checks the address in full. */
export function receivingAddressFault({ chainType, address }: ReceivingAddress): 'chain' | 'address' | null {
  if (chainType === '') return 'chain'
  return addressFault(chainType, address.trim()) ? 'address' : null
}

/** Returns whether a command was refused because of its address. The field then shows the refusal. */
export function isAddressRefusal(error: unknown): boolean {
  return isApiError(error) && (error.code === '1015' || refusedField(error) === 'receivingAddress')
}

/** A USDT address with its chain type: the same characters on another chain belong to someone else. */
export function ReceivingAddressFields({
  value,
  onChange,
  tried,
  refused,
}: {
  value: ReceivingAddress
  onChange: (value: ReceivingAddress) => void
  tried: boolean
  /** The error of the command that sent this address. */
  refused: unknown
}) {
  const { t } = useLingui()
  const config = useQuery(coinConfig)
  const chains = config.data?.chains ?? []
  const fault = tried ? receivingAddressFault(value) : null
  const explained = useErrorText(isAddressRefusal(refused) ? refused : null, 'command')
  // The characters are valid, so the checksum is wrong.
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
        placeholder={addressPrefix(value.chainType)}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        error={fault === 'address' ? t`Enter a valid address for this chain.` : said}
        hint={t`Paste your address instead of typing it.`}
      />
    </>
  )
}
