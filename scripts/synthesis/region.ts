import type { Address } from '../../domain/course/course.ts';
import type { Zone } from './calendar.ts';
import { inventTownName, pickFamilyName, pickStreetName } from './names.ts';
import type { Random } from './random.ts';

interface Town {
  readonly name: string;
  readonly county: string;
  readonly postal: string;
}

/** Region of a practice and its clients. The state is real, the towns are fictional. */
export interface Region {
  readonly state: string;
  readonly zone: Zone;
  /** IANA name of the time zone. */
  readonly timeZone: string;
  readonly areaCode: string;
  readonly towns: readonly Town[];
}

/** State, time zone, winter offset, daylight saving time, area code, first digits of ZIP codes. */
const STATES = [
  ['WI', 'America/Chicago', -6, true, '608', '539'],
  ['NC', 'America/New_York', -5, true, '919', '279'],
  ['CO', 'America/Denver', -7, true, '970', '815'],
  ['AZ', 'America/Phoenix', -7, false, '520', '856'],
  ['OR', 'America/Los_Angeles', -8, true, '541', '974'],
] as const;
const TOWNS = 4;

/** Generates a region: a state with fictional towns in two counties. */
export const inventRegion = (random: Random): Region => {
  const [state, timeZone, standardHours, hasDaylightTime, areaCode, postal] = random.pick(STATES);
  const counties = [pickFamilyName(random), pickFamilyName(random)];
  const towns = Array.from({ length: TOWNS }, (_, at) => ({
    name: inventTownName(random),
    county: counties[at % 2] ?? '',
    postal: `${postal}${9 - at}`,
  }));
  return { state, timeZone, zone: { standardHours, hasDaylightTime }, areaCode, towns };
};

export const inventHome = ({ state, towns }: Region, random: Random): Address => {
  const { name, county, postal } = random.pick(towns);
  const unit = random.chance(0.25) ? `, Apt ${random.whole(1, 48)}` : '';
  return {
    line: `${random.whole(1, 4999)} ${pickStreetName(random)}${unit}`,
    city: name,
    county,
    state,
    postal_code: `${postal}${random.whole(0, 9)}`,
    country: 'US',
  };
};

/** Phone number in the range reserved for fiction, 555-0100 to 555-0199. */
export const inventPhone = ({ areaCode }: Region, random: Random): string =>
  `+1-${areaCode}-555-01${String(random.whole(0, 99)).padStart(2, '0')}`;
