import type { ItemReason } from '../../../domain/birth-record/item-reasons.ts';
import type { ItemSection, Worksheet } from '../../../domain/course/certificate-items.ts';

export const SECTION_TEXT: Readonly<Record<ItemSection, string>> = {
  mother: 'Mother',
  pregnancy: 'Pregnancy',
  birth: 'Labor and birth',
  child: 'Child',
};

export const WORKSHEETS: readonly Worksheet[] = ['mother', 'facility'];

export const WORKSHEET_TEXT: Readonly<Record<Worksheet, string>> = {
  mother: 'Mother’s worksheet',
  facility: 'Facility worksheet',
};

/** Why an item is missing. */
export const REASON_TEXT: Readonly<Record<ItemReason['kind'], string>> = {
  unobtainable: 'Will not be known',
  awaited: 'Not available yet',
};
