import { methodColor, useMethodNames } from './methodNames'

/** Payment methods as short labels with a color bar. */
export function MethodLabels({ types }: { types: readonly string[] }) {
  const { method } = useMethodNames()
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {types.map((type) => (
        <li key={type} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`h-3.5 w-0.75 rounded-full ${methodColor(type)}`} />
          {method(type)}
        </li>
      ))}
    </ul>
  )
}
