import type { ItemSection, Worksheet } from '../../../domain/course/certificate-items.ts';

/** Headings of the sections in which the items of the certificate stand. */
export const SECTION_WORDS: Readonly<Record<ItemSection, string>> = {
  mother: 'Mother',
  pregnancy: 'Pregnancy',
  birth: 'Labor and birth',
  child: 'Child',
};

/** The two worksheets: what the mother is asked, and what the facility knows. */
export const WORKSHEETS: readonly Worksheet[] = ['mother', 'facility'];

/** What people call the worksheets, in the middle of a sentence too. */
export const WORKSHEET_WORDS: Readonly<Record<Worksheet, string>> = {
  mother: 'Mother’s worksheet',
  facility: 'Facility worksheet',
};
