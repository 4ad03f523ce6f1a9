import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A test and a script find what they read beside themselves (fixtures, documents, the checkout) where
 * it is, wherever they are bundled to. What a service reads is bundled with it.
 */
export const addressesOfSources = (root) => ({
  name: 'addresses of sources',
  setup(build) {
    build.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
      if (!['test', 'scripts'].some((folder) => path.startsWith(join(root, folder)))) return null;
      const source = readFileSync(path, 'utf8');
      const address = JSON.stringify(pathToFileURL(path).href);
      const contents = source.replaceAll('import.meta.url', address);
      return { contents, loader: extname(path).slice(1) };
    });
  },
});
