import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  buildEhrCandidates,
  findCurrentCandidate,
  listOfferedValues,
  listTypedValues,
  readChoices,
} from '../../api/pages/prefill/ehr-candidates.ts';
import { DEFAULT_TIME_FORMAT } from '../../api/pages/text/format-times.ts';
import { createOffsetAt } from '../../api/practice-time/practice-clock.ts';
import type { Prefill, PrefillValue } from '../../domain/mapping/us-core/prefill.ts';

const offer = (value: PrefillValue['value'], child: number | null = null): PrefillValue => ({
  ...(child === null
    ? ({ subject: 'mother', child: null } as const)
    : ({ subject: 'child', child } as const)),
  value,
  derived: null,
  caution: null,
  from: { resource: 'Observation/1', code: null, display: null, date: null },
});

const prefillWith = (values: Prefill['values']): Prefill => ({
  as: 'newborn',
  values,
  children: 1,
  hints: [],
  notTaken: [],
  leftOut: 0,
});

test('a candidate stands in a field as the form shows it', () => {
  const prefill = prefillWith({
    'mother.race': [offer(['2106-3', '2028-9'])],
    'mother.given_names': [offer(['Marisol', 'Inés'])],
    'children.0.birth_weight_grams': [offer(3401.942775, 0), offer(3380, 0)],
    'children.0.gestational_age_weeks': [offer(39, 0), offer(38, 0)],
    'children.0.gestational_age_days': [offer(4, 0), offer(0, 0)],
  });
  const candidates = buildEhrCandidates(prefill, createOffsetAt('UTC'));
  const texts = (key: string) => candidates.get(key)?.map(({ text }) => text);
  assert.equal(texts('mother.given_names'), ['Marisol Inés']);
  assert.equal(texts('children.0.birth_weight_grams'), ['3402 g', '3380 g']);
  // Weeks and days are one field, and one choice.
  assert.equal(texts('children.0.gestational_age_weeks'), ['39w4d', '38w0d']);
  assert.is(texts('children.0.gestational_age_days'), undefined);
  const weeks = candidates.get('children.0.gestational_age_weeks') ?? [];
  assert.is(weeks[0]?.inWords(DEFAULT_TIME_FORMAT), '39 weeks 4 days');
  const race = candidates.get('mother.race') ?? [];
  assert.is(findCurrentCandidate(race, 'Asian; White'), 0, 'the same answers in another order');
  assert.is(findCurrentCandidate(race, 'Asian'), -1);
});

test('what a form holds says which candidates are taken', () => {
  const prefill = prefillWith({
    'mother.family_name': [offer('Ødegård')],
    'children.0.apgar_five_minute': [offer(10, 0), offer(9, 0)],
  });
  const candidates = buildEhrCandidates(prefill, createOffsetAt('UTC'));
  const untouched = listOfferedValues(prefill, createOffsetAt('UTC'));
  assert.equal(readChoices(candidates, untouched), {
    'mother.family_name': 0,
    'children.0.apgar_five_minute': null,
  });
  const edited = {
    ...untouched,
    'mother.family_name': 'Typed',
    'children.0.apgar_five_minute': '9',
    place_of_birth: 'Home',
  };
  assert.equal(readChoices(candidates, edited), {
    'mother.family_name': null,
    'children.0.apgar_five_minute': 1,
  });
  assert.equal(listTypedValues(candidates, edited), {
    'mother.family_name': 'Typed',
    place_of_birth: 'Home',
  });
});

test('two values that the form shows alike are one to choose', () => {
  const prefill = prefillWith({
    'children.0.birth_weight_grams': [offer(3401.942775, 0), offer(3402, 0), offer(3380, 0)],
  });
  const candidates = buildEhrCandidates(prefill, createOffsetAt('UTC'));
  const weights = candidates.get('children.0.birth_weight_grams') ?? [];
  assert.equal(
    weights.map(({ index }) => index),
    [0, 2],
  );
  const choices = readChoices(candidates, { 'children.0.birth_weight_grams': '3380 g' });
  assert.equal(choices, { 'children.0.birth_weight_grams': 2 });
});

test.run();
