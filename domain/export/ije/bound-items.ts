import type { CourseOfCare } from '../../course/course.ts';
import { encodeCountry, encodeState, formatCountry, formatState } from '../../course/places.ts';
import { listRaceAnswers, RACE_BOXES } from '../../course/race-answers.ts';
import {
  BINDABLE_ITEMS,
  type BindableItem,
  FATHER_YEARS,
  findBindableItem,
  findItemCode,
  type ItemColumn,
  isWithin,
  readItemDigits,
} from '../../custom-field/bindable-items.ts';
import type { CustomField } from '../../custom-field/state.ts';
import { countWholeYears, isDate } from '../../fhir/dates.ts';
import {
  type BoundValues,
  createCodedItem,
  createIdentifierItem,
  createTextItem,
  type FiledBirth,
  formatFlag,
  type IjeItem,
} from './columns.ts';

/** Values of live fields that are bound to an item. An item of a child has none in a multiple birth. */
export const listBoundValues = (
  { custom, children, plurality }: CourseOfCare,
  fields: readonly CustomField[],
): BoundValues => {
  const isMultiple = children.length > 1 || (plurality ?? 1) > 1;
  return new Map(
    fields.flatMap(({ fieldId, item, isRetired }) => {
      const value = custom[fieldId] ?? null;
      const bound = isRetired ? null : findBindableItem(item);
      return value === null || bound === null || (bound.isOfChild && isMultiple)
        ? []
        : [[bound.id, String(value)] as const];
    }),
  );
};

/** Content of a column; `null` if there is none. */
type ReadColumn = (birth: FiledBirth) => string | null;

const createBoundItems = ({ id, form, unknown, columns }: BindableItem): readonly IjeItem[] => {
  const [first, ...others] = columns as readonly [ItemColumn, ...ItemColumn[]];
  const createText = (
    { name, begin, length }: ItemColumn,
    rule: string,
    read: ReadColumn,
    create = createTextItem,
  ): IjeItem => create(name, begin, length, [], rule, read);
  const createCoded = ({ name, begin, length }: ItemColumn, rule: string, read: ReadColumn) =>
    createCodedItem(
      name,
      begin,
      length,
      [],
      rule,
      (birth) => read(birth) ?? unknown.repeat(length),
    );
  const find = ({ bound }: FiledBirth): string | null => bound.get(id) ?? null;
  const ofValue =
    (read: (value: string) => string | null | undefined): ReadColumn =>
    (birth) => {
      const value = find(birth);
      return value === null ? null : (read(value) ?? null);
    };
  switch (form.kind) {
    case 'answers': {
      const rule = form.codes.map(([code, words]) => `${code} ${words}`).join(', ');
      return columns.map((column) => {
        const at = column.begin - first.begin;
        return createCoded(
          column,
          rule,
          ofValue((value) => findItemCode(form.codes, value)?.slice(at, at + column.length)),
        );
      });
    }
    case 'text':
      return [createText(first, 'as entered', find)];
    case 'digits': {
      const rule = `${form.lengths.join(' or ')} digits`;
      const read = ofValue((value) => readItemDigits(form.lengths, value));
      return [createText(first, rule, read, createIdentifierItem)];
    }
    case 'count':
      return [
        createCoded(
          first,
          `${form.least} to ${form.most}`,
          ofValue((value) => (isWithin(Number(value), form) ? value : null)),
        ),
      ];
    case 'date': {
      return [
        ...columns.slice(0, DATE_PARTS).map((column, index) =>
          createCoded(
            column,
            'digits',
            ofValue((value) => (isDate(value) ? value.split('-')[index] : null)),
          ),
        ),
        ...columns
          .slice(DATE_PARTS)
          .map((column) =>
            createCoded(column, 'two digits, where both dates are known to the day', (birth) =>
              countFatherYears(find(birth), birth.child.birth_date),
            ),
          ),
      ];
    }
    case 'races':
      return columns.map((column, index) => {
        const box = RACE_BOXES[index];
        return box === undefined
          ? createText(
              column,
              'a race that is in no box',
              ofValue(
                (value) =>
                  listRaces(value).flatMap(({ text }) => text ?? [])[index - RACE_BOXES.length],
              ),
            )
          : createCoded(
              column,
              box.rule,
              ofValue((value) =>
                formatFlag(listRaces(value).some(({ code }) => code === box.code)),
              ),
            );
      });
    case 'country':
      return [
        createText(
          first,
          'the name of the country',
          ofValue((country) => formatCountry({ country })),
        ),
        ...others.map((column) =>
          createCoded(
            column,
            'the code of the country; ZZ if there is none',
            ofValue((country) => encodeCountry({ country })),
          ),
        ),
      ];
    case 'state': {
      const findPlace = (birth: FiledBirth) => ({
        state: find(birth),
        country: birth.bound.get(form.country) ?? null,
      });
      return [
        createText(first, 'the name of the state, territory, or province', (birth) =>
          formatState(findPlace(birth)),
        ),
        ...others.map((column) =>
          createCoded(column, 'its code; XX for another country, ZZ if there is none', (birth) => {
            const place = findPlace(birth);
            return place.state === null && place.country === null ? null : encodeState(place);
          }),
        ),
      ];
    }
  }
};

const DATE_PARTS = 3;

const countFatherYears = (from: string | null, to: string | null): string | null => {
  if (from === null || to === null || !isDate(from) || !isDate(to)) return null;
  const years = countWholeYears(from, to);
  return isWithin(years, FATHER_YEARS) ? String(years) : null;
};

const listRaces = (value: string) =>
  listRaceAnswers(
    value
      .split(/[;,]/)
      .map((race) => race.trim())
      .filter((race) => race !== ''),
  );

export const BOUND_ITEMS: readonly IjeItem[] = BINDABLE_ITEMS.flatMap(createBoundItems);
