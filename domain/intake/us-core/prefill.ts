import type { EhrSource } from '../../course/course.ts';
import type { FormValues } from '../form/form-fields.ts';

/** Source of a pre-filled value. */
export type EhrSourceWithDisplay = EhrSource & {
  /** Its name in the EHR. */
  readonly display: string | null;
};

/** The person a value describes; a child by its place among the rows. */
export type Described =
  | { readonly subject: 'mother'; readonly child: null }
  | { readonly subject: 'child'; readonly child: number };

/** One value that the EHR offers for a field of the course of care. */
export type PrefillValue = Described & {
  /** As the canonical field holds it; a list for races and given names. */
  readonly value: string | number | boolean | readonly string[];
  readonly from: EhrSourceWithDisplay;
  /** Sentence on how the value was derived, if the EHR does not state it directly. */
  readonly derived: string | null;
  /** A sentence on what to look at before it is taken. */
  readonly caution: string | null;
};

/** Value that was read but is offered for no field, with the reason as a sentence. */
export interface SkippedValue {
  /** Label: `Birth weight`. */
  readonly what: string;
  /** As the EHR says it: `3,410 g`; null where it is no short text. */
  readonly said: string | null;
  readonly why: string;
  readonly from: EhrSourceWithDisplay;
}

/** Something to know that fits no field as it stands. */
export interface PrefillHint {
  readonly kind:
    | 'place' // where the birth was: a name, no type
    | 'attendant'
    | 'admission' // start of the stay; no time of birth
    | 'condition'
    | 'plurality'
    | 'parity'
    | 'smoking'
    | 'prenatal-visits'; // visits that the EHR holds, not all there were
  readonly text: string;
  /** The field that it helps to fill in; null for none. */
  readonly path: string | null;
  /** Text for the field, as a person would type it. */
  readonly value?: string;
  readonly from: EhrSourceWithDisplay;
}

/** Person of the opened chart, to show and to compare with the patient in the room. */
export interface LaunchedPerson {
  readonly name: string | null;
  /** FHIR date as sent; can be a year or a month. */
  readonly birthDate: string | null;
  readonly sex: 'female' | 'male' | 'other' | 'unknown' | null;
  readonly medicalRecordNumber: string | null;
}

/** A chart mapped as that of a mother, or of a newborn. */
export interface Prefill {
  readonly as: 'mother' | 'newborn';
  /**
   * By canonical path with the child's place (`mother.family_name`, `children.0.birth_weight_grams`),
   * the best candidate first. Several: the chart says different things. Gestational weeks and days
   * are two lists in step.
   */
  readonly values: Readonly<Record<string, readonly PrefillValue[]>>;
  /** Rows of children: 0 where nothing is known of any. */
  readonly children: number;
  readonly hints: readonly PrefillHint[];
  readonly notTaken: readonly SkippedValue[];
  /** Entries of other people, refuted or entered in error: left out without more words. */
  readonly leftOut: number;
}

/** A part of the chart that could not be read as a whole. */
export interface UnreadPart {
  readonly part: 'Observation' | 'Condition' | 'Encounter';
  readonly why:
    | 'not-granted' // the EHR did not allow it
    | 'narrowed' // the EHR allows some categories only
    | 'not-readable' // nothing came: an error, or too late
    | 'incomplete'; // the first pages came
}

/** Content of a launch, mapped in both ways, because a user can correct the role of the launched person. */
export interface ReadChart {
  readonly person: LaunchedPerson;
  /** By age and sex; null: ask the clinician. */
  readonly launched: 'mother' | 'newborn' | null;
  readonly asMother: Prefill;
  readonly asNewborn: Prefill;
  readonly unread: readonly UnreadPart[];
  /** The EHR's FHIR address, from the allow-list. */
  readonly issuer: string;
  /** True if the patient's name and birth date must be shown. */
  readonly needsPatientBanner: boolean;
}

/** A chart that was read for a browser, kept until it is saved, dropped or half an hour old. */
export interface SavedPrefill {
  readonly prefillId: string;
  readonly chart: ReadChart;
  readonly keptAt: Date;
}

/**
 * A chart that was read before its practice is known: by UTC, and by the clocks of the
 * zones in which it says something else.
 */
export type SavedChart = ReadChart & {
  readonly inZones?: Readonly<Record<string, ReadChart>>;
};

/** Picks the reading of a kept chart whose days are those of a zone's clock. @param timeZone IANA name */
export const pickChart = ({ inZones = {}, ...chart }: SavedChart, timeZone: string): ReadChart =>
  inZones[timeZone] ?? chart;

/** Which pre-fill of which browser is meant. */
export interface PrefillName {
  /** Names the browser that launched. */
  readonly browser: string;
  readonly prefillId: string;
}

/** The record that a pre-fill was saved as. */
export interface SavedAs {
  readonly practiceId: string;
  readonly submissionUuid: string;
}

/** Review of a pre-fill so far. */
export interface PrefillReview {
  /** Chosen role of the launched person. */
  readonly as: Prefill['as'];
  /** Pre-fills of the same browser that were added to it. */
  readonly with?: readonly string[];
  /** Content of the form. */
  readonly values: FormValues;
}
