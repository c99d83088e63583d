let context: AudioContext | null = null

/** Enables sound at the first user gesture, as browsers require. Returns a function that stops waiting. */
export function unlockSound(): () => void {
  const unlock = () => {
    context ??= new AudioContext()
    void context.resume()
  }
  addEventListener('pointerdown', unlock, { once: true })
  return () => removeEventListener('pointerdown', unlock)
}

/** Plays two short notes and, where supported, vibrates. Sound must never be the only signal. */
export function playSound(): void {
  navigator.vibrate?.([120, 60, 120])
  if (context?.state !== 'running') return
  const start = context.currentTime
  for (const [index, pitch] of [660, 880].entries()) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    const at = start + index * 0.18
    tone.frequency.value = pitch
    volume.gain.setValueAtTime(0.0001, at)
    volume.gain.exponentialRampToValueAtTime(0.25, at + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.32)
    tone.connect(volume).connect(context.destination)
    tone.start(at)
    tone.stop(at + 0.34)
  }
}
