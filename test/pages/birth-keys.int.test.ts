import type { Page } from 'playwright-core';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW_BIRTH_PATH } from '../../api/pages/parts/birth-form/confirm/duplicate-checks.tsx';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { RECORD, sharedTestPages } from '../harness/pages.ts';
import { findMessage } from '../harness/test-page.ts';

const pages = await sharedTestPages();
test.after(() => pages.stop());

/** A value of the worksheet: typed into its field, or chosen by keys that count. */
type Step =
  | readonly [name: string, typed: string]
  | readonly [name: string, keys: readonly string[]];

/**
 * The headless browser of the tests finds the answers of a list by capital letters alone; others do not
 * mind the case.
 *
 * What a clerk types from the two paper worksheets of a birth, mother's and facility's, into this form:
 * every item of theirs that a record holds, in the order of the form.
 */
const ofMother = (plurality: string, chartNumber: string, familyName: string): readonly Step[] => [
  ['plurality', plurality],
  ['chart_number', chartNumber],
  ['mother.given_names', 'María José'],
  ['mother.family_name', familyName],
  ['mother.birth_surname', 'Villanueva'],
  ['mother.birth_date', '8/30/1994'],
  ['mother.medical_record_number', 'M-88214'],
  ['mother.address.line', '12 Juniper Lane'],
  ['mother.address.city', 'Bend'],
  ['mother.address.county', 'Deschutes'],
  ['mother.address.state', 'OR'],
  ['mother.address.postal_code', '97701'],
  ['mother.phone', '541 555 0142'],
  ['mother.education', ['B']],
  ['mother.ethnicity', ['N']],
  ['mother.race', ['w', ' ']],
  ['mother.height_cm', '5 ft 7 in'],
  ['mother.prepregnancy_weight_kg', '143 lb'],
  ['mother.delivery_weight_kg', '170 lb'],
  ['last_menstrual_period', '8/8/2025'],
  ['first_prenatal_visit', '10/1/2025'],
  ['prenatal_visits', '12'],
  ['previous_births_living', '1'],
  ['previous_births_dead', '0'],
  ['previous_cesareans', '0'],
  ['other_outcomes', '0'],
  ['wic', ['n']],
  ['cigarettes_before', '0'],
  ['cigarettes_first_trimester', '0'],
  ['cigarettes_second_trimester', '0'],
  ['cigarettes_third_trimester', '0'],
  ['place_of_birth', ['H']],
  ['planned_place_of_birth', ['H']],
  ['delivery_method', ['V']],
];

const CONSENT: readonly Step[] = [['consent.granted', ['g']]];

const FIRST: readonly Step[] = [
  ['children.0.given_names', 'Ana'],
  ['children.0.family_name', 'Villanueva'],
  ['children.0.sex', ['F']],
  ['children.0.birth_date', '5/12/2026'],
  ['children.0.birth_time', '2:05 pm'],
  ['children.0.birth_weight_grams', '5 lb 8 oz'],
  ['children.0.gestational_age_weeks', '37w4d'],
  ['children.0.apgar_one_minute', '8'],
  ['children.0.apgar_five_minute', '9'],
  ['children.0.medical_record_number', 'C-1'],
  ['children.0.presentation', ['C']],
  ['children.0.living', ['y']],
  ['children.0.nicu_admission', ['n']],
  ['children.0.breastfed_at_discharge', ['y']],
];

/** The date, the family name, the weeks and the order stand there already. */
const SECOND: readonly Step[] = [
  ['children.1.given_names', 'Beñat'],
  ['children.1.sex', ['M']],
  ['children.1.birth_time', '2:31 pm'],
  ['children.1.birth_weight_grams', '2400 g'],
  ['children.1.apgar_one_minute', '7'],
  ['children.1.apgar_five_minute', '9'],
  ['children.1.medical_record_number', 'C-2'],
  ['children.1.presentation', ['C']],
  ['children.1.living', ['y']],
  ['children.1.nicu_admission', ['n']],
  ['children.1.breastfed_at_discharge', ['y']],
];

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('name') ?? activeElement?.textContent?.trim() ?? '';
  });

/**
 * Someone at a keyboard, and nothing else. Counted is every key but the characters of a value that is
 * typed into a field of text: Enter, Tab, Space, and the letters that choose an answer.
 */
const typistAt = (page: Page) => {
  let keys = 0;
  const press = async (key: string): Promise<void> => {
    keys += 1;
    await page.keyboard.press(key === ' ' ? 'Space' : key);
  };
  const moveTo = async (place: string): Promise<void> => {
    for (let steps = 0; (await focused(page)) !== place; steps += 1) {
      assert.ok(steps < 20, `Enter does not lead to ${place}.`);
      await press('Enter');
    }
  };
  return {
    press,
    moveTo,
    keys: () => keys,
    async enter(steps: readonly Step[]): Promise<void> {
      for (const [name, typed] of steps) {
        await moveTo(name);
        if (typeof typed === 'string') await page.keyboard.type(typed);
        else for (const key of typed) await press(key);
      }
    },
  };
};

/** Enters a birth from paper, looks it over, and records it. @returns the keys that it took */
const enterBirth = async (
  page: Page,
  steps: readonly Step[],
  onCheck: (page: Page) => Promise<void>,
): Promise<number> => {
  const typist = typistAt(page);
  for (const step of steps) {
    await typist.enter([step]);
    if (step[0] === 'chart_number' && steps.some(([name]) => name.startsWith('children.1.')))
      await page.locator('#child-1').waitFor();
  }
  await typist.moveTo('save');
  await typist.press('Enter');
  await page.getByRole('heading', { name: 'Check your answers' }).waitFor();
  await page.waitForLoadState();
  await onCheck(page);
  await typist.press('Tab');
  assert.is(await focused(page), 'Go to “Record birth”');
  await typist.press('Enter');
  await typist.press('Enter');
  await page.waitForURL(RECORD);
  return typist.keys();
};

const courseUnder = async (chartNumber: string): Promise<CourseOfCare> => {
  const { service, practice } = pages;
  const { state } = await service.commands.history(practice.practiceId, chartNumber, null);
  if (state === null) throw new Error('Nothing was recorded.');
  return state.courseOfCare;
};

pages.scriptTest(
  'a birth is entered from paper, looked over and recorded with 90 keys at most beside its values',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    const steps = [...ofMother('1', 'KEYS-1', 'Åström-Villanueva'), ...FIRST, ...CONSENT];
    assert.ok(steps.length >= 30);
    const keys = await enterBirth(page, steps, async () => {
      assert.is(
        await findMessage(page, 'children-entered').innerText(),
        'A single birth: one child, entered here.',
      );
      assert.not.match(await page.locator('main').innerText(), 'Missing');
    });
    console.log(`${keys} keys for ${steps.length} values`);
    assert.ok(keys <= 90, `${keys} keys`);
    const course = await courseUnder('KEYS-1');
    assert.is(course.mother.birth_surname, 'Villanueva');
    assert.equal(course.mother.race, ['2106-3']);
    assert.is(course.wic, false);
    assert.is(course.place_of_birth, 'Hospital');
    assert.is(course.delivery_method, '700000006');
    assert.is(course.children[0]?.breastfed_at_discharge, true);
    assert.is(course.children[0]?.birth_order, null);
    assert.is(course.consent.granted, true);
  },
);

pages.scriptTest(
  'twins take 130 at most, and share what twins share',
  { as: 'Provider', at: NEW_BIRTH_PATH },
  async ({ page }) => {
    const steps = [
      ...ofMother('2', 'KEYS-2', 'Quispe de la Cruz'),
      ...FIRST,
      ...SECOND,
      ...CONSENT,
    ];
    const keys = await enterBirth(page, steps, async () => {
      assert.is(
        await findMessage(page, 'children-entered').innerText(),
        'Both children of this pregnancy are entered here.',
      );
    });
    console.log(`${keys} keys for ${steps.length} values`);
    assert.ok(keys <= 130, `${keys} keys`);
    const [first, second] = (await courseUnder('KEYS-2')).children;
    assert.is(second?.birth_date, '2026-05-12');
    assert.is(second?.family_name, 'Villanueva');
    assert.is(second?.gestational_age_days, 4);
    assert.equal([first?.birth_order, second?.birth_order], [1, 2]);
    assert.is(second?.birth_weight_grams, 2400);
  },
);

test.run();
