/**
 * Returns whether an address cannot belong to the chain type. This only saves a round trip: the server verifies
 * checksums, and addresses of unknown chain types.
 */
export function addressFault(chainType: string, address: string): boolean {
  if (address === '') return true
  if (/ERC20/i.test(chainType)) return !/^0x[0-9a-fA-F]{40}$/.test(address)
  if (/TRC20/i.test(chainType)) return !/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)
  return false
}

/** Returns whether an address has a checksum: EVM addresses in mixed case do, and all Tron addresses. */
export function hasChecksum(chainType: string, address: string): boolean {
  if (/ERC20/i.test(chainType)) return /[a-f]/.test(address.slice(2)) && /[A-F]/.test(address.slice(2))
  return /TRC20/i.test(chainType)
}

/** Returns the beginning of addresses of the chain type, as a placeholder. */
export function addressPrefix(chainType: string): string {
  if (/ERC20/i.test(chainType)) return '0x…'
  return /TRC20/i.test(chainType) ? 'T…' : ''
}
