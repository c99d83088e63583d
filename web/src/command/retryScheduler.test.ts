import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RetryScheduler, retryDelayMs } from './retryScheduler'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a scheduler in a simulated environment. `random` is almost 1, so each delay is the longest possible. */
function scheduler() {
  const world = { waits: true, awake: true, renewed: 0 }
  const probes: { ended: boolean; answer: (any: boolean) => Promise<void> }[] = []
  const retries = new RetryScheduler({
    hasFailed: () => world.waits,
    isActive: () => world.awake,
    probe: (signal) =>
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
    refetch: async () => {
      world.renewed += 1
    },
    random: () => 1,
  })
  return { world, probes, retries, open: () => probes.filter((one) => !one.ended).length }
}

test('retry delays grow to 30 seconds and vary between browsers', () => {
  expect([0, 1, 2, 3, 4, 5, 40].map((failures) => retryDelayMs(failures, 1))).toEqual([
    2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
  ])
  expect(retryDelayMs(2, 0)).toBe(4_000)
  expect(retryDelayMs(2, 0.5)).toBe(6_000)
})

test('one probe runs at a time, after growing delays, however often a retry is scheduled', async () => {
  const { probes, retries, open } = scheduler()
  for (const [index, pause] of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    retries.schedule()
    retries.schedule()
    await vi.advanceTimersByTimeAsync(pause - 1)
    expect(probes).toHaveLength(index)
    await vi.advanceTimersByTimeAsync(1)
    retries.schedule()
    expect(probes).toHaveLength(index + 1)
    // While a probe hangs, no other probe is sent.
    await vi.advanceTimersByTimeAsync(120_000)
    expect([probes.length, open()]).toEqual([index + 1, 1])
    await probes[index]?.answer(false)
  }
})

test('a successful probe refetches the waiting queries, and delays restart once they succeed', async () => {
  const { world, probes, retries } = scheduler()
  retries.schedule()
  await vi.advanceTimersByTimeAsync(2_000)
  await probes[0]?.answer(false)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(world.renewed).toBe(0)
  // The probe succeeds and the queries still fail: delays keep growing.
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
  retries.schedule()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(probes).toHaveLength(4)
})

test('retryNow replaces a hanging probe at once and restarts the delays', async () => {
  const { probes, retries, open } = scheduler()
  retries.schedule()
  for (const pause of [2_000, 4_000, 8_000]) {
    await vi.advanceTimersByTimeAsync(pause)
    if (pause < 8_000) await probes.at(-1)?.answer(false)
  }
  retries.retryNow()
  expect([probes.length, open()]).toEqual([4, 1])
  await probes[3]?.answer(false)
  await vi.advanceTimersByTimeAsync(3_999)
  expect(probes).toHaveLength(4)
  await vi.advanceTimersByTimeAsync(1)
  expect(probes).toHaveLength(5)
})

test('a hidden page sends no probes, and sends one at once when it is visible again', async () => {
  const { world, probes, retries } = scheduler()
  retries.schedule()
  world.awake = false
  await vi.advanceTimersByTimeAsync(120_000)
  retries.schedule()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probes).toHaveLength(0)
  world.awake = true
  retries.retryNow()
  expect(probes).toHaveLength(1)
})

test('no probe is sent if no query is waiting', async () => {
  const { world, probes, retries } = scheduler()
  world.waits = false
  retries.schedule()
  retries.retryNow()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(probes).toHaveLength(0)
})
