import type { KeptPrefill } from '../../../domain/us-core/kept-prefills.ts';
import type { Prefill } from '../../../domain/us-core/prefill.ts';

/** Where a pre-fill is looked over and saved. */
export const PREFILL_PATH = '/registry/capture/prefill';

/** Where one of the browser's pre-fills is found. */
export const prefillAt = (prefillId: string): string => `${PREFILL_PATH}?id=${prefillId}`;

/** Whose chart a pre-fill may be taken for. */
export type TakenAs = Prefill['as'];

/** The person whose chart it is, as a text says it; null for neither. */
export const takenAs = (text: string): TakenAs | null =>
  text === 'mother' || text === 'newborn' ? text : null;

/** The pre-fill as it is taken. */
export const prefillOf = ({ chart }: KeptPrefill, as: TakenAs): Prefill =>
  as === 'mother' ? chart.asMother : chart.asNewborn;
