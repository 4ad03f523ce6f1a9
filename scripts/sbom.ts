import { readFileSync } from 'node:fs';
import {
  type BillOfMaterials,
  billOfMaterialsOf,
  type LockedPackages,
} from './supply/bill-of-materials.ts';
import { runNpm } from './supply/run-npm.ts';

/**
 * Prints a CycloneDX document of what the service runs with, out of the lock file: it needs neither
 * node_modules nor the registry.
 */

const { code, stdout } = await runNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only']);
if (code === 0) {
  const { name, packages } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as { readonly name: string; readonly packages: LockedPackages };
  const document = billOfMaterialsOf(JSON.parse(stdout) as BillOfMaterials, name, packages);
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
} else {
  process.stderr.write('npm sbom failed.\n');
  process.exitCode = 1;
}
