import { readFileSync, writeFileSync } from 'node:fs';
import { REFERENCES } from './reference/references.ts';

/** Writes the documents, and parts of documents, that are generated from the code. */

for (const [document, build] of Object.entries(REFERENCES))
  writeFileSync(document, await build(readFileSync(document, 'utf8')));
