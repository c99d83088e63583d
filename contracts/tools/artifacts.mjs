// Writes to artifacts/ the ABI and creation code of each contract that other programs deploy or call, and nothing that
// depends on the machine. `--check` writes nothing and fails if artifacts/ does not match the sources.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const contracts = ["Escrow", "Vault", "DevUsdt", "DevNft", "DevLyingUsdt", "DevHostileNft"];
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
