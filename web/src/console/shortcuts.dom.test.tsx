import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { isTyping, useShortcuts } from './shortcuts'

function Form({ shortcuts }: { shortcuts: Readonly<Record<string, () => void>> }) {
  useShortcuts(shortcuts)
  return (
    <>
      <input type="radio" aria-label="radio" />
      <input type="checkbox" aria-label="checkbox" />
      <input type="search" aria-label="search" />
      <input aria-label="text" />
      <textarea aria-label="area" />
      <select aria-label="select" />
    </>
  )
}

test('letters are shortcuts after a click on a radio or a checkbox, and text where one types', () => {
  const decide = vi.fn()
  render(<Form shortcuts={{ d: decide }} />)
  for (const [name, typed] of [
    ['radio', false],
    ['checkbox', false],
    ['search', true],
    ['text', true],
    ['area', true],
    ['select', true],
  ] as const) {
    const field = screen.getByLabelText(name)
    expect(isTyping(field), name).toBe(typed)
    decide.mockClear()
    fireEvent.keyDown(field, { key: 'd' })
    expect(decide, name).toHaveBeenCalledTimes(typed ? 0 : 1)
  }
})

test('arrow keys still move within a group of radios where they are shortcuts elsewhere', () => {
  const next = vi.fn()
  render(<Form shortcuts={{ ArrowDown: next, Enter: next }} />)
  // An event whose default is prevented does not move the choice.
  expect(fireEvent.keyDown(screen.getByLabelText('radio'), { key: 'ArrowDown' })).toBe(true)
  expect(next).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'ArrowDown' })
  expect(next).toHaveBeenCalledTimes(1)
})
