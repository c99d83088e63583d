// Writes artifacts/: of each contract that others deploy or call, its ABI and its creation code, and nothing that
// depends on the machine. `--check` writes nothing and fails when what is there is not what the sources give.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const contracts = ["Escrow", "Vault", "DevUsdt", "DevNft", "DevLyingUsdt"];
const check = process.argv.includes("--check");
const stale = [];

mkdirSync(join(root, "artifacts"), { recursive: true });
for (const name of contracts) {
  const built = JSON.parse(readFileSync(join(root, "out", "ship", `${name}.sol`, `${name}.json`), "utf8"));
  const artifact = { contractName: name, abi: built.abi, bytecode: { object: built.bytecode.object } };
  const text = `${JSON.stringify(artifact, null, 1)}\n`;
  const path = join(root, "artifacts", `${name}.json`);
  if (!check) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) stale.push(name);
}
if (stale.length > 0) {
  console.error(`artifacts/ is stale for ${stale.join(", ")}: run 'npm run build' in contracts/ and commit it`);
  process.exit(1);
}
