import type { NamedProvider } from '../../domain/provider/details.ts';
import { inventProviderName } from './names.ts';
import type { Random } from './random.ts';
import { inventRegion, type Region } from './region.ts';

export type ProviderKind = 'physician' | 'nurse-midwife' | 'midwife' | 'nurse' | 'doula';

/** Provider by the partner's own id; some have a second identity in its system, with another id. */
interface Provider {
  readonly usual: NamedProvider;
  readonly second: NamedProvider | null;
}

export interface Practice {
  readonly region: Region;
  readonly hospital: string;
  /** Hospitals that mothers are transferred from and newborns to. */
  readonly otherHospitals: readonly string[];
  readonly birthCenter: string;
  readonly clinic: string;
  readonly prenatalSites: readonly string[];
  readonly providers: Readonly<Record<ProviderKind, readonly Provider[]>>;
}

const CREDENTIALS: Readonly<Record<ProviderKind, readonly string[]>> = {
  physician: [
    'MD, Obstetrics and Gynecology',
    'MD, Family Medicine',
    'DO, Obstetrics and Gynecology',
    'M.D., Physician',
  ],
  'nurse-midwife': ['Certified Nurse Midwife (CNM)', 'CNM, MSN', 'CNM, MD'],
  midwife: ['Certified Professional Midwife (CPM)', 'LM, Licensed Midwife', 'CPM, LM'],
  nurse: ['Registered Nurse (RN)'],
  doula: ['Certified birth doula'],
};

const ROSTER: Readonly<Record<ProviderKind, number>> = {
  physician: 9,
  'nurse-midwife': 4,
  midwife: 4,
  nurse: 4,
  doula: 3,
};

const SECOND_IDENTITY_SHARE = 0.2;

export const inventPractice = (random: Random): Practice => {
  const region = inventRegion(random);
  const [first, second = first, third = second] = region.towns.map(({ name }) => name);
  const roster = (kind: ProviderKind): readonly Provider[] =>
    Array.from({ length: ROSTER[kind] }, (_, index) => inventProvider(kind, index, random));
  return {
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

const inventProvider = (kind: ProviderKind, index: number, random: Random): Provider => {
  // The first provider of each kind has the plainest credential, so that every staff includes it.
  const credentials = CREDENTIALS[kind][index] ?? random.pick(CREDENTIALS[kind]);
  const name = inventProviderName(random);
  const role = kind === 'nurse-midwife' ? 'midwife' : kind;
  const usual = {
    ...inventIdentity(random),
    npi: inventNpi(kind, random),
    name,
    credentials,
    role,
  };
  const initial = name.replace(/^(.)\S*/u, '$1.');
  const hasSecond = kind !== 'doula' && random.chance(SECOND_IDENTITY_SHARE);
  return {
    usual,
    second: hasSecond ? { ...usual, ...inventIdentity(random), name: initial } : null,
  };
};

const inventIdentity = (random: Random): Pick<NamedProvider, 'identity' | 'providerId'> => {
  const identity = `prv-${random.whole(0x10000000, 0xffffffff).toString(16)}`;
  return { identity, providerId: identity };
};

// Real NPIs begin with 1 or 2, so none of these can be real.
const inventNpi = (kind: ProviderKind, random: Random): string | null =>
  kind === 'doula' || kind === 'midwife' ? null : `9${random.whole(100_000_000, 999_999_999)}`;

/** Share of reports that name the second identity. */
const SECOND_IDENTITY_USE = 0.3;

export const pickProvider = (
  practice: Practice,
  kind: ProviderKind,
  random: Random,
): NamedProvider => {
  const { usual, second } = random.pick(practice.providers[kind]);
  return second !== null && random.chance(SECOND_IDENTITY_USE) ? second : usual;
};
