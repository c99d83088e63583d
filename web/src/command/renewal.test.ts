import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pauseMs, Renewal } from './renewal'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The machine in a world that the test makes; `random` is 1 but for a hair, so that each pause is the longest. */
function renewing() {
  const world = { waits: true, awake: true, renewed: 0 }
  const probes: { ended: boolean; answer: (any: boolean) => Promise<void> }[] = []
  const renewal = new Renewal({
    waits: () => world.waits,
    awake: () => world.awake,
    answers: (signal) =>
      new Promise((resolve) => {
        const probe = {
          ended: false,
          answer: async (any: boolean) => {
            probe.ended = true
            resolve(any)
            await vi.advanceTimersByTimeAsync(0)
          },
        }
        signal.addEventListener('abort', () => void probe.answer(false))
        probes.push(probe)
      }),
    renew: async () => {
      world.renewed += 1
    },
    random: () => 1,
  })
  return { world, probes, renewal, open: () => probes.filter((one) => !one.ended).length }
}

test('the pauses grow to half a minute, and no two browsers need make the same', () => {
  expect([0, 1, 2, 3, 4, 5, 40].map((failures) => pauseMs(failures, 1))).toEqual([
    2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ])
  expect(pauseMs(2, 0)).toBe(4_000)
  expect(pauseMs(2, 0.5)).toBe(6_000)
})

test('one question at a time, after ever longer pauses, however often anything changes', async () => {
  const { probes, renewal, open } = renewing()
  for (const [index, pause] of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    renewal.look()
    renewal.look()
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(probes).toHaveLength(index)
    await vi.advanceTimersByTimeAsync(1)
    renewal.look()
    expect(probes).toHaveLength(index + 1)
    // It hangs: nothing else is asked.
    await vi.advanceTimersByTimeAsync(120_000)
    expect([probes.length, open()]).toEqual([index + 1, 1])
    await probes[index]?.answer(false)
  }
})

test('when somebody answers, what waits is asked for; when it has come, the next time begins anew', async () => {
  const { world, probes, renewal } = renewing()
  renewal.look()
  await vi.advanceTimersByTimeAsync(2_000)
  await probes[0]?.answer(false)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(world.renewed).toBe(0)
  // It answers, and still fails: the pauses go on growing.
  await probes[1]?.answer(true)
  expect(world.renewed).toBe(1)
  await vi.advanceTimersByTimeAsync(7_999)
  expect(probes).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  world.waits = false
  await probes[2]?.answer(true)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probes).toHaveLength(3)
  world.waits = true
  renewal.look()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(probes).toHaveLength(4)
})

test('the network being back asks at once, instead of the question that hangs, and begins anew', async () => {
  const { probes, renewal, open } = renewing()
  renewal.look()
  for (const pause of [2_000, 4_000, 8_000]) {
    await vi.advanceTimersByTimeAsync(pause)
    if (pause < 8_000) await probes.at(-1)?.answer(false)
  }
  renewal.wake()
  expect([probes.length, open()]).toEqual([4, 1])
  await probes[3]?.answer(false)
  await vi.advanceTimersByTimeAsync(3_999)
  expect(probes).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(1)
  expect(probes).toHaveLength(5)
})

test('nobody looks, nobody asks; whoever looks again is asked for at once', async () => {
  const { world, probes, renewal } = renewing()
  renewal.look()
  world.awake = false
  await vi.advanceTimersByTimeAsync(120_000)
  renewal.look()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probes).toHaveLength(0)
  world.awake = true
  renewal.wake()
  expect(probes).toHaveLength(1)
})

test('what is not missing is not asked for', async () => {
  const { world, probes, renewal } = renewing()
  world.waits = false
  renewal.look()
  renewal.wake()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probes).toHaveLength(0)
})
