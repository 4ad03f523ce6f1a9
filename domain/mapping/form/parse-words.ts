import { OTHER_HISPANIC, PLACE_CODES } from '../../course/codes.ts';
import type { Field, FieldPath } from '../../course/fields.ts';
import {
  CDC_HISPANIC_ORIGINS,
  findOriginOfCode,
  statesNotHispanic,
} from '../../course/hispanic-origins.ts';
import { findRaceAbsentReason } from '../../course/race-absent-reason.ts';
import { type CodeTable, statesUnknown } from '../../fhir/coded-values.ts';
import { BLANK, invalid, ok, type Parsed } from './parsed.ts';

const YES: ReadonlySet<string> = new Set(['yes', 'y', 'true', 't', '1', 'x']);
const NO: ReadonlySet<string> = new Set(['no', 'n', 'false', 'f', '0']);
const UNKNOWN: ReadonlySet<string> = new Set(['?', '-', 'u', 'n/a', 'not known', "don't know"]);

export const isUnknownWord = (text: string): boolean =>
  UNKNOWN.has(text.toLowerCase()) || statesUnknown(text);

export const parseYesNo = (text: string, words: string): Parsed<boolean> => {
  const word = text.toLowerCase();
  if (YES.has(word)) return ok(true);
  return NO.has(word)
    ? ok(false)
    : invalid('neither-yes-nor-no', `The ${words} needs to be yes, no or unknown.`);
};

/** CDC's names for origins that the certificate has an answer for. */
const ORIGIN_WORDS = Object.fromEntries(
  [...CDC_HISPANIC_ORIGINS].flatMap(([code, word]) => {
    const origin = findOriginOfCode(code);
    return origin?.name === null ? [[word, origin.code]] : [];
  }),
);

const OTHER_WORDS: Readonly<Partial<Record<FieldPath, Readonly<Record<string, string>>>>> = {
  'children.sex': { f: 'female', girl: 'female', m: 'male', boy: 'male' },
  'children.presentation': { cephalic: '70028003', 'head down': '70028003' },
  delivery_method: {
    vaginal: '700000006',
    'spontaneous vaginal': '700000006',
    forceps: '302383004',
    vacuum: '61586001',
    'c-section': '11466000',
    'cesarean section': '11466000',
    caesarean: '11466000',
  },
  planned_home_birth: {
    ...Object.fromEntries([...YES].map((word) => [word, 'yes'])),
    ...Object.fromEntries([...NO].map((word) => [word, 'no'])),
  },
  'mother.race': {
    'american indian': '1002-5',
    'alaska native': '1002-5',
    black: '2054-5',
    'african american': '2054-5',
    'pacific islander': '2076-8',
    other: '2131-1',
  },
  'mother.hispanic_origins': {
    ...ORIGIN_WORDS,
    mexicana: '2148-5',
    chicana: '2148-5',
    other: OTHER_HISPANIC,
    'other hispanic': OTHER_HISPANIC,
  },
  'mother.ethnicity': {
    hispanic: '2135-2',
    latino: '2135-2',
    'not hispanic': '2186-5',
    'non-hispanic': '2186-5',
  },
  'transfers.place': {
    'birth centre': 'birth center',
    'birthing center': 'birth center',
    clinic: 'other facility',
    facility: 'other facility',
  },
  'transfers.timing': {
    antepartum: 'before labor',
    'in labor': 'during labor',
    intrapartum: 'during labor',
    'after the birth': 'after birth',
    postpartum: 'after birth',
  },
  'transfers.urgency': { emergent: 'emergency', 'non-urgent': 'not urgent', routine: 'not urgent' },
  birth_position: { water: 'water', 'hands-and-knees': 'hands-and-knees' },
  attendant_title: {
    physician: 'md',
    cnm: 'cnm-cm',
    cm: 'cnm-cm',
    'certified nurse midwife': 'cnm-cm',
    'certified midwife': 'cnm-cm',
    cpm: 'other-midwife',
    lm: 'other-midwife',
    'licensed midwife': 'other-midwife',
  },
};

const PLACE_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLACE_CODES),
  'birth centre': 'Birth center',
  'birthing center': 'Birth center',
  'home birth': 'Home',
  'in transit': 'En route',
};

const foldText = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

const answersByField = new Map<FieldPath, ReadonlyMap<string, string>>();

const listWords = (field: Field): ReadonlyMap<string, string> => {
  const made = answersByField.get(field.path);
  if (made !== undefined) return made;
  const isPlace = field.path === 'place_of_birth' || field.path === 'planned_place_of_birth';
  const pairs: (readonly [string, string])[] = [
    ...(field.values ?? []).map((value) => [value, value] as const),
    ...[...(field.codes ?? [])].map(([code]) => [code, code] as const),
    ...[...(field.codes ?? [])].map(([code, display]) => [display, code] as const),
    ...Object.entries(OTHER_WORDS[field.path] ?? {}),
    ...(isPlace ? Object.entries(PLACE_WORDS) : []),
  ];
  const words = new Map<string, string>();
  // Two codes may share a display: the first in the table wins.
  for (const [word, value] of pairs)
    if (!words.has(foldText(word))) words.set(foldText(word), value);
  answersByField.set(field.path, words);
  return words;
};

const MAX_NAMED = 12;

const listNames = (field: Field): string => {
  const names = [
    ...new Set([
      ...(field.values ?? []),
      ...((field.codes as CodeTable | undefined) ?? new Map()).values(),
    ]),
  ];
  return names.length <= MAX_NAMED
    ? `Choose one of: ${names.join('; ')}.`
    : `Choose one from the list, such as: ${names.slice(0, MAX_NAMED).join('; ')}.`;
};

const OF_ORIGIN =
  /^mother\.(?:race|race_absent_reason|ethnicity|hispanic_origins|ethnicity_absent_reason)$/;

/** In any case. */
export const parseWord = (field: Field, text: string): Parsed<string> => {
  const known = listWords(field).get(foldText(text));
  if (known !== undefined) return ok(known);
  const reason = OF_ORIGIN.test(field.path) ? findRaceAbsentReason(text) : null;
  if (reason !== null && field.type === 'choice') return ok(reason);
  const isNone = field.path === 'mother.hispanic_origins' && statesNotHispanic(text);
  // A column of races or origins may contain the reason. @see parseMother
  return isUnknownWord(text) || reason !== null || isNone
    ? BLANK
    : invalid(
        'answer-unknown',
        `The ${field.inSentence} is not one that the registry knows. ${listNames(field)}`,
      );
};

/** Splits a list at semicolons or commas, and at spaces if `spaces`. */
export const parseList = (text: string, spaces: boolean): readonly string[] => {
  const between = /[;,\n]/.test(text) ? /[;,\n]/ : spaces ? /\s+/ : /[;,\n]/;
  return text
    .split(between)
    .map((one) => one.trim())
    .filter((one) => one !== '');
};
