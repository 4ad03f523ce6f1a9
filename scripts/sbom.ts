import { readFileSync } from 'node:fs';
import { LICENSES_READ_BY_HAND } from './checks/licenses.ts';
import { runNpm } from './supply/run-npm.ts';

/**
 * Prints a CycloneDX document of what the service runs with, out of the lock file: it needs neither
 * node_modules nor the registry.
 */

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly licenses?: readonly unknown[];
}

/** A CycloneDX document, as far as it is looked at. @see https://cyclonedx.org/docs/1.5/json/ */
interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** What a lock file says about its packages, by their place. */
type LockedPackages = Readonly<
  Record<string, { readonly version?: string; readonly dev?: boolean }>
>;

/**
 * Mends what `npm sbom` prints: the service is called by the name of its directory and a library,
 * licenses that are not in the field npm reads are missing, and it is about everything installed.
 * `--omit=dev` is no help: it leaves out what tools need too, ajv for one.
 * @param printed by `npm sbom --sbom-format=cyclonedx`, tools included
 * @param name the name of the package
 * @param locked `packages` of the lock file: what is not marked `dev` runs with the service
 */
const billOfMaterialsOf = (
  printed: BillOfMaterials,
  name: string,
  locked: LockedPackages,
): BillOfMaterials => {
  const running = new Set(
    Object.entries(locked)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  );
  const components = printed.components.filter((component) => running.has(labelOf(component)));
  const root = printed.metadata.component;
  const kept = new Set([root, ...components].map((component) => component['bom-ref']));
  return {
    ...printed,
    metadata: { ...printed.metadata, component: { ...root, name, type: 'application' } },
    components: components.map((component) => {
      const expression = LICENSES_READ_BY_HAND.get(labelOf(component));
      return expression === undefined ? component : { ...component, licenses: [{ expression }] };
    }),
    dependencies: printed.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => kept.has(on)) })),
  };
};

const labelOf = ({ name, version }: Component): string => `${name}@${version}`;

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
