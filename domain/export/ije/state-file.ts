import type { CourseOfCare } from '../../course/course.ts';
import type { CustomField } from '../../custom-field/state.ts';
import { isDate } from '../../fhir/dates.ts';
import { toCourseOfChild } from '../earlier-siblings.ts';
import { listBoundValues } from './bound-items.ts';
import type { FiledBirth, IjeItem } from './columns.ts';
import { countPreviousCesareans } from './derived-values.ts';
import { IJE_ITEMS } from './items.ts';

export const LINE_LENGTH = 4000;

export interface RecordToFile extends Pick<FiledBirth, 'course' | 'providers'> {
  readonly status: 'live' | 'voided';
  /** Kind of the API key that sent the current version; `null` if a person entered it. */
  readonly keyKind: 'native' | 'partner' | null;
  /** Absent or `null` if the answers of the practice do not set edit flags. */
  readonly questions?: FiledBirth['questions'];
}

export type OmittedRecord = 'voided' | 'deidentified';

export interface ChangedTexts {
  readonly cut: number;
  /** Texts with characters that the file does not allow. */
  readonly respelled: number;
}

export type FiledRecord =
  | { readonly kind: 'left-out'; readonly why: OmittedRecord }
  | {
      readonly kind: 'filed';
      readonly lines: readonly string[];
      /** Children without a line, because the layout covers only live births. */
      readonly fetalDeaths: number;
      readonly changed: ChangedTexts;
    };

export const fileRecord = (
  { status, keyKind, course, providers, questions = null }: RecordToFile,
  offsetAt: FiledBirth['offsetAt'],
  customFields: readonly CustomField[] = [],
): FiledRecord => {
  if (status === 'voided') return { kind: 'left-out', why: 'voided' };
  if (isDeidentified(course, keyKind)) return { kind: 'left-out', why: 'deidentified' };
  const liveBorn = course.children.filter(({ fetal_death }) => fetal_death !== true);
  const bound = listBoundValues(course, customFields);
  const previous_cesareans = countPreviousCesareans(course);
  const results = liveBorn.map((child) =>
    writeLine({
      course: { ...toCourseOfChild(course, child), previous_cesareans },
      child,
      position: course.children.indexOf(child),
      questions,
      providers,
      offsetAt,
      bound,
    }),
  );
  return {
    kind: 'filed',
    lines: results.map(({ line }) => line),
    fetalDeaths: course.children.length - liveBorn.length,
    changed: {
      cut: results.reduce((sum, { cut }) => sum + cut, 0),
      respelled: results.reduce((sum, { respelled }) => sum + respelled, 0),
    },
  };
};

/**
 * True if the record has no names because it came from a partner. A person's correction can leave
 * masked dates (years) in place, and a native record amended by a partner keeps its names.
 */
const isDeidentified = (
  { mother, children }: CourseOfCare,
  keyKind: RecordToFile['keyKind'],
): boolean =>
  [mother, ...children].every(
    ({ family_name, given_names }) => family_name === null && given_names.length === 0,
  ) &&
  (keyKind === 'partner' ||
    children.some(({ birth_date }) => birth_date !== null && !isDate(birth_date)));

const writeLine = (birth: FiledBirth): { readonly line: string } & ChangedTexts => {
  let line = '';
  let cut = 0;
  let respelled = 0;
  for (const item of IJE_ITEMS) {
    line = line.padEnd(item.begin - 1);
    if (item.kind === 'coded') {
      line += item.write(birth);
      continue;
    }
    const rawText = item.text(birth) ?? '';
    const plain = toPlainCharacters(rawText);
    if (plain !== rawText) respelled += 1;
    if (plain.length > item.length) cut += 1;
    line += truncate(plain, item);
  }
  return { line: line.padEnd(LINE_LENGTH), cut, respelled };
};

const truncate = (
  plain: string,
  { length, isWhole }: Extract<IjeItem, { kind: 'text' }>,
): string => (isWhole && plain.length > length ? '' : plain.slice(0, length));

/** Letters that Unicode normalization does not decompose, and typographic punctuation. */
const ASCII_SPELLINGS: ReadonlyMap<string, string> = new Map(
  (
    'ß ss,ẞ SS,Æ AE,æ ae,Œ OE,œ oe,Ø O,ø o,Ł L,ł l,Đ D,đ d,Ð D,ð d,Þ TH,þ th,Ħ H,ħ h,Ŧ T,ŧ t,' +
    "Ŋ N,ŋ n,ı i,ĸ k,Ə E,ə e,‘ ',’ ',‛ ',ʻ ',ʼ ',′ ',“ \",” \",‐ -,‑ -,‒ -,– -,— -,− -"
  )
    .split(',')
    .map((one) => [one.slice(0, 1), one.slice(2)]),
);

const FIRST_PRINTABLE = ' ';
const LAST_PRINTABLE = '~';

/** Accents are removed, some letters become two, and characters without an equivalent are dropped. */
export const toPlainCharacters = (text: string): string => {
  let plain = '';
  for (const character of text.normalize('NFKD'))
    plain +=
      character >= FIRST_PRINTABLE && character <= LAST_PRINTABLE
        ? character
        : (ASCII_SPELLINGS.get(character) ?? (character.trim() === '' ? ' ' : ''));
  return plain.trim();
};
