import { readFileSync, writeFileSync } from 'node:fs';
import { fillInParts } from './reference/generated-parts.ts';
import { REFERENCES } from './reference/references.ts';

/** Writes the generated parts of the operator's documents: settings, commands and metrics. */

for (const [document, partsOf] of Object.entries(REFERENCES))
  writeFileSync(document, fillInParts(readFileSync(document, 'utf8'), await partsOf()));
