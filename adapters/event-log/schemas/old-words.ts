import type { Warning, WarningId } from '../../../domain/course/course.ts';
import { getDismissalKey, type Rejection } from '../../../domain/course/rejections.ts';

/** Every wording stored before rejections had ids. The log keeps them, so never adapt them to new wording. */
const REJECTIONS: readonly (readonly [beginning: string, id: Rejection['id']])[] = [
  ['Missing mother Patient', 'no-mother'],
  ['More than one mother Patient', 'several-mothers'],
  ['Missing child Patient', 'no-child'],
  ['Missing place of birth', 'place-of-birth-required'],
  ['No place of birth', 'place-of-birth-required'],
  ['Unrecognised Location.type code:', 'place-of-birth-code-unnamed'],
  ['Unusable chart number', 'chart-number-unusable'],
  ['Course of care too long', 'course-too-long'],
  ['Too many child Patients', 'too-many-children'],
  ['No entries in the Bundle', 'bundle-without-entries'],
  ['The Bundle has no entries', 'bundle-without-entries'],
  ['Too many courses of care', 'too-many-courses'],
  ['Stale update ignored', 'stale-update'],
  ['The amendment would duplicate a different record', 'duplicate-amendment'],
  ['No record to retract', 'no-record-to-retract'],
  ['This chart number belongs to another woman.', 'another-womans-record'],
];

const NAMED_PLACE_CODE = /^Unrecognised Location\.type code ([A-Za-z0-9._-]{1,64}): use /;

const findId = (diagnostics: string): Pick<Rejection, 'id' | 'named'> => {
  const [, code] = NAMED_PLACE_CODE.exec(diagnostics) ?? [];
  if (code !== undefined) return { id: 'place-of-birth-code', named: code };
  const known = REJECTIONS.find(([beginning]) => diagnostics.startsWith(beginning));
  // Rows of imported files were rejected with the messages of forms.
  return known === undefined ? { id: 'in-words-of-before', named: diagnostics } : { id: known[1] };
};

export const identifyRejection = (stored: Omit<Rejection, 'id'> & Partial<Rejection>): Rejection =>
  stored.id === undefined
    ? { ...stored, ...findId(stored.diagnostics) }
    : { ...stored, id: stored.id };

/** Dismissal key of a refused record. Before rejections had ids, it was the text. */
export const identifyMatter = (part: string): string =>
  /^[A-Z]/.test(part) ? getDismissalKey(findId(part)) : part;

const WARNINGS: ReadonlyMap<string, WarningId> = new Map([
  ['The date is partial or impossible', 'date-impossible'],
  ['The date and time is partial or impossible', 'date-time-impossible'],
  ['The value is not a number', 'not-a-number'],
  ['The number is not whole', 'not-whole'],
  ['The number is outside the possible range', 'out-of-range'],
  ['The quantity has a comparator', 'has-comparator'],
  ['The unit is missing', 'unit-missing'],
  ['The unit is unknown', 'unit-unknown'],
  ['The value is not understood', 'not-understood'],
  ['The text is too long', 'text-too-long'],
  ['There are too many values', 'too-many-values'],
  ['The subject is none of the several children', 'subject-unknown'],
  ['The age of the mother at delivery is not possible', 'mother-age-impossible'],
  ['The code names no known place of birth', 'place-of-birth-unknown'],
  ['The time is more than 24 hours ahead of its receipt', 'stamp-ahead'],
]);

export const identifyWarning = (
  stored: Omit<Warning, 'id'> & { readonly id?: WarningId },
): Warning => ({ ...stored, id: stored.id ?? WARNINGS.get(stored.reason) ?? 'not-understood' });
