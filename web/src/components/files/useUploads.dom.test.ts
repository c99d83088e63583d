import { act, renderHook, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { upload } from '@/api/upload'
import * as pictures from '@/lib/picture'
import { useUploads } from './useUploads'

vi.mock('@/api/upload')

const picture = (name: string) => new File(['x'], name, { type: 'image/png' })
/** The previews that are in memory. */
const previews = new Set<string>()

beforeEach(() => {
  previews.clear()
  let number = 0
  // Not in jsdom.
  URL.createObjectURL = () => {
    number += 1
    previews.add(`blob:${number}`)
    return `blob:${number}`
  }
  URL.revokeObjectURL = (address) => {
    previews.delete(address)
  }
  vi.spyOn(pictures, 'acceptablePicture').mockImplementation(async (file) => file)
  vi.mocked(upload).mockReturnValue(new Promise(() => {}))
})

test('a file that is removed while it is prepared is not uploaded', async () => {
  let prepared: () => void = () => {}
  vi.spyOn(pictures, 'acceptablePicture').mockImplementation(
    (file) =>
      new Promise((resolve) => {
        prepared = () => resolve(file)
      }),
  )
  const { result } = renderHook(() => useUploads(5))
  act(() => result.current.add([picture('a')]))
  act(() => result.current.remove(result.current.items[0]?.key ?? ''))
  expect(previews).toEqual(new Set())
  await act(async () => prepared())
  expect(upload).not.toHaveBeenCalled()
  expect(result.current.items).toEqual([])
})

test('the previews are freed with the page', async () => {
  const { result, unmount } = renderHook(() => useUploads(5))
  act(() => result.current.add([picture('a'), picture('b')]))
  await waitFor(() => expect(upload).toHaveBeenCalledTimes(2))
  expect(previews.size).toBe(2)
  unmount()
  expect(previews).toEqual(new Set())
})

test('files that are added before the next render are all kept, up to the limit', () => {
  const { result } = renderHook(() => useUploads(3))
  act(() => {
    result.current.add([picture('a'), picture('b')])
    result.current.add([picture('c'), picture('d')])
  })
  expect(result.current.items.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(previews.size).toBe(3)
})
