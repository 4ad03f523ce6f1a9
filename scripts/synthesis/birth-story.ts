import type { PlaceOfBirth } from '../../domain/course/codes.ts';
import type { Moment } from './calendar.ts';
import type { MotherNames } from './names.ts';
import type { ProviderIdentity } from './practice.ts';
import type { Home } from './region.ts';

/** Delivery methods, with labels from the certificate. */
export type DeliveryMethod = 'spontaneous' | 'forceps' | 'vacuum' | 'cesarean';

/** Facts about the mother. Inches and pounds, as on the certificate; dates `YYYY-MM-DD`. */
export interface MotherFacts extends MotherNames {
  readonly birthDate: string;
  readonly race: readonly string[];
  readonly hispanic: boolean;
  readonly education: string;
  readonly home: Home;
  readonly phone: string;
  readonly recordNumber: string;
  readonly heightInches: number;
  readonly prepregnancyPounds: number;
  readonly deliveryPounds: number;
  readonly earlierLiving: number;
  readonly earlierDead: number;
  readonly earlierLosses: number;
  readonly earlierCesareans: number;
}

/** Facts about one baby. */
export interface ChildFacts {
  /** Empty until the parents decide. */
  readonly given: readonly string[];
  readonly sex: 'male' | 'female';
  readonly bornAt: Moment;
  /** Birth order, 1 for a single baby. */
  readonly order: number;
  readonly recordNumber: string;
  readonly stillborn: boolean;
  /** True if alive at the time of the report. */
  readonly living: boolean;
  readonly grams: number;
  /**
   * Apgar scores; `null` for stillbirths, and at ten minutes unless the five-minute score is under
   * 6.
   */
  readonly apgarOne: number | null;
  readonly apgarFive: number | null;
  readonly apgarTen: number | null;
  readonly breech: boolean;
  readonly intensiveCare: boolean;
  readonly breastfed: boolean;
  /** Name of the hospital that the baby was transferred to. */
  readonly movedTo: string | null;
}

/** Facts about the pregnancy. Cigarettes are per day; dates `YYYY-MM-DD`, `null` if none. */
export interface PregnancyFacts {
  /** Gestation at birth, in days. */
  readonly days: number;
  readonly lastPeriod: string;
  readonly firstVisit: string | null;
  readonly visits: number;
  readonly site: string | null;
  readonly wic: boolean;
  /** Before pregnancy, and in each trimester. */
  readonly cigarettes: readonly [number, number, number, number];
}

/** Facts about labor and birth, with the registry's codes. */
export interface LaborFacts {
  readonly place: PlaceOfBirth;
  readonly plannedPlace: PlaceOfBirth;
  readonly method: DeliveryMethod;
  /** True if labor preceded the birth. */
  readonly labored: boolean;
  readonly position: string | null;
  readonly inductionIndication: string | null;
  readonly inductionAgents: readonly string[];
  readonly augmentationAgents: readonly string[];
  readonly urgentCesarean: boolean;
  readonly delayedClamping: boolean;
  /** Facility that transferred the mother during labor. */
  readonly movedFrom: string | null;
}

/** The mother's decision about her data; `none` if she was not asked. */
export type ConsentFacts = 'granted' | 'denied in part' | 'proposed' | 'rejected' | 'none';

/** Error of the client, for which the registry omits a value with a warning. */
export type Slip = 'Apgar score of 14' | 'weight in stones' | 'first visit without day';

/** Format of the report, independent of the facts. */
export interface Wording {
  /** Optional values that are omitted. */
  readonly missing: ReadonlySet<OptionalValue>;
  readonly weightUnit: 'grams' | 'kilograms' | 'pounds and ounces';
  readonly ageUnit: 'weeks' | 'days';
  readonly addresses: 'urls' | 'uuids';
  /** Representation of the place: type of the Location, as in the BFDR guide, or none. */
  readonly placeStyle: 'type' | 'guide' | 'unstated';
  readonly timeStyle: 'with offset' | 'local' | 'date only';
  readonly slip: Slip | null;
}

/** Values that a client may omit. */
export const OPTIONAL_VALUES = [
  'address',
  'apgarOne',
  'augmentation',
  'birthSurname',
  'breastfed',
  'cigarettes',
  'clamping',
  'deliveryWeight',
  'doula',
  'education',
  'firstVisit',
  'height',
  'lastPeriod',
  'phone',
  'plannedPlace',
  'position',
  'prenatalSite',
  'prepregnancyWeight',
  'previousBirths',
  'race',
  'visits',
  'wic',
] as const;

export type OptionalValue = (typeof OPTIONAL_VALUES)[number];

/** Course of care, with its facts and the format of its report. */
export interface BirthStory {
  readonly chartNumber: string;
  readonly mother: MotherFacts;
  readonly children: readonly ChildFacts[];
  readonly pregnancy: PregnancyFacts;
  readonly labor: LaborFacts;
  readonly consent: ConsentFacts;
  readonly consentAt: Moment;
  readonly attendant: ProviderIdentity;
  readonly certifier: ProviderIdentity;
  readonly doula: ProviderIdentity | null;
  readonly wording: Wording;
}
