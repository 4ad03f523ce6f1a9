import type { EhrSource } from '../../course/course.ts';
import type { TextSettings } from '../form/convert-texts.ts';
import type { FormValues } from '../form/form-fields.ts';

export type EhrSourceWithDisplay = EhrSource & {
  readonly display: string | null;
};

export type Described =
  | { readonly subject: 'mother'; readonly child: null }
  | { readonly subject: 'child'; readonly child: number };

export type PrefillValue = Described & {
  readonly value: string | number | boolean | readonly string[];
  readonly from: EhrSourceWithDisplay;
  readonly derived: string | null;
  readonly caution: string | null;
};

export interface SkippedValue {
  /** Label: `Birth weight`. */
  readonly what: string;
  /** Value in the EHR's own words, such as `3,410 g`; null if it is not a short text. */
  readonly said: string | null;
  readonly why: string;
  readonly from: EhrSourceWithDisplay;
}

export interface PrefillHint {
  readonly kind:
    | 'place' // name of the place of birth, without a type
    | 'attendant'
    | 'admission' // start of the stay, not the time of birth
    | 'condition'
    | 'plurality'
    | 'parity'
    | 'smoking'
    | 'prenatal-visits'; // only the visits in the EHR, which may not be all
  readonly text: string;
  readonly path: string | null;
  /** Text for the field, as a user would type it. */
  readonly value?: string;
  readonly from: EhrSourceWithDisplay;
}

/** Person of the opened chart, for users to compare with the patient in the room. */
export interface LaunchedPerson {
  readonly name: string | null;
  /** FHIR date as sent; can be a year or a month. */
  readonly birthDate: string | null;
  readonly sex: 'female' | 'male' | 'other' | 'unknown' | null;
  readonly medicalRecordNumber: string | null;
}

/** Chart mapped as a mother's or a newborn's. */
export interface Prefill {
  readonly as: 'mother' | 'newborn';
  /**
   * Canonical path with the child's row, best first; several mean that the chart contradicts itself. The
   * lists of gestational weeks and days are parallel.
   */
  readonly values: Readonly<Record<string, readonly PrefillValue[]>>;
  /** Number of child rows; 0 if nothing is known about any child. */
  readonly children: number;
  readonly hints: readonly PrefillHint[];
  readonly notTaken: readonly SkippedValue[];
  /** Number of entries omitted without a report: about other people, refuted, or entered in error. */
  readonly leftOut: number;
}

export interface UnreadPart {
  readonly part: 'Patient' | 'Observation' | 'Condition' | 'Encounter';
  /** Names of its values that are meant, as the page shows them, if they are known. */
  readonly of?: readonly string[];
  readonly why:
    | 'not-granted' // the EHR did not allow it
    | 'narrowed' // the EHR allows only some categories
    | 'not-readable' // an error or a timeout
    | 'failed' // the EHR reported an error beside its matches
    | 'incomplete' // only the first pages
    | 'replaced' // the EHR has another chart instead, or no longer uses this one
    | 'too-large' // some entries exceed the limits of one entry
    | 'modified' // modifier extensions, without which something may mean the opposite
    | 'other-type' // elements of another type than in FHIR, so that a value may be missing
    | 'repeated'; // extensions with different values: only one is read
}

/** Content of a launch, mapped in both ways, because a user can correct the role of the launched person. */
export interface ReadChart {
  readonly person: LaunchedPerson;
  /** Guess by age and sex; null if the clinician has to choose. */
  readonly launched: 'mother' | 'newborn' | null;
  readonly asMother: Prefill;
  readonly asNewborn: Prefill;
  readonly unread: readonly UnreadPart[];
  /** FHIR base URL of the EHR, in stored pre-fills under this name. */
  readonly issuer: string;
  readonly needsPatientBanner: boolean;
}

/** Kept until it is saved as a record, discarded, or half an hour old. */
export interface SavedPrefill {
  readonly prefillId: string;
  readonly chart: ReadChart;
  readonly savedAt: Date;
}

/** Read in UTC, and in each time zone that changes the result, before the practice is known. */
export type SavedChart = ReadChart & {
  readonly inZones?: Readonly<Record<string, ReadChart>>;
};

export const pickChart = ({ inZones = {}, ...chart }: SavedChart, timeZone: string): ReadChart =>
  inZones[timeZone] ?? chart;

export interface PrefillName {
  readonly browser: string;
  readonly prefillId: string;
}

export interface SavedAs {
  readonly practiceId: string;
  readonly submissionUuid: string;
  /** Saved form, to warn another tab that has other values; missing in rows of 0.2. */
  readonly values?: FormValues;
}

export interface PrefillReview {
  readonly as: Prefill['as'];
  readonly with?: readonly string[];
  readonly values: FormValues;
  /** Time zone and date order in which its texts were typed; missing in rows of 0.2. */
  readonly typedUnder?: TextSettings;
}

export interface VersionedReview extends PrefillReview {
  readonly revision: number;
}

/**
 * `changed`: another tab has saved it. `outdated`: a later request of the same form arrived first.
 * Nothing was replaced in either case.
 */
export type SavedReview =
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'finished' | 'outdated' }
  | { readonly kind: 'changed'; readonly review: VersionedReview };
