import { readFileSync, writeFileSync } from 'node:fs';
import { fillInCapacity } from './capacity/fill-in-capacity.ts';

/** Fills in the tables of docs/capacity.md from its inputs and docs/performance.md. */

const DOCUMENT = 'docs/capacity.md';
const performance = readFileSync('docs/performance.md', 'utf8');
writeFileSync(DOCUMENT, fillInCapacity(readFileSync(DOCUMENT, 'utf8'), performance));
