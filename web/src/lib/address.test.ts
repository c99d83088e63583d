import { expect, test } from 'vitest'
import { addressFault, hasChecksum } from './address'

test.each([
  ['ERC20', '0x55d398326f99059fF775485246999027B3197955', false],
  ['ERC20', '0x55d398326f99059fF775485246999027B319795', true],
  ['ERC20', 'TJYeasTPa6gpEEfYqo2WAvrzNTJc9gE8xX', true],
  ['TRC20', 'TJYeasTPa6gpEEfYqo2WAvrzNTJc9gE8xX', false],
  ['TRC20', 'TJYeasTPa6gpEEfYqo2WAvrzNTJc9gE80O', true],
  ['TRC20', '', true],
  ['BEP20-like of tomorrow', 'anything', false],
])('%s address %s is faulty: %s', (chainType, address, fault) => {
  expect(addressFault(chainType, address)).toBe(fault)
})

test.each([
  ['ERC20', '0x55d398326f99059fF775485246999027B3197955', true],
  ['ERC20', '0x55d398326f99059ff775485246999027b3197955', false],
  ['TRC20', 'TJYeasTPa6gpEEfYqo2WAvrzNTJc9gE8xX', true],
  ['BEP20-like of tomorrow', 'anything', false],
])('%s address %s has a checksum: %s', (chainType, address, carried) => {
  expect(hasChecksum(chainType, address)).toBe(carried)
})
