import type { Lane } from '../../domain/intake/bfdr/place-of-birth.ts';
import {
  type BirthStory,
  type ConsentFacts,
  type LaborFacts,
  OPTIONAL_VALUES,
  type Slip,
  type Wording,
} from './birth-story.ts';
import { DAY, HOUR, localDate, MINUTE, type Moment, startOfDate, weekday } from './calendar.ts';
import { laborFrom } from './labors.ts';
import { motherAt, nameOriginOf } from './mothers.ts';
import { birthMoments, isBreech, newborn, sharedHeaviness } from './newborns.ts';
import {
  type Practice,
  type ProviderIdentity,
  type ProviderKind,
  someProvider,
} from './practice.ts';
import { gestationDays, pregnancyBefore } from './pregnancies.ts';
import type { Random } from './random.ts';
import {
  COMMUNITY_ATTENDANTS,
  PLURALITY,
  SETTINGS,
  STILLBIRTH,
  VAGINAL_ATTENDANTS,
} from './us-figures.ts';
import type { Weights } from './weights.ts';

/** Target time of a birth, and the span that contains it; the end is exclusive. */
export interface BirthWindow {
  readonly about: Moment;
  readonly from: Moment;
  readonly to: Moment;
}

// Our choice of shares, for variety.
const CONSENTS: Weights<ConsentFacts> = [
  ['granted', 84],
  ['none', 7],
  ['proposed', 4],
  ['denied in part', 3],
  ['rejected', 2],
];
const DOULA = { hospital: 0.05, elsewhere: 0.3 } as const;
const SPARSE = 0.08;
const MISSING = { sparse: 0.25, usual: 0.012 } as const;
const SLIP = 0.003;
const SLIPS: readonly Slip[] = ['Apgar score of 14', 'weight in stones', 'first visit without day'];
const PLACE_UNTOLD_BY_PARTNER = 0.03;

/** Generates a birth: first its facts, then the format of its report. */
export const inventBirth = (
  chartNumber: string,
  window: BirthWindow,
  practice: Practice,
  lane: Lane,
  random: Random,
): BirthStory => {
  const { zone } = practice.region;
  const stillborn = random.chance(STILLBIRTH);
  const plurality = stillborn ? 1 : random.weighted(PLURALITY);
  // Multiples and stillbirths at home are too rare for the usual shares.
  const setting = stillborn || plurality > 1 ? 'hospital' : random.weighted(SETTINGS);
  const days = gestationDays({ setting, plurality, stillborn }, random);
  const breeches = Array.from({ length: plurality }, (_, at) => isBreech(days, at + 1, random));
  const mother = motherAt(localDate(window.about, zone), practice.region, random);
  const labor = laborFrom(
    { setting, plurality, stillborn, days, breech: breeches[0] === true, mother },
    practice,
    random,
  );
  const byCesarean = labor.method === 'cesarean';
  const first = labor.labored ? window.about : scheduled(window, practice, random);
  const birthDate = localDate(first, zone);
  const pregnancy = pregnancyBefore(birthDate, days, practice, random);
  const shared = {
    days,
    plurality,
    stillborn,
    inHospital: labor.place === 'Hospital',
    smoked: pregnancy.cigarettes[1] > 0,
    origin: nameOriginOf(mother),
    heavier: sharedHeaviness(random),
    otherHospital: random.pick(practice.otherHospitals),
  };
  const moments = birthMoments(first, plurality, byCesarean, random);
  const children = moments.map((bornAt, at) =>
    newborn(shared, { bornAt, order: at + 1, breech: breeches[at] === true }, random),
  );
  const attendant = someProvider(practice, attendantKind(labor, random), random);
  const wording = wordingFor(lane, stillborn, pregnancy.firstVisit !== null, random);
  return {
    chartNumber,
    mother,
    children,
    pregnancy,
    labor,
    attendant,
    wording,
    consent: random.weighted(CONSENTS),
    consentAt: first - random.whole(1, 60) * DAY,
    certifier: certifierBeside(attendant, practice, random),
    doula: doulaAt(labor, practice, random),
  };
};

// Scheduled cesareans take place on weekdays, between half past seven and four.
const scheduled = (
  { about, from, to }: BirthWindow,
  practice: Practice,
  random: Random,
): Moment => {
  const { zone } = practice.region;
  const day = weekday(about, zone);
  const friday = day === 5 ? -1 : 0;
  const monday = day === 6 ? 1 : friday;
  const midday = startOfDate(localDate(about, zone), zone) + 12 * HOUR + monday * DAY;
  const moment = midday + random.whole(-270, 240) * MINUTE;
  return moment >= from && moment < to ? moment : about;
};

const attendantKind = (labor: LaborFacts, random: Random): ProviderKind => {
  if (labor.method === 'cesarean') return 'physician';
  if (labor.place === 'Hospital') return random.weighted(VAGINAL_ATTENDANTS);
  return labor.place === labor.plannedPlace ? random.weighted(COMMUNITY_ATTENDANTS) : 'nurse';
};

const certifierBeside = (
  attendant: ProviderIdentity,
  practice: Practice,
  random: Random,
): ProviderIdentity =>
  random.chance(0.7)
    ? attendant
    : someProvider(practice, random.pick(['nurse', 'physician']), random);

const doulaAt = (
  { place }: LaborFacts,
  practice: Practice,
  random: Random,
): ProviderIdentity | null =>
  random.chance(place === 'Hospital' ? DOULA.hospital : DOULA.elsewhere)
    ? someProvider(practice, 'doula', random)
    : null;

const wordingFor = (
  lane: Lane,
  stillborn: boolean,
  hasFirstVisit: boolean,
  random: Random,
): Wording => {
  const share = random.chance(SPARSE) ? MISSING.sparse : MISSING.usual;
  const slip = random.chance(SLIP) ? random.pick(SLIPS) : null;
  const isPossible = slip === 'first visit without day' ? hasFirstVisit : !stillborn;
  // Drawn for both lanes, so that a seed generates the same births in both.
  const isUntold = random.chance(PLACE_UNTOLD_BY_PARTNER) && lane === 'partner';
  const style = random.chance(0.3) ? 'guide' : 'type';
  return {
    missing: new Set(OPTIONAL_VALUES.filter(() => random.chance(share))),
    weightUnit: random.weighted([
      ['grams', 92],
      ['pounds and ounces', 6],
      ['kilograms', 2],
    ]),
    ageUnit: random.chance(0.7) ? 'weeks' : 'days',
    addresses: random.chance(0.8) ? 'urls' : 'uuids',
    placeStyle: isUntold ? 'unstated' : style,
    timeStyle: random.weighted([
      ['with offset', 90],
      ['local', 7],
      ['date only', 3],
    ]),
    slip: slip !== null && isPossible ? slip : null,
  };
};
