import { expect, test } from 'vitest'
import { clampPosition, fitsBeside, readPosition } from './floatingPosition'

const phone = { width: 390, height: 844 }

test('the button stays on the screen however far it is dragged', () => {
  expect(clampPosition({ x: -50, y: -50 }, phone)).toEqual({ x: 12, y: 60 })
  expect(clampPosition({ x: 9999, y: 9999 }, phone)).toEqual({ x: 322, y: 624 })
  expect(clampPosition({ x: 100, y: 300 }, phone)).toEqual({ x: 100, y: 300 })
})

test('the button returns to its saved position, also on a smaller screen', () => {
  expect(readPosition('{"x":100,"y":300}', phone)).toEqual({ x: 100, y: 300 })
  expect(readPosition('{"x":1000,"y":300}', phone)).toEqual({ x: 322, y: 300 })
})

test.each([null, 'broken', '[]', '{"x":"1","y":2}', '{"x":null,"y":1}'])(
  'saved position %s falls back to the edge',
  (stored) => {
    expect(readPosition(stored, phone)).toEqual({ x: 322, y: 624 })
  },
)

test('on a wide screen, the button fits beside the column', () => {
  expect([790, 800].map((width) => fitsBeside({ width, height: 800 }))).toEqual([false, true])
  expect(readPosition(null, { width: 900, height: 800 })).toEqual({ x: 782, y: 580 })
})

test('on a desktop, the button is at the edge unless it fits beside all columns', () => {
  expect([1024, 1280, 1430, 1440].map((width) => fitsBeside({ width, height: 800 }))).toEqual([
    false,
    false,
    false,
    true,
  ])
})
