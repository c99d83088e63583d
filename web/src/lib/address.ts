/**
 * Catches addresses that cannot belong to the chain type. The server verifies checksums; this only saves a round trip.
 * Unknown chain types are left to the server.
 */
export function addressFault(chainType: string, address: string): boolean {
  if (address === '') return true
  if (/ERC20/i.test(chainType)) return !/^0x[0-9a-fA-F]{40}$/.test(address)
  if (/TRC20/i.test(chainType)) return !/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)
  return false
}

/** Whether the address carries a checksum: mixed case on EVM chains, the last four bytes on Tron, always. */
export function hasChecksum(chainType: string, address: string): boolean {
  if (/ERC20/i.test(chainType)) return /[a-f]/.test(address.slice(2)) && /[A-F]/.test(address.slice(2))
  return /TRC20/i.test(chainType)
}

/** How addresses of the chain type begin, as a placeholder. */
export function addressPrefix(chainType: string): string {
  if (/ERC20/i.test(chainType)) return '0x…'
  return /TRC20/i.test(chainType) ? 'T…' : ''
}
