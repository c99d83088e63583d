import { expect, test } from '../environment/stage.ts'
import { approve, startOver } from '../people/joining.ts'
import type { Person } from '../people/person.ts'
import { arrive } from '../people/quick.ts'

async function choosePassword(person: Person, password: string): Promise<void> {
  await person.fill('New password', password)
  await person.fill('Confirm password', password)
  await person.picture('reset-password')
  await person.tap('Reset password')
  await person.sees('Password reset')
  await person.picture('password-reset')
}

/** Logs in from the page that says that the password was reset. No device is known any more, so this takes a slide check. */
async function logIn(person: Person, password: string): Promise<void> {
  await person.follow('Log in')
  await person.fill('Email', person.email)
  await person.fill('Password', password)
  await person.slide(() => person.tap('Log in'))
  await expect(person.page).toHaveURL(`${person.environment.product}/`)
}

for (const screen of ['phone', 'desktop'] as const) {
  test(`a user who forgot the password gets back in, by email and with the pass (${screen})`, async ({
    bring,
    environment,
  }) => {
    const minjun = await bring(screen)
    await arrive(minjun)

    await test.step('with a code by email', async () => {
      await minjun.open('/')
      await startOver(minjun)
      await minjun.open('/login')
      await minjun.follow('Forgot password?')
      await minjun.fill('Email of your account', minjun.email)
      await minjun.picture('forgot')
      const before = await environment.newestCode(minjun.email)
      await minjun.slide(() => minjun.tap('Send code'))
      await expect(minjun.page).toHaveURL(/\/resetPassword$/)
      await minjun.fill('Email verification code', await minjun.mailedCode(before))
      await choosePassword(minjun, 'Rainy-Day 43')
      await logIn(minjun, 'Rainy-Day 43')
    })

    await test.step('the account is on hold, and its owner is told', async () => {
      await minjun.open('/personalCenter')
      await minjun.sees(/^Your account is on hold until/)
      await minjun.picture('personal-center-held')
    })

    await test.step('with the pass, without the mailbox', async () => {
      await startOver(minjun)
      await minjun.open('/forgot')
      await minjun.fill('Email of your account', minjun.email)
      await approve(minjun, screen === 'phone' ? 'redirect' : 'scan', () => minjun.tap('Use your pass'))
      await minjun.sees('You’ve approved this with the pass.')
      await choosePassword(minjun, 'Windy-Day 44')
      await logIn(minjun, 'Windy-Day 44')
    })
  })
}

test('a user changes what protects the account, and logs out elsewhere', async ({ bring, environment }) => {
  const minjun = await bring()
  await arrive(minjun)

  await test.step('another device is logged out', async () => {
    const other = await minjun.elsewhere()
    await other.open('/login')
    await other.fill('Email', minjun.email)
    await other.fill('Password', minjun.password)
    await other.slide(() => other.tap('Log in'))
    await expect(other.page).toHaveURL(`${environment.product}/`)
    await minjun.open('/sessions')
    await minjun.picture('sessions')
    await minjun.tap('Log out elsewhere')
    await expect(minjun.page.getByRole('button', { name: 'Log out elsewhere' })).toBeHidden()
    await expect(other.page).toHaveURL(/\/login/)
    await other.page.context().close()
  })

  await test.step('the security password is reset with a code by email', async () => {
    await minjun.open('/updateSecurityPassword')
    await minjun.tap('Use a code by email')
    const before = await environment.newestCode(minjun.email)
    await minjun.tap('Send code')
    await minjun.fill('Email verification code', await minjun.mailedCode(before))
    await minjun.fill('New security password', 'other coins know 8')
    await minjun.fill('Confirm security password', 'other coins know 8')
    await minjun.picture('security-password-by-code')
    await minjun.tap('Save')
    await minjun.sees('Security password changed')
  })

  await test.step('during the hold, the mailbox no longer resets it', async () => {
    await minjun.open('/updateSecurityPassword')
    await expect(minjun.page.getByRole('button', { name: 'Use your pass' })).toBeVisible()
    await expect(minjun.page.getByRole('button', { name: 'Use a code by email' })).toBeHidden()
  })

  await test.step('the login password and the email address are changed', async () => {
    await minjun.open('/updatePassword')
    await minjun.fill('Current password', minjun.password)
    await minjun.fill('New password', 'Rainy-Day 43')
    await minjun.fill('Confirm password', 'Rainy-Day 43')
    await minjun.picture('update-password')
    await minjun.tap('Change password')
    await expect(minjun.page).toHaveURL(/\/personalCenter/)
    const email = `new-${minjun.email}`
    await minjun.open('/updateEmail')
    await minjun.fill('New email', email)
    await minjun.tap('Send code')
    await expect.poll(() => environment.newestCode(email)).toBeDefined()
    await minjun.fill('Email verification code', (await environment.newestCode(email)) ?? '')
    await minjun.fill('Security password', 'other coins know 8')
    await minjun.picture('update-email')
    await minjun.tap('Change email')
    await expect(minjun.page).toHaveURL(/\/personalCenter/)
    await minjun.sees(email)
  })
})
