import { readFileSync, writeFileSync } from 'node:fs';
import { REFERENCES } from './reference/references.ts';

for (const [document, build] of Object.entries(REFERENCES))
  writeFileSync(document, await build(readFileSync(document, 'utf8')));
