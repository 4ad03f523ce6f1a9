import { professionalName } from './names.ts';
import type { Random } from './random.ts';
import { type Region, regionFrom } from './region.ts';

/** The role of a provider at births. */
export type ProviderKind = 'physician' | 'nurse-midwife' | 'midwife' | 'nurse' | 'doula';

/** One identity of a provider, as a partner's system knows it. */
export interface ProviderIdentity {
  /** The partner's own id. */
  readonly id: string;
  readonly npi: string | null;
  readonly given: string;
  readonly family: string;
  readonly kind: ProviderKind;
  /** Letters behind the name; null where there are none. */
  readonly suffix: string | null;
  /** The text of the qualification. */
  readonly qualification: string;
}

/** A provider; some stand in the partner's system a second time, under another id. */
export interface Provider {
  readonly usual: ProviderIdentity;
  readonly second: ProviderIdentity | null;
}

/** The practice whose births are made up: where it is, its facilities and who works there. */
export interface Practice {
  readonly chartPrefix: string;
  readonly region: Region;
  readonly hospital: string;
  /** Where mothers come from and newborns are taken to. */
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

/** Makes up a practice. */
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
  // The first of each kind has the plainest credential, so that every roster has it.
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

// Real NPIs begin with 1 or 2: none of these numbers can be a real one.
const npiOf = (kind: ProviderKind, random: Random): string | null =>
  kind === 'doula' || kind === 'midwife' ? null : `9${random.whole(100_000_000, 999_999_999)}`;

/** How often a provider with two identities is named by the second. */
const SECOND_IDENTITY_USE = 0.3;

/** A provider of the practice in this role, under one of their identities. */
export const someProvider = (
  practice: Practice,
  kind: ProviderKind,
  random: Random,
): ProviderIdentity => {
  const { usual, second } = random.pick(practice.providers[kind]);
  return second !== null && random.chance(SECOND_IDENTITY_USE) ? second : usual;
};
