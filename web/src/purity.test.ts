import { relative, resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/**
 * The React Compiler memoizes render. A component or hook that reads a clock, storage or the document, directly or through
 * functions that it calls, reads it once and shows that value forever. Such values must reach render as state: `useNow`,
 * `useSyncExternalStore`, a store's hook. The linter sees only reads in the component itself; this test follows calls.
 */
const SRC = resolve(import.meta.dirname)

/** Globals whose changes do not trigger a render. */
const GLOBALS = new Set([
  'caches',
  'document',
  'globalThis',
  'history',
  'innerHeight',
  'innerWidth',
  'localStorage',
  'location',
  'matchMedia',
  'navigator',
  'performance',
  'screen',
  'scrollX',
  'scrollY',
  'self',
  'sessionStorage',
  'visualViewport',
  'window',
])
const MEMBERS = new Set(['Date.now', 'Math.random', 'crypto.getRandomValues', 'crypto.randomUUID'])
/** Methods that read a store without its hook. */
const METHODS = new Set(['getQueryData', 'getQueryState', 'getState', 'isOnline'])
/** Functions that run their callbacks during the call. */
const RUNS = new Set([
  'every',
  'filter',
  'find',
  'findIndex',
  'flatMap',
  'forEach',
  'from',
  'map',
  'reduce',
  'some',
  'sort',
  'toSorted',
  'useMemo',
])

type Callable = ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration

function isCallable(node: ts.Node): node is Callable {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node)
  )
}

function lastName(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text
  return ts.isIdentifier(callee) ? callee.text : ''
}

class Reader {
  readonly #checker: ts.TypeChecker
  readonly #known = new Map<Callable, string | null>()

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker
  }

  /** Returns the first impure read of a function, as a path of calls, or null if there is none. */
  reads(callable: Callable): string | null {
    const known = this.#known.get(callable)
    if (known !== undefined) return known
    // Recursion adds no reads.
    this.#known.set(callable, null)
    let found: string | null = null
    for (const part of [...callable.parameters, callable.body]) {
      if (part !== undefined) found ??= this.#within(part)
    }
    this.#known.set(callable, found)
    return found
  }

  #within(node: ts.Node): string | null {
    if (ts.isTypeNode(node)) return null
    if (isCallable(node)) return this.#runsNow(node) ? this.reads(node) : null
    return this.#itself(node) ?? ts.forEachChild(node, (child) => this.#within(child) ?? undefined) ?? null
  }

  #runsNow(node: Callable): boolean {
    const { parent } = node
    if (!ts.isCallExpression(parent)) return false
    return parent.expression === node || RUNS.has(lastName(parent.expression))
  }

  #itself(node: ts.Node): string | null {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && node.arguments?.length === 0)
      return 'new Date()'
    if (ts.isPropertyAccessExpression(node) && MEMBERS.has(node.getText())) return node.getText()
    if (ts.isIdentifier(node) && GLOBALS.has(node.text) && this.#isGlobal(node)) return node.text
    if (!ts.isCallExpression(node)) return null
    const name = lastName(node.expression)
    if (METHODS.has(name)) return `${name}()`
    for (const target of this.#targets(node.expression)) {
      const deeper = this.reads(target)
      if (deeper !== null) return `${name}() → ${deeper}`
    }
    return null
  }

  #isGlobal(node: ts.Identifier): boolean {
    const { parent } = node
    if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false
    const symbol = this.#checker.getSymbolAtLocation(node)
    return symbol?.declarations?.every((one) => one.getSourceFile().isDeclarationFile) === true
  }

  /** Returns the functions of this app that a callee refers to, without hooks, which are checked separately. */
  #targets(callee: ts.Expression): Callable[] {
    if (/^use[A-Z]/.test(lastName(callee))) return []
    const symbol = this.#checker.getSymbolAtLocation(
      ts.isPropertyAccessExpression(callee) ? callee.name : callee,
    )
    if (symbol === undefined) return []
    const meant = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    return (meant.declarations ?? []).flatMap((declared): Callable[] => {
      if (isCallable(declared)) return [declared]
      if (!ts.isVariableDeclaration(declared) && !ts.isPropertyAssignment(declared)) return []
      const { initializer } = declared
      return initializer !== undefined && isCallable(initializer) ? [initializer] : []
    })
  }
}

function renders(file: ts.SourceFile): [name: string, callable: Callable][] {
  const found: [string, Callable][] = []
  const visit = (node: ts.Node) => {
    if (isCallable(node)) {
      const named = ts.isVariableDeclaration(node.parent)
        ? node.parent.name.getText()
        : (node.name?.getText() ?? '')
      if (/^(?:use)?[A-Z]/.test(named)) found.push([named, node])
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function program(): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(
    resolve(SRC, '../tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  )
  return ts.createProgram(config?.fileNames ?? [], config?.options ?? {})
}

test('rendering reads no state that React cannot track', { timeout: 120_000 }, () => {
  const all = program()
  const reader = new Reader(all.getTypeChecker())
  const files = all
    .getSourceFiles()
    .filter((file) => file.fileName.startsWith(`${SRC}/`) && !/\.test\.tsx?$|\.d\.ts$/.test(file.fileName))
  const judged = files.flatMap((file) =>
    renders(file).map(([name, callable]) => ({ file, name, read: reader.reads(callable) })),
  )
  expect(judged.length).toBeGreaterThan(150)
  expect(judged.map((one) => one.name)).toContain('Countdown')
  const wrong = judged.flatMap(({ file, name, read }) =>
    read === null ? [] : [`${relative(SRC, file.fileName)} ${name}: ${read}`],
  )
  expect(wrong).toEqual([])
  // A component excluded from the compiler would hide its impurity.
  expect(files.filter((file) => file.text.includes('use no memo')).map((file) => file.fileName)).toEqual([])
})
