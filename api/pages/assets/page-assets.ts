import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Cached for a year, so its path has a hash of its content, or a version. */
export interface PageAsset {
  readonly type: string;
  readonly content: Buffer;
}

const NAMES = [
  'letters-400.woff2',
  'letters-700.woff2',
  // After the fonts, because it contains their paths.
  'registry.css',
  'frame.mjs',
  'icon.svg',
  'birth-form.mjs',
  'copy.mjs',
  'drop-zone.mjs',
  'import-progress.mjs',
  'passkeys.mjs',
  'prefill.mjs',
  'session-end.mjs',
  'simplewebauthn.js',
  'test-birth.mjs',
] as const;

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

const HASH_CHARACTERS = 12;

const require = createRequire(import.meta.url);

/** The only script from a package; `passkeys.mjs` needs it. */
const readWebAuthn = (): Buffer =>
  readFileSync(
    new URL(
      '../dist/bundle/index.umd.min.js',
      pathToFileURL(require.resolve('@simplewebauthn/browser')),
    ),
  );

/** @param name style sheet, script, icon, or font that the build copies */
export const readAsset = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

const paths = new Map<string, string>();
const assets = new Map<string, PageAsset>();

const readStyle = (name: string): Buffer =>
  Buffer.from(
    readAsset(name)
      .toString('utf8')
      .replaceAll(/url\("([\w.-]+)"\)/g, (_url, font: string) => `url("${getAssetPath(font)}")`),
  );

const readContent = (name: (typeof NAMES)[number]): Buffer => {
  if (name === 'simplewebauthn.js') return readWebAuthn();
  return name === 'registry.css' ? readStyle(name) : readAsset(name);
};

/** @param name one of `NAMES` */
export const getAssetPath = (name: string): string => {
  const path = paths.get(name);
  if (path === undefined) throw new TypeError(`No asset of the pages is called ${name}.`);
  return path;
};

for (const name of NAMES) {
  const content = readContent(name);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  paths.set(name, `/assets/${hash}/${name}`);
  assets.set(`/${hash}/${name}`, { type, content });
}

/** Assets other than those of USWDS, by path below `/assets`. */
export const PAGE_ASSETS: ReadonlyMap<string, PageAsset> = assets;
