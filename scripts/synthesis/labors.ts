import { CESAREAN, type PlaceOfBirth, VAGINAL_SPONTANEOUS } from '../../domain/course/codes.ts';
import { type CourseOfCare, emptyTransfer, type Transfer } from '../../domain/course/course.ts';
import type { History } from './mothers.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import {
  CESAREAN_SHARES,
  FORCEPS_OF_VAGINAL,
  INDUCED_OF_LABORS,
  INTRAPARTUM_TRANSFER,
  type Setting,
  VACUUM_OF_VAGINAL,
  WITHOUT_LABOR,
} from './us-figures.ts';
import { parseWords, type Weights } from './weights.ts';

export interface BeforeLabor {
  readonly setting: Setting;
  readonly plurality: 1 | 2 | 3;
  readonly stillborn: boolean;
  readonly days: number;
  /** True if the first baby is breech. */
  readonly breech: boolean;
  readonly history: History;
}

export type Labor = Pick<
  CourseOfCare,
  | 'place_of_birth'
  | 'planned_place_of_birth'
  | 'delivery_method'
  | 'trial_of_labor'
  | 'birth_position'
  | 'induction_indication'
  | 'induction_agents'
  | 'augmentation_agents'
  | 'stat_cesarean'
  | 'delayed_cord_clamping'
  | 'transfers'
>;

const PLACES: Readonly<Record<Setting, PlaceOfBirth>> = {
  hospital: 'Hospital',
  'planned home': 'Home',
  'birth center': 'Birth center',
  'unplanned home': 'Home',
  clinic: 'Clinic',
  'en route': 'En route',
  other: 'Other',
};

const FORCEPS = '302383004';
const VACUUM = '61586001';

// Our choice: no shares are published.
const HOSPITAL_POSITIONS = parseWords(
  'supine 38, lithotomy 26, semi-recumbent 24, side-lying 8, hands-and-knees 4',
);
const COMMUNITY_POSITIONS = parseWords(
  'hands-and-knees 25, water 22, side-lying 15, kneeling 12, birth-stool 10, squatting 8, ' +
    'standing 4, semi-recumbent 4',
);
const INDICATIONS = parseWords(
  'elective 34, post-term 16, hypertension 17, diabetes 10, prelabor-rupture 9, ' +
    'growth-restriction 6, oligohydramnios 4, fetal-status 3, other 1',
);
const INDUCTION_AGENTS: Weights<readonly string[]> = [
  [['oxytocin'], 38],
  [['misoprostol', 'oxytocin'], 30],
  [['balloon', 'oxytocin'], 12],
  [['misoprostol'], 8],
  [['dinoprostone', 'oxytocin'], 7],
  [['amniotomy', 'oxytocin'], 5],
];
const AUGMENTATION_AGENTS: Weights<readonly string[]> = [
  [['oxytocin'], 62],
  [['amniotomy'], 20],
  [['amniotomy', 'oxytocin'], 18],
];
const AUGMENTED_OF_SPONTANEOUS = 0.33;
const URGENT_OF_LABORED_CESAREANS = 0.14;
const DELAYED_CLAMPING = { hospital: 0.66, elsewhere: 0.93, cesarean: 0.4 } as const;
const STILLBIRTH_CESAREAN = 0.14;
const MOVED_IN = { early: 0.05, late: 0.004 } as const;
const EARLY_DAYS = 34 * 7;

export const inventLabor = (before: BeforeLabor, practice: Practice, random: Random): Labor => {
  const planned = findPlannedPlace(before.setting);
  const isTransferred =
    planned !== 'Hospital' && isPlannedOutside(before) && random.chance(INTRAPARTUM_TRANSFER);
  const place = isTransferred ? 'Hospital' : PLACES[before.setting];
  const inHospital = place === 'Hospital';
  const method = inHospital ? chooseMethod(before, random) : VAGINAL_SPONTANEOUS;
  const byCesarean = method === CESAREAN;
  const labored =
    !byCesarean || isTransferred || !random.chance(findShareWithoutLabor(before.history));
  const induced = labored && inHospital && !isTransferred && random.chance(INDUCED_OF_LABORS);
  const augmented = labored && inHospital && !induced && random.chance(AUGMENTED_OF_SPONTANEOUS);
  return {
    place_of_birth: place,
    planned_place_of_birth: planned,
    delivery_method: method,
    trial_of_labor: byCesarean ? labored : null,
    birth_position: byCesarean
      ? null
      : random.weighted(inHospital ? HOSPITAL_POSITIONS : COMMUNITY_POSITIONS),
    induction_indication: induced ? chooseIndication(before, random) : null,
    induction_agents: induced ? random.weighted(INDUCTION_AGENTS) : [],
    augmentation_agents: augmented ? random.weighted(AUGMENTATION_AGENTS) : [],
    stat_cesarean: byCesarean ? labored && random.chance(URGENT_OF_LABORED_CESAREANS) : null,
    delayed_cord_clamping:
      !before.stillborn && random.chance(findClampingShare(inHospital, byCesarean)),
    transfers: chooseTransfers(before, isTransferred, inHospital, practice, random),
  };
};

const isPlannedOutside = ({ setting }: BeforeLabor): boolean =>
  setting === 'planned home' || setting === 'birth center';

const findPlannedPlace = (setting: Setting): PlaceOfBirth => {
  if (setting === 'planned home') return 'Home';
  return setting === 'birth center' ? 'Birth center' : 'Hospital';
};

const chooseMethod = (before: BeforeLabor, random: Random): string => {
  if (random.chance(findCesareanShare(before))) return CESAREAN;
  if (random.chance(FORCEPS_OF_VAGINAL)) return FORCEPS;
  return random.chance(VACUUM_OF_VAGINAL) ? VACUUM : VAGINAL_SPONTANEOUS;
};

const findCesareanShare = ({ stillborn, history, plurality, breech }: BeforeLabor): number => {
  if (stillborn) return STILLBIRTH_CESAREAN;
  if (plurality === 3) return CESAREAN_SHARES.triplets;
  if (breech) return CESAREAN_SHARES.breech;
  if ((history.previous_cesareans ?? 0) > 0) return CESAREAN_SHARES.afterCesarean;
  if (plurality === 2) return CESAREAN_SHARES.twins;
  return history.previous_births_living === 0 ? CESAREAN_SHARES.first : CESAREAN_SHARES.later;
};

const findShareWithoutLabor = ({ previous_cesareans: earlier }: History): number =>
  (earlier ?? 0) > 0 ? WITHOUT_LABOR.afterCesarean : WITHOUT_LABOR.else;

const chooseIndication = ({ stillborn, days }: BeforeLabor, random: Random): string => {
  if (stillborn) return 'fetal-death';
  const indication = random.weighted(INDICATIONS);
  // Before 39 weeks, no pregnancy is post-term, and no induction is elective.
  const isEarly = days < 39 * 7;
  return isEarly && (indication === 'post-term' || indication === 'elective')
    ? 'hypertension'
    : indication;
};

const findClampingShare = (inHospital: boolean, byCesarean: boolean): number => {
  if (byCesarean) return DELAYED_CLAMPING.cesarean;
  return inHospital ? DELAYED_CLAMPING.hospital : DELAYED_CLAMPING.elsewhere;
};

const chooseTransfers = (
  before: BeforeLabor,
  isTransferred: boolean,
  inHospital: boolean,
  practice: Practice,
  random: Random,
): readonly Transfer[] => {
  const from = (facility: string, stated: Partial<Transfer>): readonly Transfer[] => [
    { ...emptyTransfer(), type: 'mother', direction: 'in', facility, ...stated },
  ];
  // A home is not a facility; the planned place already states it.
  if (isTransferred)
    return before.setting === 'birth center' ? from(practice.birthCenter, IN_LABOR) : [];
  const share = before.days < EARLY_DAYS ? MOVED_IN.early : MOVED_IN.late;
  return inHospital && random.chance(share)
    ? from(random.pick(practice.otherHospitals), BEFORE_LABOR)
    : [];
};

const IN_LABOR = {
  place: 'birth center',
  timing: 'during labor',
  urgency: 'not urgent',
  reason: 'Slow progress of labor',
} as const;

const BEFORE_LABOR = { place: 'hospital', timing: 'before labor', urgency: 'urgent' } as const;
