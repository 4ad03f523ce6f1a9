import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readAsset } from '../pages/assets/page-assets.ts';

/** Its URL changes with its content. */
export interface Asset {
  readonly type: string;
  readonly content: Buffer;
}

/** Assets by path below `/docs/assets/`. */
export interface DocsAssets {
  readonly byPath: ReadonlyMap<string, Asset>;
  readonly paths: Readonly<Record<AssetName, string>>;
}

type AssetName = 'docs.css' | 'docs.js' | 'swagger-ui.css' | 'swagger-ui.js';

const HASH_CHARACTERS = 12;

const require = createRequire(import.meta.url);

export const loadDocsAssets = (): DocsAssets => {
  const library = dirname(require.resolve('swagger-ui-dist/package.json'));
  const contents: Readonly<Record<AssetName, Buffer>> = {
    'docs.css': readAsset('docs.css'),
    'docs.js': readAsset('docs.mjs'),
    'swagger-ui.css': readFileSync(join(library, 'swagger-ui.css')),
    'swagger-ui.js': readFileSync(join(library, 'swagger-ui-bundle.js')),
  };
  const buildPath = (name: AssetName) => `${hashContent(contents[name])}/${name}`;
  const names = Object.keys(contents) as AssetName[];
  return {
    byPath: new Map(names.map((name) => [buildPath(name), toAsset(name, contents[name])])),
    paths: {
      'docs.css': buildPath('docs.css'),
      'docs.js': buildPath('docs.js'),
      'swagger-ui.css': buildPath('swagger-ui.css'),
      'swagger-ui.js': buildPath('swagger-ui.js'),
    },
  };
};

const toAsset = (name: string, content: Buffer): Asset => ({
  type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
  content,
});

const hashContent = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
