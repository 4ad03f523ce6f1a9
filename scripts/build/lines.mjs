// Which source each line of a bundle comes from, so that a log line can name it.
import { SourceMap } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/** Stands for what is no source of ours. */
const OF_A_PACKAGE = -1;

/**
 * Of each bundled file runs of lines that follow each other in a source of ours, too.
 * @param files what esbuild has written, with source maps
 * @returns `sources`, and by file `[first line, index of the source or -1, its line]`, from 1
 */
export const linesOf = (files, root) => {
  const sources = [];
  const indexes = new Map();
  const indexOf = (source) => {
    if (source.includes('node_modules')) return OF_A_PACKAGE;
    if (!indexes.has(source)) indexes.set(source, sources.push(source) - 1);
    return indexes.get(source);
  };
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const runs = {};
  for (const [path, text] of texts) {
    const map = texts.get(`${path}.map`);
    if (map === undefined) continue;
    const sourceMap = new SourceMap(JSON.parse(map));
    const of = [];
    for (const [at, line] of text.split('\n').entries()) {
      const entry = sourceMap.findEntry(at, line.search(/\S|$/));
      if (entry.originalSource === undefined) continue;
      const source = indexOf(relative(root, join(dirname(path), entry.originalSource)));
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
