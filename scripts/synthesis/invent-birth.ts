import { CESAREAN } from '../../domain/course/codes.ts';
import {
  type ConsentDecision,
  type CourseOfCare,
  emptyCourseOfCare,
} from '../../domain/course/course.ts';
import { countWholeYears } from '../../domain/fhir/dates.ts';
import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';
import {
  DAY,
  findStartOfDate,
  findWeekday,
  formatLocalDate,
  formatZoned,
  HOUR,
  MINUTE,
  type Moment,
} from './calendar.ts';
import { inventLabor, type Labor } from './labors.ts';
import { findNameOrigin, inventMother } from './mothers.ts';
import {
  chooseBirthMoments,
  chooseHeaviness,
  describeMove,
  drawBreech,
  inventNewborn,
  isMoved,
} from './newborns.ts';
import { type Practice, type ProviderKind, pickProvider } from './practice.ts';
import { chooseGestationDays, inventPregnancy } from './pregnancies.ts';
import type { Random } from './random.ts';
import { type Birth, chooseStyle } from './sender-style.ts';
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

// Our choice of shares, for variety. Active consent that is not granted is denied in part.
const CONSENTS: Weights<Omit<ConsentDecision, 'date_time'>> = [
  [{ granted: true, status: 'active' }, 84],
  [{ granted: false, status: null }, 7],
  [{ granted: false, status: 'proposed' }, 4],
  [{ granted: false, status: 'active' }, 3],
  [{ granted: false, status: 'rejected' }, 2],
];
const DOULA = { hospital: 0.05, elsewhere: 0.3 } as const;

export const inventBirth = (
  chartNumber: string,
  window: BirthWindow,
  practice: Practice,
  lane: Lane,
  random: Random,
): { readonly birth: Birth; readonly lastBornAt: Moment } => {
  const { zone } = practice.region;
  const stillborn = random.chance(STILLBIRTH);
  const plurality = stillborn ? 1 : random.weighted(PLURALITY);
  // Multiples and stillbirths at home are too rare for the usual shares.
  const setting = stillborn || plurality > 1 ? 'hospital' : random.weighted(SETTINGS);
  const days = chooseGestationDays({ setting, plurality, stillborn }, random);
  const breeches = Array.from({ length: plurality }, (_, at) => drawBreech(days, at + 1, random));
  const { mother, history } = inventMother(
    formatLocalDate(window.about, zone),
    practice.region,
    random,
  );
  const labor = inventLabor(
    { setting, plurality, stillborn, days, breech: breeches[0] === true, history },
    practice,
    random,
  );
  const first =
    labor.trial_of_labor === false ? chooseScheduledMoment(window, practice, random) : window.about;
  const birthDate = formatLocalDate(first, zone);
  const pregnancy = inventPregnancy(birthDate, days, practice, random);
  const shared = {
    family: mother.family_name,
    days,
    plurality,
    stillborn,
    smoked: (pregnancy.cigarettes_first_trimester ?? 0) > 0,
    origin: findNameOrigin(mother),
    heavier: chooseHeaviness(random),
  };
  const moments = chooseBirthMoments(first, plurality, labor.delivery_method === CESAREAN, random);
  const children = moments.map((moment, at) =>
    inventNewborn(
      shared,
      { bornAt: formatZoned(moment, zone), order: at + 1, breech: breeches[at] === true },
      random,
    ),
  );
  const inHospital = labor.place_of_birth === 'Hospital';
  const facility = random.pick(practice.otherHospitals);
  const attendant = pickProvider(practice, chooseAttendantKind(labor, random), random);
  const certifier = chooseCertifier(attendant, practice, random);
  const doula = random.chance(inHospital ? DOULA.hospital : DOULA.elsewhere)
    ? [pickProvider(practice, 'doula', random)]
    : [];
  const consent = random.weighted(CONSENTS);
  const consentAt = formatZoned(first - random.whole(1, 60) * DAY, zone);
  const areMoved = children.map((child) => isMoved(child, inHospital, random));
  const course: CourseOfCare = {
    ...emptyCourseOfCare(),
    chart_number: chartNumber,
    ig_version: '2.0.0',
    mother: { ...mother, age_at_delivery: countWholeYears(mother.birth_date ?? '', birthDate) },
    children: children.map((child, at) =>
      areMoved[at] === true ? { ...child, transfer_within_day: true } : child,
    ),
    plurality,
    ...pregnancy,
    ...history,
    ...labor,
    transfers: [
      ...labor.transfers,
      ...children
        .filter((_, at) => areMoved[at])
        .map((child) => describeMove(child, plurality, facility)),
    ],
    attendant: attendant.providerId,
    certifier: certifier.providerId,
    doula_present: doula.length > 0,
    consent: { ...consent, date_time: consent.status === null ? null : consentAt },
  };
  const birth = {
    course,
    providers: [...new Set([attendant, certifier, ...doula])],
    style: chooseStyle(lane, course, random),
  };
  return { birth, lastBornAt: moments.at(-1) ?? first };
};

// Scheduled cesareans take place on weekdays, between half past seven and four.
const chooseScheduledMoment = (
  { about, from, to }: BirthWindow,
  practice: Practice,
  random: Random,
): Moment => {
  const { zone } = practice.region;
  const day = findWeekday(about, zone);
  const friday = day === 6 ? -1 : 0;
  const monday = day === 0 ? 1 : friday;
  const midday = findStartOfDate(formatLocalDate(about, zone), zone) + 12 * HOUR + monday * DAY;
  const moment = midday + random.whole(-270, 240) * MINUTE;
  return moment >= from && moment < to ? moment : about;
};

const chooseAttendantKind = (
  { delivery_method, place_of_birth: place, planned_place_of_birth: planned }: Labor,
  random: Random,
): ProviderKind => {
  if (delivery_method === CESAREAN) return 'physician';
  if (place === 'Hospital') return random.weighted(VAGINAL_ATTENDANTS);
  return place === planned ? random.weighted(COMMUNITY_ATTENDANTS) : 'nurse';
};

const chooseCertifier = (
  attendant: NamedProvider,
  practice: Practice,
  random: Random,
): NamedProvider =>
  random.chance(0.7)
    ? attendant
    : pickProvider(practice, random.pick(['nurse', 'physician']), random);
