import { CESAREAN, DELIVERY_METHODS, VAGINAL_SPONTANEOUS } from '../codes.ts';
import type { CourseOfCare } from '../course.ts';
import type { FieldPath } from '../fields.ts';
import { isVaginal, wasAugmented, wasInduced } from '../labor.ts';
import type { CourseEdit } from './edit.ts';
import { MOTHER_TRANSFER } from './transfer-edits.ts';

const MIDWIVES: ReadonlySet<string | null> = new Set(['cnm-cm', 'other-midwife']);
const FACILITIES: ReadonlySet<string | null> = new Set(['Hospital', 'Birth center', 'Clinic']);
const OUT_OF_HOSPITAL: ReadonlySet<string | null> = new Set(['Home', 'Birth center']);

export const isOutOfHospital = ({ place_of_birth }: CourseOfCare): boolean =>
  OUT_OF_HOSPITAL.has(place_of_birth);

const askOfCesarean = (path: 'stat_cesarean' | 'trial_of_labor', words: string): CourseEdit => ({
  id: 'vaginal-delivery-contradicted',
  at: path,
  beside: ['delivery_method'],
  when: `${words} is given with a vaginal delivery.`,
  source: 'guide',
  ask: ({ course }) =>
    isVaginal(course) && course[path] === true
      ? `${words} is entered with a vaginal delivery. Check which is right.`
      : null,
});

const askOfLabor = (
  path: 'induction' | 'augmentation',
  words: string,
  details: readonly FieldPath[],
  was: (course: CourseOfCare) => boolean | null,
): readonly CourseEdit[] => [
  {
    id: 'labor-contradicted',
    at: path,
    beside: details,
    when: `Labor is said not to be ${words}, but a method or a reason is given.`,
    source: 'ours',
    ask: ({ course }) =>
      course[path] === false && was(course)
        ? `Labor is entered as not ${words}, but with a method or a reason. Check which is right.`
        : null,
  },
  {
    id: 'labor-without-trial',
    at: path,
    beside: [...details, 'delivery_method', 'trial_of_labor'],
    when: `Labor was ${words}, but the cesarean was without a trial of labor.`,
    source: 'ours',
    ask: ({ course }) =>
      course.delivery_method === CESAREAN && course.trial_of_labor === false && was(course)
        ? `Labor was ${words}, but the cesarean is entered as one without a trial of labor. Check which is right.`
        : null,
  },
];

export const DELIVERY_EDITS: readonly CourseEdit[] = [
  askOfCesarean('stat_cesarean', 'An emergency cesarean'),
  askOfCesarean('trial_of_labor', 'A trial of labor before cesarean'),
  {
    id: 'method-against-place',
    at: 'delivery_method',
    beside: ['place_of_birth'],
    when: 'A cesarean, forceps, or vacuum delivery at home or in a birth center.',
    source: 'NCHS',
    ask: ({ course }) => {
      const { delivery_method: method, place_of_birth: place } = course;
      return isOutOfHospital(course) &&
        method !== null &&
        method !== VAGINAL_SPONTANEOUS &&
        DELIVERY_METHODS.has(method)
        ? `This delivery method is rare ${place === 'Home' ? 'at home' : 'in a birth center'}. Check the delivery method and the place of birth.`
        : null;
    },
  },
  {
    id: 'cesarean-by-midwife',
    at: 'attendant_title',
    beside: ['delivery_method'],
    when: 'A midwife is the attendant of a cesarean.',
    source: 'NCHS',
    ask: ({ course: { delivery_method, attendant_title } }) =>
      delivery_method === CESAREAN && MIDWIVES.has(attendant_title)
        ? 'A midwife is entered as the attendant of a cesarean. Check the title and the delivery method.'
        : null,
  },
  {
    id: 'planned-home-contradicted',
    at: 'planned_home_birth',
    beside: ['planned_place_of_birth'],
    when: 'The planned place of birth and the answer about a planned home birth contradict each other.',
    source: 'ours',
    ask: ({ course: { planned_home_birth: answer, planned_place_of_birth: place } }) =>
      (answer === 'yes' && place !== null && place !== 'Home') ||
      (answer === 'no' && place === 'Home')
        ? 'The planned place of birth and the answer about a planned home birth contradict each other. Check which is right.'
        : null,
  },
  {
    id: 'moved-without-transfer',
    at: 'planned_place_of_birth',
    beside: ['place_of_birth', 'mother_transfer', 'transfers.type', 'transfers.direction'],
    when: 'The birth was in another facility than planned, but no transfer of the mother is given.',
    source: 'ours',
    ask: ({
      course: {
        planned_place_of_birth: planned,
        place_of_birth: place,
        mother_transfer,
        transfers,
      },
    }) =>
      planned !== null &&
      planned !== place &&
      FACILITIES.has(place) &&
      mother_transfer !== true &&
      !transfers.some(({ type, direction }) => type === 'mother' && direction !== 'out')
        ? 'The birth was elsewhere than planned, and no transfer of the mother is entered. Check the planned place, or add the transfer.'
        : null,
  },
  MOTHER_TRANSFER,
  ...askOfLabor('induction', 'induced', ['induction_agents', 'induction_indication'], wasInduced),
  ...askOfLabor('augmentation', 'augmented', ['augmentation_agents'], wasAugmented),
];
