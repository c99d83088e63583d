/** Returns a time in the form of an input of type `datetime-local`, in the time zone of this device. */
export function toLocalInput(ms: number): string {
  const at = new Date(ms)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** Returns the value of such an input in ISO 8601, or null if it is empty or no time. */
export function fromLocalInput(text: string): string | null {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}
