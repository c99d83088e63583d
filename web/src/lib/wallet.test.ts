import { expect, test } from 'vitest'
import { baseUnits, nftTransaction, paymentUri, sendFromWallet, transaction } from './wallet'

const native = {
  address: '0x4C6f1a2E9bD03f57A81c09De6B2f45A7731E90cD',
  chainId: 31337,
  contract: null,
  decimals: 18,
}
const token = { ...native, contract: '0x55d398326f99059fF775485246999027B3197955', decimals: 6 }

test('amounts convert to base units exactly, or are refused', () => {
  expect(baseUnits('0.000000000000000001', 18)).toBe(1n)
  expect(baseUnits('48.18', 6)).toBe(48_180_000n)
  expect(() => baseUnits('0.0000001', 6)).toThrow(RangeError)
  expect(() => baseUnits('-1', 6)).toThrow(RangeError)
  expect(() => baseUnits('', 6)).toThrow(RangeError)
})

test('the QR code is an EIP-681 request', () => {
  expect(paymentUri(native, '1.5')).toBe(`ethereum:${native.address}@31337?value=1500000000000000000`)
  expect(paymentUri(token, '48.18')).toBe(
    `ethereum:${token.contract}@31337/transfer?address=${native.address}&uint256=48180000`,
  )
})

test('a token transfer calls the contract with padded arguments', () => {
  const { to, value, data } = transaction(token, '1')
  expect({ to, value }).toEqual({ to: token.contract, value: '0x0' })
  expect(data).toBe(
    '0xa9059cbb' +
      '0000000000000000000000004c6f1a2e9bd03f57a81c09de6b2f45a7731e90cd' +
      '00000000000000000000000000000000000000000000000000000000000f4240',
  )
})

test('the wallet receives the account, chain and transaction requests in this order', async () => {
  const calls: { method: string; params?: readonly unknown[] }[] = []
  const request = async (call: { method: string; params?: readonly unknown[] }) => {
    calls.push(call)
    return call.method === 'eth_requestAccounts' ? ['0xme'] : '0xhash'
  }
  expect(await sendFromWallet({ id: 'w', name: 'W', provider: { request } }, native, '1')).toBe('0xhash')
  expect(calls.map((call) => call.method)).toEqual([
    'eth_requestAccounts',
    'wallet_switchEthereumChain',
    'eth_sendTransaction',
  ])
  expect(calls[1]?.params).toEqual([{ chainId: '0x7a69' }])
  expect(calls[2]?.params).toEqual([{ from: '0xme', to: native.address, value: '0xde0b6b3a7640000' }])
})

test('an NFT is moved by its contract from the account of the wallet', async () => {
  const from = '0x91f3B07E6d2A54c8E19B03dF7a6C58e24B0d71Fa'
  const largest = `${2n ** 256n - 1n}`
  expect(nftTransaction(token, largest, from)).toEqual({
    to: token.contract,
    value: '0x0',
    data:
      // The account, the vault and the number, each as long as a word.
      `0x42842e0e${'0'.repeat(24)}91f3b07e6d2a54c8e19b03df7a6c58e24b0d71fa${'0'.repeat(24)}4c6f1a2e9bd03f57a81c09de6b2f45a7731e90cd${'f'.repeat(64)}`,
  })
  expect(() => nftTransaction(native, '1', from)).toThrow(RangeError)
  expect(() => nftTransaction(token, '0x1', from)).toThrow(RangeError)
  const sent: unknown[] = []
  const request = async ({ method, params }: { method: string; params?: readonly unknown[] }) => {
    if (method === 'eth_sendTransaction') sent.push(params?.[0])
    return method === 'eth_requestAccounts' ? [from] : '0xhash'
  }
  await sendFromWallet({ id: 'w', name: 'W', provider: { request } }, token, '1', '17')
  expect(sent).toEqual([{ from, ...nftTransaction(token, '17', from) }])
})
