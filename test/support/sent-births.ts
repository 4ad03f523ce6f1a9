import type { JsonObject } from '../../domain/fhir/json.ts';
import type { TestPages } from '../harness/pages.ts';
import { push } from '../harness/service.ts';
import { birthBundle } from './bundles.ts';

/**
 * Pushes one birth that has to be accepted, with the practice's own key unless another is given.
 * @returns its submission uuid
 */
export const sendBirth = async (
  { service, practice }: TestPages,
  bundle: unknown,
  token: string = practice.token,
): Promise<string> => {
  const receipt = await push(service.url, token, bundle);
  if (receipt.status !== 'completed') throw new Error('The ingestion failed.');
  const [entry] = receipt.outcome.accepted;
  if (entry === undefined) throw new Error(JSON.stringify(receipt.outcome.rejected));
  return entry.submission_uuid;
};

/**
 * Twins of March 12, 2026 whose mother has a long name with diacritics, chart number AV-2026-0417.
 * @param weight of the first, in grams
 */
export const twinsBundle = (weight: number, lastUpdated: string): JsonObject =>
  birthBundle({
    chartNumber: 'AV-2026-0417',
    mother: { family: 'Åström-Villanueva de la Cruz', given: ['María José', 'Guadalupe'] },
    lastUpdated,
    children: [
      {
        family: 'Åström',
        given: ['Ümit'],
        order: 1,
        weight,
        weeks: 36,
        gender: 'male',
        birthTime: '2026-03-12T04:31:00-05:00',
      },
      {
        family: 'Åström',
        given: ['Zoë'],
        order: 2,
        weight: 2_310,
        weeks: 36,
        birthTime: '2026-03-12T04:52:00-05:00',
      },
    ],
  });
