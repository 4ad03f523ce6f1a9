import { readFileSync, writeFileSync } from 'node:fs';
import { fillInAnswers } from './fill-in-answers.ts';

/** Writes the answers into docs/assurance.md. */

const PAGE = 'docs/assurance.md';
writeFileSync(PAGE, fillInAnswers(readFileSync(PAGE, 'utf8')));
