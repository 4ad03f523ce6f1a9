// Maps lines of a bundle to sources, so that log lines can name them.
import { SourceMap } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/** Index for code from packages. */
const OF_A_PACKAGE = -1;

/**
 * @param files output of esbuild, with source maps
 * @returns `sources`, and per file `[first line, index of the source or -1, its line]`, one-based
 */
export const mapLines = (files, root) => {
  const sources = [];
  /** Keyed by names in the source maps, which are unique since all maps are in one folder. */
  const indexes = new Map();
  const indexOf = (source) =>
    source.includes('node_modules') ? OF_A_PACKAGE : sources.push(source) - 1;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const runs = {};
  for (const [path, text] of texts) {
    const map = texts.get(`${path}.map`);
    if (map === undefined) continue;
    const sourceMap = new SourceMap(JSON.parse(map));
    const of = [];
    for (const [at, line] of text.split('\n').entries()) {
      const entry = sourceMap.findEntry(at, line.search(/\S|$/));
      const { originalSource } = entry;
      if (originalSource === undefined) continue;
      if (!indexes.has(originalSource))
        indexes.set(originalSource, indexOf(relative(root, join(dirname(path), originalSource))));
      const source = indexes.get(originalSource);
      const original = source === OF_A_PACKAGE ? 0 : entry.originalLine + 1;
      const last = of.at(-1);
      const goesOn =
        last !== undefined &&
        last[1] === source &&
        (source === OF_A_PACKAGE || last[2] + (at + 1 - last[0]) === original);
      if (!goesOn) of.push([at + 1, source, original]);
    }
    runs[basename(path)] = of;
  }
  return { sources, runs };
};
