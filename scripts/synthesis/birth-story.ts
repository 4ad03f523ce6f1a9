import type { PlaceOfBirth } from '../../domain/course/codes.ts';
import type { Moment } from './calendar.ts';
import type { MotherNames } from './names.ts';
import type { ProviderIdentity } from './practice.ts';
import type { Home } from './region.ts';

/** How a baby came, by the labels of the certificate. */
export type DeliveryMethod = 'spontaneous' | 'forceps' | 'vacuum' | 'cesarean';

/** What is true of the mother. Inches and pounds, as the certificate has them; dates `YYYY-MM-DD`. */
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

/** What is true of one baby. */
export interface ChildFacts {
  /** Empty while the parents have not decided. */
  readonly given: readonly string[];
  readonly sex: 'male' | 'female';
  readonly bornAt: Moment;
  /** 1 for the first of twins; 1 for a single baby. */
  readonly order: number;
  readonly recordNumber: string;
  readonly stillborn: boolean;
  /** Alive when the report was made. */
  readonly living: boolean;
  readonly grams: number;
  /** Apgar scores; null for the stillborn, and at ten minutes unless five minutes were under 6. */
  readonly apgarOne: number | null;
  readonly apgarFive: number | null;
  readonly apgarTen: number | null;
  readonly breech: boolean;
  readonly intensiveCare: boolean;
  readonly breastfed: boolean;
  /** Taken to another hospital: its name. */
  readonly movedTo: string | null;
}

/** What is true of the pregnancy. Cigarettes are a day; dates `YYYY-MM-DD`, null where there was none. */
export interface PregnancyFacts {
  /** Gestation at birth, in days. */
  readonly days: number;
  readonly lastPeriod: string;
  readonly firstVisit: string | null;
  readonly visits: number;
  readonly site: string | null;
  readonly wic: boolean;
  /** Before, and in the three trimesters. */
  readonly cigarettes: readonly [number, number, number, number];
}

/** What is true of labor and birth. Codes are those of the registry. */
export interface LaborFacts {
  readonly place: PlaceOfBirth;
  readonly plannedPlace: PlaceOfBirth;
  readonly method: DeliveryMethod;
  /** Labor came before the birth. */
  readonly labored: boolean;
  readonly position: string | null;
  readonly inductionIndication: string | null;
  readonly inductionAgents: readonly string[];
  readonly augmentationAgents: readonly string[];
  readonly urgentCesarean: boolean;
  readonly delayedClamping: boolean;
  /** The mother came from this facility during labor. */
  readonly movedFrom: string | null;
}

/** What the mother decided about her data; `none` if she was not asked. */
export type ConsentFacts = 'granted' | 'denied in part' | 'proposed' | 'rejected' | 'none';

/** A value that the sender gets wrong, so that the registry leaves it out with a warning. */
export type Slip = 'Apgar score of 14' | 'weight in stones' | 'first visit without day';

/** How the sender writes what is true; it has no part in the facts. */
export interface Wording {
  /** Optional values that are not sent. */
  readonly missing: ReadonlySet<OptionalValue>;
  readonly weightUnit: 'grams' | 'kilograms' | 'pounds and ounces';
  readonly ageUnit: 'weeks' | 'days';
  readonly addresses: 'urls' | 'uuids';
  /** How the place is sent: by the type of the Location, as the BFDR guide does it, or not at all. */
  readonly placeStyle: 'type' | 'guide' | 'unstated';
  readonly timeStyle: 'with offset' | 'local' | 'date only';
  readonly slip: Slip | null;
}

/** Values that a sender may leave out. */
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

/** One of the values that a sender may leave out. */
export type OptionalValue = (typeof OPTIONAL_VALUES)[number];

/** One course of care as it happened, and how it is written down. */
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
