import { professionalName } from './names.ts';
import type { Random } from './random.ts';
import { type Region, regionFrom } from './region.ts';

/** Profession of a provider. */
export type ProviderKind = 'physician' | 'nurse-midwife' | 'midwife' | 'nurse' | 'doula';

/** Identity of a provider in a partner's system. */
export interface ProviderIdentity {
  /** Partner's own id. */
  readonly id: string;
  readonly npi: string | null;
  readonly given: string;
  readonly family: string;
  readonly kind: ProviderKind;
  /** Letters after the name; `null` if none. */
  readonly suffix: string | null;
  /** Text of the qualification. */
  readonly qualification: string;
}

/** Provider; some have a second identity in the partner's system, with another id. */
export interface Provider {
  readonly usual: ProviderIdentity;
  readonly second: ProviderIdentity | null;
}

/** Practice with generated births: its region, facilities, and staff. */
export interface Practice {
  readonly chartPrefix: string;
  readonly region: Region;
  readonly hospital: string;
  /** Hospitals that mothers are transferred from and newborns to. */
  readonly otherHospitals: readonly string[];
  readonly birthCenter: string;
  readonly clinic: string;
  readonly prenatalSites: readonly string[];
  readonly providers: Readonly<Record<ProviderKind, readonly Provider[]>>;
}

type Credential = Pick<ProviderIdentity, 'suffix' | 'qualification'>;

const CREDENTIALS: Readonly<Record<ProviderKind, readonly Credential[]>> = {
  physician: [
    { suffix: 'MD', qualification: 'MD, Obstetrics and Gynecology' },
    { suffix: 'MD', qualification: 'MD, Family Medicine' },
    { suffix: 'DO', qualification: 'DO, Obstetrics and Gynecology' },
    { suffix: 'M.D.', qualification: 'Physician' },
  ],
  'nurse-midwife': [
    { suffix: 'CNM', qualification: 'Certified Nurse Midwife (CNM)' },
    { suffix: 'CNM', qualification: 'CNM, MSN' },
    { suffix: 'CNM, MD', qualification: 'CNM, MD' },
  ],
  midwife: [
    { suffix: 'CPM', qualification: 'Certified Professional Midwife (CPM)' },
    { suffix: 'LM', qualification: 'Licensed Midwife' },
    { suffix: 'CPM, LM', qualification: 'CPM, LM' },
  ],
  nurse: [{ suffix: 'RN', qualification: 'Registered Nurse (RN)' }],
  doula: [{ suffix: null, qualification: 'Certified birth doula' }],
};

const ROSTER: Readonly<Record<ProviderKind, number>> = {
  physician: 9,
  'nurse-midwife': 4,
  midwife: 4,
  nurse: 4,
  doula: 3,
};

const SECOND_IDENTITY_SHARE = 0.2;

/** Generates a practice. */
export const practiceFrom = (chartPrefix: string, random: Random): Practice => {
  const region = regionFrom(random);
  const [first, second = first, third = second] = region.towns.map(({ name }) => name);
  const roster = (kind: ProviderKind): readonly Provider[] =>
    Array.from({ length: ROSTER[kind] }, (_, index) => provider(kind, index, random));
  return {
    chartPrefix,
    region,
    hospital: `${first} Community Hospital`,
    otherHospitals: [`${second} Regional Medical Center`, `${region.state} Women and Infants`],
    birthCenter: `${second} Birth Center`,
    clinic: `${third} Family Clinic`,
    prenatalSites: [
      `${first} Women’s Health`,
      `${second} Midwifery`,
      `${third} Family Clinic`,
      `${third} County Health Department`,
    ],
    providers: {
      physician: roster('physician'),
      'nurse-midwife': roster('nurse-midwife'),
      midwife: roster('midwife'),
      nurse: roster('nurse'),
      doula: roster('doula'),
    },
  };
};

const provider = (kind: ProviderKind, index: number, random: Random): Provider => {
  const credentials = CREDENTIALS[kind];
  // The first provider of each kind has the plainest credential, so that every staff includes it.
  const credential = credentials[index] ?? random.pick(credentials);
  const { given, family } = professionalName(random);
  const usual: ProviderIdentity = {
    id: `prv-${random.uuid().slice(0, 8)}`,
    npi: npiOf(kind, random),
    given,
    family,
    kind,
    ...credential,
  };
  const second: ProviderIdentity = {
    ...usual,
    id: `prv-${random.uuid().slice(0, 8)}`,
    given: `${given.slice(0, 1)}.`,
  };
  const hasSecond = kind !== 'doula' && random.chance(SECOND_IDENTITY_SHARE);
  return { usual, second: hasSecond ? second : null };
};

// Real NPIs begin with 1 or 2, so none of these can be real.
const npiOf = (kind: ProviderKind, random: Random): string | null =>
  kind === 'doula' || kind === 'midwife' ? null : `9${random.whole(100_000_000, 999_999_999)}`;

/** Share of reports that name the second identity. */
const SECOND_IDENTITY_USE = 0.3;

/** Picks a provider of this profession, under one of their identities. */
export const someProvider = (
  practice: Practice,
  kind: ProviderKind,
  random: Random,
): ProviderIdentity => {
  const { usual, second } = random.pick(practice.providers[kind]);
  return second !== null && random.chance(SECOND_IDENTITY_USE) ? second : usual;
};
