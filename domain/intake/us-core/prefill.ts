import type { EhrSource } from '../../course/course.ts';
import type { TextSettings } from '../form/convert-texts.ts';
import type { FormValues } from '../form/form-fields.ts';

/** Source of a pre-filled value. */
export type EhrSourceWithDisplay = EhrSource & {
  /** Its name in the EHR. */
  readonly display: string | null;
};

/** Person that a value describes. A child is identified by its row. */
export type Described =
  | { readonly subject: 'mother'; readonly child: null }
  | { readonly subject: 'child'; readonly child: number };

/** Value from the EHR for a field of the course of care. */
export type PrefillValue = Described & {
  /** Value of the canonical field; a list for races and given names. */
  readonly value: string | number | boolean | readonly string[];
  readonly from: EhrSourceWithDisplay;
  /** Sentence on how the value was derived, if the EHR does not state it directly. */
  readonly derived: string | null;
  /** Sentence on what to check before accepting the value. */
  readonly caution: string | null;
};

/** Value that was read but not offered for a field, with the reason as a sentence. */
export interface SkippedValue {
  /** Label: `Birth weight`. */
  readonly what: string;
  /** Value in the EHR's own words, such as `3,410 g`; null if it is not a short text. */
  readonly said: string | null;
  readonly why: string;
  readonly from: EhrSourceWithDisplay;
}

/** Information that does not fit any field directly. */
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
  /** Field that it helps to fill in, or null. */
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
   * Candidates by canonical path with the child's row (`mother.family_name`,
   * `children.0.birth_weight_grams`), best first. Several candidates mean that the chart
   * contradicts itself. The lists of gestational weeks and days are parallel.
   */
  readonly values: Readonly<Record<string, readonly PrefillValue[]>>;
  /** Number of child rows; 0 if nothing is known about any child. */
  readonly children: number;
  readonly hints: readonly PrefillHint[];
  readonly notTaken: readonly SkippedValue[];
  /** Number of entries omitted without a report: about other people, refuted, or entered in error. */
  readonly leftOut: number;
}

/** Part of the chart that could not be read completely. */
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
  /** The EHR's FHIR address, from the allow-list. */
  readonly issuer: string;
  /** True if the patient's name and birth date must be shown. */
  readonly needsPatientBanner: boolean;
}

/**
 * Chart that was read for a browser, stored until it is saved as a record, discarded, or half an
 * hour old.
 */
export interface SavedPrefill {
  readonly prefillId: string;
  readonly chart: ReadChart;
  readonly keptAt: Date;
}

/**
 * Chart that was read before its practice is known: read in UTC, and in each time zone that changes
 * the result.
 */
export type SavedChart = ReadChart & {
  readonly inZones?: Readonly<Record<string, ReadChart>>;
};

/** Selects the reading of a saved chart for a time zone. @param timeZone IANA name */
export const pickChart = ({ inZones = {}, ...chart }: SavedChart, timeZone: string): ReadChart =>
  inZones[timeZone] ?? chart;

/** Identifies a pre-fill of a browser. */
export interface PrefillName {
  /** Id of the browser that launched. */
  readonly browser: string;
  readonly prefillId: string;
}

/** Record that a pre-fill was saved as. */
export interface SavedAs {
  readonly practiceId: string;
  readonly submissionUuid: string;
  /** Saved form, to warn another tab that has other values; missing in rows of 0.2. */
  readonly values?: FormValues;
}

/** Review of a pre-fill so far. */
export interface PrefillReview {
  /** Chosen role of the launched person. */
  readonly as: Prefill['as'];
  /** Ids of other pre-fills of the browser that were added to it. */
  readonly with?: readonly string[];
  /** Content of the form. */
  readonly values: FormValues;
  /** Settings that say what its dates and times mean; missing in rows of 0.2. */
  readonly typedUnder?: TextSettings;
}

/** Stored review. */
export interface KeptReview extends PrefillReview {
  /** Number of times that it was saved. */
  readonly revision: number;
}

/**
 * Result of saving a review. `finished`: it was saved as a record. `changed`: another tab has saved it
 * since this form was opened, and nothing was replaced. `outdated`: a later request of the same form
 * arrived first, and nothing was replaced.
 */
export type SavedReview =
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'finished' | 'outdated' }
  | { readonly kind: 'changed'; readonly review: KeptReview };
