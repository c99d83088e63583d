// Unpacks the browser of the npm package into a folder and prints the path of its launcher.
//
//   node locate.mjs FOLDER
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = resolve(process.argv[2] ?? '.')
mkdirSync(folder, { recursive: true })

// The package unpacks into the temporary folder, and unpacks the libraries it needs only where it believes
// to run as a cloud function.
process.env.TMPDIR = folder
process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
const { default: packaged } = await import('@sparticuz/chromium')
const browser = await packaged.executablePath()

// The package's font configuration lists the folders of a cloud function, so pages would have no text.
const fonts = join(folder, 'fonts.conf')
writeFileSync(
  fonts,
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`,
)

// The machine's own libraries take precedence; the packaged libraries only fill the gaps.
const starter = join(folder, 'start-chromium')
writeFileSync(
  starter,
  `#!/bin/sh
here='${folder}'
if ldd '${browser}' 2>/dev/null | grep -q 'not found'; then
  export LD_LIBRARY_PATH="\${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/al2023/lib"
fi
export FONTCONFIG_FILE="\${FONTCONFIG_FILE:-${fonts}}"
exec '${browser}' "$@"
`,
)
chmodSync(starter, 0o755)

const told = spawnSync(starter, ['--version', '--no-sandbox'], { encoding: 'utf8', timeout: 30_000 })
if (told.status !== 0) {
  console.error(`The packaged browser does not start: ${told.error?.message ?? told.stderr}`)
  process.exit(1)
}
console.log(starter)
