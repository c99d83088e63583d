// Renders the OpenAPI document: calls by tag, with the types of their parameters, body and response.
'use strict'

const make = (tag, text, ...children) => {
  const element = document.createElement(tag)
  if (text) element.textContent = text
  element.append(...children)
  return element
}

const follow = (api, part) => {
  const [kind, name] = part?.$ref?.split('/').slice(-2) ?? []
  return name ? [name, api.components[kind][name]] : [null, part]
}

const shape = (api, given, indent = '', seen = []) => {
  const [name, schema] = follow(api, given)
  if (!schema) return 'nothing'
  if (name && seen.includes(name)) return name
  const inside = name ? [...seen, name] : seen
  const deeper = indent + '  '
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.oneOf ?? schema.anyOf
  if (choices) return choices.map((choice) => shape(api, choice, indent, inside)).join(' | ')
  if (schema.allOf) return schema.allOf.map((part) => shape(api, part, indent, inside)).join(' & ')
  if (schema.properties) {
    const lines = Object.entries(schema.properties).map(([field, value]) => {
      const about = follow(api, value)[1]?.description ?? value.description
      const comment = about ? `${deeper}// ${about.replaceAll('\n', ' ')}\n` : ''
      const optional = schema.required?.includes(field) ? '' : '?'
      return `${comment}${deeper}${field}${optional}: ${shape(api, value, deeper, inside)}`
    })
    return `{\n${lines.join('\n')}\n${indent}}`
  }
  if (schema.items) return `${shape(api, schema.items, indent, inside)}[]`
  if (typeof schema.additionalProperties === 'object') {
    return `{ [name]: ${shape(api, schema.additionalProperties, indent, inside)} }`
  }
  const kinds = [schema.type].flat().filter(Boolean)
  return kinds.length ? kinds.join(' | ') + (schema.format ? ` (${schema.format})` : '') : 'anything'
}

const parameters = (list) => {
  const rows = list.map((parameter) =>
    make('tr', '', make('td', parameter.name), make('td', parameter.in, ''), make('td', parameter.required ? 'required' : ''), make('td', parameter.description ?? '')),
  )
  return make('table', '', ...rows)
}

const call = (api, path, method, operation) => {
  const box = make('details', '')
  const summary = make('summary', '', make('b', method.toUpperCase()), make('code', path), ` ${operation.summary ?? ''}`)
  if (operation.security?.length) summary.append(' ', Object.assign(make('span', '· session'), { className: 'key' }))
  box.append(summary)
  box.addEventListener('toggle', () => {
    if (!box.open || box.dataset.drawn) return
    box.dataset.drawn = 'yes'
    if (operation.description) box.append(make('p', operation.description))
    if (operation.parameters?.length) box.append(make('h3', 'Parameters'), parameters(operation.parameters))
    const body = operation.requestBody?.content?.['application/json']?.schema
    if (body) box.append(make('h3', 'Body'), make('pre', shape(api, body)))
    for (const [status, given] of Object.entries(operation.responses ?? {})) {
      const [, response] = follow(api, given)
      box.append(make('h3', `${status} ${response.description ?? ''}`))
      const schema = response.content?.['application/json']?.schema
      if (schema) box.append(make('pre', shape(api, schema)))
    }
  })
  return box
}

const draw = (api, wanted) => {
  const groups = new Map()
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const tag = operation.tags?.[0] ?? 'other'
      const text = `${path} ${method} ${tag} ${operation.summary ?? ''}`.toLowerCase()
      if (!text.includes(wanted)) continue
      groups.set(tag, [...(groups.get(tag) ?? []), call(api, `/api${path}`, method, operation)])
    }
  }
  const drawn = [...groups].flatMap(([tag, calls]) => [make('h2', tag), ...calls])
  document.getElementById('calls').replaceChildren(...(drawn.length ? drawn : [make('p', 'Nothing found.')]))
}

const start = async () => {
  const api = await (await fetch('/api/openapi.json')).json()
  document.getElementById('about').textContent = api.info.description
  const find = document.getElementById('find')
  find.addEventListener('input', () => draw(api, find.value.trim().toLowerCase()))
  draw(api, '')
}

start().catch((error) => document.getElementById('calls').replaceChildren(make('p', `The document did not load: ${error.message}`)))
