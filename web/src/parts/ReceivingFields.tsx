import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { coinConfig } from '@/api/queries'
import { addressFault, addressStart } from '@/lib/address'
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

/** A USDT address with its chain type: the same characters on another chain are somebody else's. */
export function ReceivingFields({
  value,
  onChange,
  tried,
}: {
  value: Receiving
  onChange: (value: Receiving) => void
  tried: boolean
}) {
  const { t } = useLingui()
  const config = useQuery(coinConfig)
  const chains = config.data?.chains ?? []
  const fault = tried ? receivingFault(value) : null
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
        error={fault === 'address' ? t`Enter a valid address on this chain.` : ''}
        hint={t`Paste it rather than typing it.`}
      />
    </>
  )
}
