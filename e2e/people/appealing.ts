import { expect, type Page } from '@playwright/test'
import type { Person } from './person.ts'

/** Adds a picture to the first field for files on the page. */
export async function addPicture(page: Page, name: string): Promise<void> {
  const buffer = await page.screenshot()
  await page
    .getByLabel('Add a picture', { exact: true })
    .first()
    .setInputFiles({ name, mimeType: 'image/png', buffer })
  await expect(page.getByText('1 of 1 uploaded').first()).toBeAttached()
}

/** Files an appeal from the open page of an order, with a picture as evidence. */
export async function fileAppeal(person: Person, reason: string): Promise<void> {
  await person.follow('Appeal')
  await person.page.getByRole('radio', { name: reason }).check()
  await addPicture(person.page, 'statement.png')
  await person.picture('appeal-form')
  await person.tap('Submit appeal')
  await person.seesHeading('Waiting for an officer’s decision')
}
