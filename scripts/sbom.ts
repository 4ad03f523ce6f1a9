import { readFileSync } from 'node:fs';
import { LICENSES_READ_BY_HAND } from './checks/licenses.ts';
import { runNpm } from './supply/run-npm.ts';

/** Reads the lock file, without node_modules or the npm registry. */

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly type: string;
  readonly licenses?: readonly unknown[];
}

/** @see https://cyclonedx.org/docs/1.5/json/ */
interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

type LockedPackages = Readonly<
  Record<string, { readonly version?: string; readonly dev?: boolean }>
>;

/**
 * Corrects the output of `npm sbom`, which calls the service a library and lacks licenses.
 * `--omit=dev` also omits production packages that tools need, such as ajv.
 */
const buildBillOfMaterials = (
  printed: BillOfMaterials,
  name: string,
  locked: LockedPackages,
): BillOfMaterials => {
  const running = new Set(
    Object.entries(locked)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  );
  const components = printed.components.filter((component) => running.has(formatLabel(component)));
  const root = printed.metadata.component;
  const refs = new Set([root, ...components].map((component) => component['bom-ref']));
  return {
    ...printed,
    metadata: { ...printed.metadata, component: { ...root, name, type: 'application' } },
    components: components.map((component) => {
      const expression = LICENSES_READ_BY_HAND.get(formatLabel(component));
      return expression === undefined ? component : { ...component, licenses: [{ expression }] };
    }),
    dependencies: printed.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) })),
  };
};

const formatLabel = ({ name, version }: Component): string => `${name}@${version}`;

const { code, stdout } = await runNpm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only']);
if (code === 0) {
  const { name, packages } = JSON.parse(
    readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
  ) as { readonly name: string; readonly packages: LockedPackages };
  const document = buildBillOfMaterials(JSON.parse(stdout) as BillOfMaterials, name, packages);
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
} else {
  process.stderr.write('npm sbom failed.\n');
  process.exitCode = 1;
}
