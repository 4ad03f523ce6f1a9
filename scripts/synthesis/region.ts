import type { Zone } from './calendar.ts';
import type { Random } from './random.ts';

/** Town of a region, with its county and the first four digits of its ZIP codes. */
export interface Town {
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

/** Address of a mother. */
export interface Home {
  readonly line: string;
  readonly town: Town;
  readonly state: string;
  readonly postalCode: string;
}

const town = (name: string, county: string, postal: string): Town => ({ name, county, postal });

const CENTRAL: Zone = { standardMinutes: -360, hasDaylightTime: true };
const EASTERN: Zone = { standardMinutes: -300, hasDaylightTime: true };
const MOUNTAIN: Zone = { standardMinutes: -420, hasDaylightTime: true };
const ARIZONA: Zone = { standardMinutes: -420, hasDaylightTime: false };
const PACIFIC: Zone = { standardMinutes: -480, hasDaylightTime: true };

const REGIONS: readonly Region[] = [
  {
    state: 'WI',
    zone: CENTRAL,
    timeZone: 'America/Chicago',
    areaCode: '608',
    towns: [
      town('Cedar Hollow', 'Marl', '5399'),
      town('Lake Ansgar', 'Marl', '5398'),
      town('Prairie Ferry', 'Three Rivers', '5397'),
      town('Kettle Bend', 'Three Rivers', '5396'),
    ],
  },
  {
    state: 'NC',
    zone: EASTERN,
    timeZone: 'America/New_York',
    areaCode: '919',
    towns: [
      town('Larkspur Falls', 'Ashlin', '2799'),
      town('Pine Landing', 'Ashlin', '2798'),
      town('Saint Oriel', 'Redclay', '2797'),
      town('Tobin’s Mill', 'Redclay', '2796'),
    ],
  },
  {
    state: 'CO',
    zone: MOUNTAIN,
    timeZone: 'America/Denver',
    areaCode: '970',
    towns: [
      town('Alta Vega', 'Sangre', '8159'),
      town('Stonecup', 'Sangre', '8158'),
      town('Juniper Flats', 'Highmesa', '8157'),
    ],
  },
  {
    state: 'AZ',
    zone: ARIZONA,
    timeZone: 'America/Phoenix',
    areaCode: '520',
    towns: [
      town('Ocotillo Gap', 'Palo Seco', '8569'),
      town('Río Dormido', 'Palo Seco', '8568'),
      town('Copper Saddle', 'Sandhill', '8567'),
    ],
  },
  {
    state: 'OR',
    zone: PACIFIC,
    timeZone: 'America/Los_Angeles',
    areaCode: '541',
    towns: [
      town('Fernhaven', 'Calapoosa', '9749'),
      town('Mistral Point', 'Calapoosa', '9748'),
      town('Wheatgrass', 'Dry Fork', '9747'),
    ],
  },
];

const STREETS: readonly string[] = (
  'Alder, Birchwood, Bluebell, Canal, Chestnut, Clover, Cottonwood, Fieldstone, Goldfinch, ' +
  'Hawthorn, Heron, Hickory, Juniper, Lantern, Maplecrest, Meadowlark, Millrace, Orchard, ' +
  'Quarry, Sandpiper, Sycamore, Thistle, Wagon Wheel, Whippoorwill'
).split(', ');
const KINDS = ['Street', 'Avenue', 'Lane', 'Road', 'Court', 'Way'] as const;

export const regionFrom = (random: Random): Region => random.pick(REGIONS);

/** Generates an address in a region. */
export const homeIn = (region: Region, random: Random): Home => {
  const where = random.pick(region.towns);
  const street = `${random.whole(1, 4999)} ${random.pick(STREETS)} ${random.pick(KINDS)}`;
  const unit = random.chance(0.25) ? `, Apt ${random.whole(1, 48)}` : '';
  return {
    line: `${street}${unit}`,
    town: where,
    state: region.state,
    postalCode: `${where.postal}${random.whole(0, 9)}`,
  };
};

/** Phone number in the range reserved for fiction, 555-0100 to 555-0199. */
export const phoneIn = (region: Region, random: Random): string =>
  `+1-${region.areaCode}-555-01${String(random.whole(0, 99)).padStart(2, '0')}`;
