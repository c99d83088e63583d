import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import type { Person } from './person.ts'

/** A row of a table, by the names of the columns. */
export type Row = Record<string, string>

/** A table that a user has downloaded. */
export interface Table {
  fileName: string
  columns: readonly string[]
  rows: readonly Row[]
}

/** Downloads the ended orders that the page shows. */
export async function downloadOrders({ page }: Person): Promise<Table> {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as a table (CSV)' }).click()
  const download = await downloading
  const text = await readFile(await download.path(), 'utf8')
  // Without the mark, spreadsheets don't read UTF-8.
  expect(text.startsWith('\uFEFF')).toBe(true)
  const [columns = [], ...cells] = parse(text.slice(1))
  const rows = cells.map((row) => {
    expect(row).toHaveLength(columns.length)
    return Object.fromEntries(columns.map((column, at) => [column, row[at] ?? '']))
  })
  return { fileName: download.suggestedFilename(), columns, rows }
}

/** Returns the cells of a table as RFC 4180 defines it: each row ends with CRLF, and cells with special characters are in quotes. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let end = 0
  for (const cell of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    const [whole, quoted, plain = '', separator] = cell
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    end += whole.length
    if (separator === ',') continue
    rows.push(row)
    row = []
  }
  if (end !== text.length || row.length > 0) throw new Error(`no table from character ${end} on:\n${text}`)
  return rows
}
