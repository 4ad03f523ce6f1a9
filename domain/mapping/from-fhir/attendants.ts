import { readCodes } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';

/** Type of a participant who attended the birth. @see v3-ParticipationType */
export const ATTENDANT = 'ATND';

/** Only ATND, with any code system. @see spec "Provider identity" */
export const isAttendant = (participant: JsonObject): boolean =>
  readCodes(participant['type']).includes(ATTENDANT);
