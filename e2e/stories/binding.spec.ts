import { randomBytes } from 'node:crypto'
import { units } from '../environment/chain.ts'
import { expect, test } from '../environment/stage.ts'
import { approve } from '../people/joining.ts'
import type { Person } from '../people/person.ts'
import { arrive, recharge } from '../people/quick.ts'

/** Withdraws a user's whole balance of the only coin that they have. */
async function withdraw(person: Person, amount: string): Promise<void> {
  await person.page.getByRole('button', { name: 'Withdraw', exact: true }).first().click()
  await person.fill('Security password', person.securityPassword)
  await person.tap(`Withdraw ${amount}`)
}

test('a user whose pass has another address binds it, and withdrawals go there', async ({
  bring,
  chain,
  environment,
}) => {
  const minjun = await bring()
  await arrive(minjun)
  const moved = `0x${randomBytes(20).toString('hex')}`
  await minjun.moveTo(moved)
  await recharge(minjun, 'MEC', '3')

  await test.step('a balance must be withdrawn first', async () => {
    await minjun.open('/personalCenter')
    await minjun.follow(/^Bound address/)
    await minjun.sees('Before you can change it')
    await expect(minjun.page.getByRole('button', { name: 'Bind the address of my pass' })).toBeHidden()
    await minjun.picture('binding-obstacles')
    const before = await chain.mec(minjun.address)
    await minjun.follow('Withdraw your coins and NFTs')
    await withdraw(minjun, '3 MEC')
    await expect.poll(async () => (await chain.mec(minjun.address)) - before).toBe(units('2.999', 18))
  })

  await test.step('then the pass and the security password bind the address, also after a reload', async () => {
    await minjun.open('/boundAddress')
    await approve(minjun, 'redirect', () => minjun.tap('Approve with the pass'))
    await minjun.sees('You’ve approved this with the pass.')
    await minjun.page.reload()
    await minjun.sees('You’ve approved this with the pass.')
    await minjun.fill('Security password', minjun.securityPassword)
    await minjun.picture('binding')
    await minjun.tap('Bind the address of my pass')
    await expect(minjun.page).toHaveURL(/\/personalCenter$/)
    await minjun.sees(/^Your account is on hold until/)
    await minjun.open('/boundAddress')
    await minjun.sees(moved)
    await minjun.mailedLink('Your bound address was changed')
  })

  await test.step('after the hold, what comes from the old address is withdrawn to the new one', async () => {
    await environment.letPass(24 * 60 + 1)
    await recharge(minjun, 'MEC', '2')
    await minjun.open('/fundRecord')
    await withdraw(minjun, '2 MEC')
    await expect.poll(async () => chain.mec(moved)).toBe(units('1.999', 18))
  })
})
