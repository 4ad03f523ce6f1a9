import type { DeliveryMethod, LaborFacts, MotherFacts } from './birth-story.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import {
  CESAREAN,
  FORCEPS_OF_VAGINAL,
  INDUCED_OF_LABORS,
  INTRAPARTUM_TRANSFER,
  type Setting,
  VACUUM_OF_VAGINAL,
  WITHOUT_LABOR,
} from './us-figures.ts';
import { type Weights, wordsIn } from './weights.ts';

/** Facts that determine a labor. */
export interface BeforeLabor {
  readonly setting: Setting;
  readonly plurality: 1 | 2 | 3;
  readonly stillborn: boolean;
  readonly days: number;
  /** True if the first baby is breech. */
  readonly breech: boolean;
  readonly mother: MotherFacts;
}

const PLACES: Readonly<Record<Setting, LaborFacts['place']>> = {
  hospital: 'Hospital',
  'planned home': 'Home',
  'birth center': 'Birth center',
  'unplanned home': 'Home',
  clinic: 'Clinic',
  'en route': 'En route',
  other: 'Other',
};

// Our choice: no shares are published.
const HOSPITAL_POSITIONS = wordsIn(
  'supine 38, lithotomy 26, semi-recumbent 24, side-lying 8, hands-and-knees 4',
);
const COMMUNITY_POSITIONS = wordsIn(
  'hands-and-knees 25, water 22, side-lying 15, kneeling 12, birth-stool 10, squatting 8, ' +
    'standing 4, semi-recumbent 4',
);
const INDICATIONS = wordsIn(
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

/** Generates labor and birth. */
export const laborFrom = (before: BeforeLabor, practice: Practice, random: Random): LaborFacts => {
  const planned = plannedPlace(before.setting);
  const isTransferred =
    planned !== 'Hospital' && isPlannedOutside(before) && random.chance(INTRAPARTUM_TRANSFER);
  const place = isTransferred ? 'Hospital' : PLACES[before.setting];
  const inHospital = place === 'Hospital';
  const method = inHospital ? methodInHospital(before, random) : 'spontaneous';
  const byCesarean = method === 'cesarean';
  const labored = !byCesarean || isTransferred || !random.chance(withoutLabor(before.mother));
  const induced = labored && inHospital && !isTransferred && random.chance(INDUCED_OF_LABORS);
  const augmented = labored && inHospital && !induced && random.chance(AUGMENTED_OF_SPONTANEOUS);
  return {
    place,
    plannedPlace: planned,
    method,
    labored,
    position: byCesarean
      ? null
      : random.weighted(inHospital ? HOSPITAL_POSITIONS : COMMUNITY_POSITIONS),
    inductionIndication: induced ? indicationOf(before, random) : null,
    inductionAgents: induced ? random.weighted(INDUCTION_AGENTS) : [],
    augmentationAgents: augmented ? random.weighted(AUGMENTATION_AGENTS) : [],
    urgentCesarean: byCesarean && labored && random.chance(URGENT_OF_LABORED_CESAREANS),
    delayedClamping: !before.stillborn && random.chance(clampingShare(inHospital, byCesarean)),
    movedFrom: movedFrom(before, isTransferred, inHospital, practice, random),
  };
};

const isPlannedOutside = ({ setting }: BeforeLabor): boolean =>
  setting === 'planned home' || setting === 'birth center';

const plannedPlace = (setting: Setting): LaborFacts['place'] => {
  if (setting === 'planned home') return 'Home';
  return setting === 'birth center' ? 'Birth center' : 'Hospital';
};

const methodInHospital = (before: BeforeLabor, random: Random): DeliveryMethod => {
  if (random.chance(cesareanShare(before))) return 'cesarean';
  if (random.chance(FORCEPS_OF_VAGINAL)) return 'forceps';
  return random.chance(VACUUM_OF_VAGINAL) ? 'vacuum' : 'spontaneous';
};

const cesareanShare = ({ stillborn, mother, plurality, breech }: BeforeLabor): number => {
  if (stillborn) return STILLBIRTH_CESAREAN;
  if (plurality === 3) return CESAREAN.triplets;
  if (breech) return CESAREAN.breech;
  if (mother.earlierCesareans > 0) return CESAREAN.afterCesarean;
  if (plurality === 2) return CESAREAN.twins;
  return mother.earlierLiving === 0 ? CESAREAN.first : CESAREAN.later;
};

const withoutLabor = (mother: MotherFacts): number =>
  mother.earlierCesareans > 0 ? WITHOUT_LABOR.afterCesarean : WITHOUT_LABOR.else;

const indicationOf = ({ stillborn, days }: BeforeLabor, random: Random): string => {
  if (stillborn) return 'fetal-death';
  const indication = random.weighted(INDICATIONS);
  // Before 39 weeks, no pregnancy is post-term, and no induction is elective.
  const isEarly = days < 39 * 7;
  return isEarly && (indication === 'post-term' || indication === 'elective')
    ? 'hypertension'
    : indication;
};

const clampingShare = (inHospital: boolean, byCesarean: boolean): number => {
  if (byCesarean) return DELAYED_CLAMPING.cesarean;
  return inHospital ? DELAYED_CLAMPING.hospital : DELAYED_CLAMPING.elsewhere;
};

const movedFrom = (
  before: BeforeLabor,
  isTransferred: boolean,
  inHospital: boolean,
  practice: Practice,
  random: Random,
): string | null => {
  // A home is not a facility; the planned place already states it.
  if (isTransferred) return before.setting === 'birth center' ? practice.birthCenter : null;
  const share = before.days < EARLY_DAYS ? MOVED_IN.early : MOVED_IN.late;
  return inHospital && random.chance(share) ? random.pick(practice.otherHospitals) : null;
};
