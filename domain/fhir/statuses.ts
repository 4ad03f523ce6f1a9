import { asText, type JsonObject } from './json.ts';

/** Statuses of what may never count. */
export const VOID_STATUSES: ReadonlySet<string> = new Set(['entered-in-error', 'cancelled']);

/** Says whether a resource may never count: entered in error, or cancelled. */
export const isVoid = (resource: JsonObject): boolean =>
  VOID_STATUSES.has(asText(resource['status']) ?? '');

/** Statuses of an Observation that is complete and verified. */
export const FINAL_STATUSES: ReadonlySet<string> = new Set(['final', 'amended', 'corrected']);

/** Says whether an Observation is complete and verified, be it after a correction. */
export const isFinal = (observation: JsonObject): boolean =>
  FINAL_STATUSES.has(asText(observation['status']) ?? '');

/** Statuses of an Encounter, or of a stay at a location, that is a plan and no fact. */
export const PLANNED_STATUSES: ReadonlySet<string> = new Set(['planned', 'reserved']);

/** Says whether an Encounter, or a stay at a location, is only planned. */
export const isPlanned = (element: JsonObject): boolean =>
  PLANNED_STATUSES.has(asText(element['status']) ?? '');
