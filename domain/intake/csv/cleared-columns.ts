import type { CourseOfCare } from '../../course/course.ts';
import { typedValues } from '../form/format-course.ts';
import { nameOfPath } from './column-names.ts';

const OWN_FIELDS = 'custom.';

/**
 * Columns whose values an amendment takes away: the record has them, the row does not. An amendment
 * replaces the course of care, whichever columns a file has; values of the practice's own fields
 * stay.
 * @see design §5 "amendment"
 */
export const emptiedColumns = (held: CourseOfCare, sent: CourseOfCare): readonly string[] => {
  const after = typedValues(sent);
  return Object.entries(typedValues(held))
    .filter(
      ([path, text]) => text !== '' && (after[path] ?? '') === '' && !path.startsWith(OWN_FIELDS),
    )
    .map(([path]) => nameOfPath(path));
};
