import { writeFileSync } from 'node:fs';
import { GENERATED_DOCUMENTS } from './generated-docs/documents.ts';

/** Writes the documents that are generated from code. */

for (const [file, build] of GENERATED_DOCUMENTS) writeFileSync(file, build());
