import { buildApiReference } from './api-reference.ts';
import { buildEventReference } from './event-reference.ts';
import { buildFieldReference } from './field-reference.ts';

/** Generated documents: the path of each, and the function that builds its text. */
export const GENERATED_DOCUMENTS: readonly (readonly [file: string, build: () => string])[] = [
  ['docs/reference/api.md', buildApiReference],
  ['docs/reference/fields.md', buildFieldReference],
  ['docs/reference/events.md', buildEventReference],
];
