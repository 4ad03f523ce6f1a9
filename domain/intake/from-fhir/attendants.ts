import { readCodes } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';

/** The type of a participant who attended the birth. @see v3-ParticipationType */
export const ATTENDANT = 'ATND';

/**
 * True if a participant of an Encounter attended the birth: ATND whatever the coding system;
 * no other participant.
 * @see spec "Provider identity"
 */
export const isAttendant = (participant: JsonObject): boolean =>
  readCodes(participant['type']).includes(ATTENDANT);
