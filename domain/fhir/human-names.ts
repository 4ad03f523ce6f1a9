import { findExtension, isAbsent, isVerbatim } from './extensions.ts';
import { asArray, asText, type JsonObject } from './json.ts';

export const readKnownName = (value: unknown): string | null => {
  const text = asText(value);
  // Only UNK and its long form, because other null flavors, such as Na, are names of people.
  return text === null || /^(?:unk|unknown)$/i.test(text) ? null : text;
};

export const getFamilyName = (name: JsonObject): string | null =>
  isAbsent(name['_family']) ? null : readNameText(getFamilyText(name), name['_family']);

/** Joins a list (FHIR DSTU2), else the parts in the extensions of HumanName. */
export const getFamilyText = ({ family, _family: beside }: JsonObject): unknown => {
  const text = Array.isArray(family) ? joinTexts(family) : family;
  return asText(text) === null
    ? joinTexts(
        asArray(beside)
          .filter((one) => !isAbsent(one))
          .map(joinParts),
      )
    : text;
};

export const isFamilyJoined = (name: JsonObject): boolean =>
  asText(name['family']) === null && getFamilyName(name) !== null;

const joinTexts = (texts: readonly unknown[]): string | null =>
  texts
    .flatMap((text) => (typeof text === 'string' && asText(text) !== null ? [text.trim()] : []))
    .join(' ') || null;

/** @see https://hl7.org/fhir/R4/humanname-profiles.html */
const joinParts = (element: unknown): string | null => {
  const join = (...parts: readonly string[]) =>
    joinTexts(parts.map((part) => findExtension(element, `humanname-${part}`)?.['valueString']));
  return join('own-prefix', 'own-name') ?? join('fathers-family', 'mothers-family');
};

export const getGivenNames = (name: JsonObject): readonly string[] =>
  readListedTexts(name, 'given');

const readListedTexts = (name: JsonObject, element: 'given' | 'suffix'): readonly string[] => {
  const texts = asArray(name[element]);
  if (texts.length === 0) return texts as readonly never[];
  const beside = asArray(name[`_${element}`]);
  return texts
    .map((text, index) => (isAbsent(beside[index]) ? null : readNameText(text, beside[index])))
    .filter((text) => text !== null);
};

const readNameText = (value: unknown, element: unknown): string | null =>
  isVerbatim(element) ? asText(value) : readKnownName(value);

export const getSuffix = (name: JsonObject): string | null =>
  joinTexts(readListedTexts(name, 'suffix'));

export interface SplitName {
  readonly family: string | null;
  readonly suffix: string | null;
}

/** `Junior`, `Vi`, and the `V.` of `Lopez V.` may be names, so they stay in the family name. */
const GENERATION =
  /(?<![\s,])[\s,]+((?:[Jj][Rr]|[Ss][Rr]|[Ii]{2,3}|I[Vv]|V[Ii]{2,3}|2nd|3rd|[4-9]th)\.?|VI?)$/u;

/** `Stone, Jr.` is `Stone` and `Jr.`. Not split if the stated suffix is another. */
export const splitSuffix = (family: string | null, stated: string | null = null): SplitName => {
  const [ending = '', found = ''] = GENERATION.exec(family ?? '') ?? [];
  // '' without a suffix.
  const rest = (family ?? '').slice(0, -ending.length);
  return rest === '' || foldSuffix(stated ?? found) !== foldSuffix(found)
    ? { family, suffix: stated }
    : { family: rest, suffix: stated ?? found };
};

const foldSuffix = (suffix: string): string => suffix.replace(/\.$/, '').toLowerCase();

export const splitFamilyName = (name: JsonObject, family: string | null): SplitName => {
  const suffix = getSuffix(name);
  return isVerbatim(name['_family']) ? { family, suffix } : splitSuffix(family, suffix);
};
