import { parse } from './money'

/** A transfer of a native coin, or of an ERC-20 token by its contract. */
export interface Transfer {
  address: string
  chainId: number
  contract: string | null
  decimals: number
}

interface Eip1193 {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

export interface WalletProvider {
  id: string
  name: string
  provider: Eip1193
}

/** Converts a decimal amount to base units. Returns `null` if it has too many decimals. */
export function baseUnits(amount: string, decimals: number): bigint {
  const read = parse(amount)
  const units = read?.times(`1e${decimals}`)
  if (units === undefined || units.lt(0) || !units.eq(units.round(0, 0)))
    throw new RangeError(`not an amount: ${amount}`)
  return BigInt(units.toFixed(0))
}

const hex = (value: bigint | number) => `0x${value.toString(16)}`
const word = (digits: string) => digits.padStart(64, '0')

/** Returns the EIP-681 URI for the QR code of a mobile wallet. */
export function paymentUri(transfer: Transfer, amount: string): string {
  const units = baseUnits(amount, transfer.decimals)
  return transfer.contract === null
    ? `ethereum:${transfer.address}@${transfer.chainId}?value=${units}`
    : `ethereum:${transfer.contract}@${transfer.chainId}/transfer?address=${transfer.address}&uint256=${units}`
}

/** Returns the transaction of a transfer: a plain value, or a call of the token's `transfer(address,uint256)`. */
export function transaction(
  transfer: Transfer,
  amount: string,
): { to: string; value: string; data?: string } {
  const units = baseUnits(amount, transfer.decimals)
  if (transfer.contract === null) return { to: transfer.address, value: hex(units) }
  const to = word(transfer.address.slice(2).toLowerCase())
  return { to: transfer.contract, value: '0x0', data: `0xa9059cbb${to}${word(units.toString(16))}` }
}

/**
 * Returns the transaction that moves an NFT: a call of `safeTransferFrom(address,address,uint256)`, which fails instead of losing the
 * NFT if the address could not handle it.
 */
export function nftTransaction(
  { address, contract }: Transfer,
  nftId: string,
  from: string,
): { to: string; value: string; data: string } {
  if (contract === null || !/^\d+$/.test(nftId)) throw new RangeError(`not an NFT: ${nftId}`)
  const [giver, taker] = [from, address].map((one) => word(one.slice(2).toLowerCase()))
  return {
    to: contract,
    value: '0x0',
    data: `0x42842e0e${giver}${taker}${word(BigInt(nftId).toString(16))}`,
  }
}

function announced(event: Event): WalletProvider | null {
  if (!(event instanceof CustomEvent)) return null
  const detail: unknown = event.detail
  if (typeof detail !== 'object' || detail === null || !('info' in detail) || !('provider' in detail))
    return null
  const { info, provider } = detail
  if (typeof info !== 'object' || info === null || !('uuid' in info) || !('name' in info)) return null
  if (typeof provider !== 'object' || provider === null || !('request' in provider)) return null
  const { request } = provider
  if (typeof info.uuid !== 'string' || typeof info.name !== 'string' || typeof request !== 'function')
    return null
  const call: Eip1193['request'] = (asked) => Promise.resolve(request.call(provider, asked))
  return { id: info.uuid, name: info.name, provider: { request: call } }
}

/** Asks the browser's wallets to announce themselves (EIP-6963). Returns a function that stops listening. */
export function discoverWallets(found: (wallets: readonly WalletProvider[]) => void): () => void {
  const known = new Map<string, WalletProvider>()
  const listen = (event: Event) => {
    const wallet = announced(event)
    if (wallet === null || known.has(wallet.id)) return
    known.set(wallet.id, wallet)
    found(Array.from(known.values()))
  }
  addEventListener('eip6963:announceProvider', listen)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', listen)
}

/** Asks the wallet to send an amount, or an NFT, and returns the transaction's hash. The platform itself only watches the chain. */
export async function sendFromWallet(
  { provider }: WalletProvider,
  transfer: Transfer,
  amount: string,
  nftId: string | null = null,
): Promise<string> {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  const from = String(Array.isArray(accounts) ? accounts[0] : '')
  const sends = nftId === null ? transaction(transfer, amount) : nftTransaction(transfer, nftId, from)
  await provider.request({
    method: 'wallet_switchEthereumChain',
    params: [{ chainId: hex(transfer.chainId) }],
  })
  const sent = await provider.request({
    method: 'eth_sendTransaction',
    params: [{ from, ...sends }],
  })
  return String(sent)
}
