import { BINDABLE_ITEMS } from '../../custom-field/bindable-items.ts';
import type { IjeItem } from './columns.ts';
import { IJE_ITEMS } from './items.ts';

/** Content of a column: one of these words, or a code of the layout. */
type Said =
  | 'nothing'
  | 'unknown'
  | 'a value'
  | 'another value'
  | 'its ASCII letters'
  | '0'
  | '00'
  | '01'
  | '98'
  | 'Other'
  | 'N'
  | 'X';

/** Columns for which the document of a child and its line in the state file may differ, and why. */
export interface DocumentDifference {
  readonly columns: readonly string[];
  /** Name of the columns if they are many. */
  readonly name?: string;
  readonly document: Said;
  readonly line: Said;
  readonly why: string;
}

const listColumns = (isListed: (item: IjeItem) => boolean): readonly string[] =>
  IJE_ITEMS.filter(isListed).map(({ name }) => name);

/** The first row that applies to a column counts; nothing else differs. */
export const DOCUMENT_DIFFERENCES: readonly DocumentDifference[] = [
  {
    columns: ['DOR_YR', 'DOR_MO', 'DOR_DY'],
    document: 'a value',
    line: 'nothing',
    why: 'The guide requires Composition.date: the time at which the version was recorded. The state sets the date of registration.',
  },
  {
    columns: ['VOID'],
    document: 'nothing',
    line: '0',
    why: 'A document is void by its status, and the file has no voided records.',
  },
  {
    columns: ['NICU'],
    document: 'nothing',
    line: 'N',
    why: 'The guide can say “no” only to all conditions of the newborn at once. An Observation of the registry’s own has it.',
  },
  {
    columns: ['PCES'],
    document: 'nothing',
    line: 'N',
    why: 'The guide can say “no” only to all risk factors at once.',
  },
  {
    columns: ['NPCES'],
    document: 'nothing',
    line: '00',
    why: 'A mother without an earlier pregnancy had no cesarean. A document has only a number that is held.',
  },
  {
    columns: ['LIVEB'],
    document: 'nothing',
    line: 'a value',
    why: 'A child that lives, or had an Apgar score above 0, was born alive. A document has the count only if that was stated of every child.',
  },
  {
    columns: ['TLAB'],
    document: 'a value',
    line: 'unknown',
    why: 'The layout asks only about cesareans, and the delivery is not known.',
  },
  {
    columns: ['INDL', 'AUGL'],
    document: 'nothing',
    line: 'unknown',
    why: 'The guide can say “no” only to all characteristics of labor at once, and has no form for “unknown”.',
  },
  {
    columns: ['INDL', 'AUGL'],
    document: 'nothing',
    line: 'N',
    why: 'The guide can say “no” only to all characteristics of labor at once. Observations of the registry’s own have it.',
  },
  {
    columns: ['TLAB'],
    document: 'nothing',
    line: 'X',
    why: 'FHIR has no form for “not applicable”, as for a vaginal delivery.',
  },
  {
    columns: ['TLAB'],
    document: 'a value',
    line: 'X',
    why: 'A document has the recorded answer; the layout asks only about cesareans.',
  },
  {
    columns: ['METHNIC5'],
    document: 'a value',
    line: 'nothing',
    why: 'The guide asks for a text beside another Hispanic origin. The origin is not held, so the text is “Hispanic or Latino”.',
  },
  {
    columns: ['SORD'],
    document: 'nothing',
    line: '01',
    why: 'The layout asks for an order of single births, too. A document has only the order that is held.',
  },
  {
    columns: ['MAGE_CALC'],
    document: 'a value',
    line: 'unknown',
    why: 'Readers of a document count the age from both dates. The line leaves out an age that is not possible, since one of the dates is wrong.',
  },
  {
    columns: ['CIGPN', 'CIGFN', 'CIGSN', 'CIGLN', 'PLBL', 'PLBD', 'POPO'],
    document: 'a value',
    line: '98',
    why: 'The layout has 98 for 98 or more.',
  },
  {
    columns: ['TB'],
    document: 'a value',
    line: 'unknown',
    why: 'The line has no date for the time: it leaves out one on another day than the date of birth, and one in UTC without a time zone.',
  },
  {
    columns: ['TB'],
    document: 'nothing',
    line: 'a value',
    why: 'The guide has a time without an offset only beside a whole date. The registry’s own extension has it.',
  },
  {
    columns: ['STATETXT', 'CNTRYTXT'],
    document: 'nothing',
    line: 'a value',
    why: 'A document has each place once, by its code or as text. The line adds the name for the code.',
  },
  {
    columns: ['CERTIF', 'CERTIF_OTH_TXT'],
    document: 'a value',
    line: 'nothing',
    why: 'We are not sure which codes states use for the titles of certifiers, so the line has only name and NPI.',
  },
  {
    columns: ['ATTEND_OTH_TXT'],
    document: 'Other',
    line: 'nothing',
    why: 'A document has a text beside the title “other”. The line has only titles without a code.',
  },
  {
    columns: ['ATTEND', 'ATTEND_NAME', 'ATTEND_OTH_TXT'],
    document: 'a value',
    line: 'another value',
    why: 'If a person corrects the attendant of a partner’s record, the line has the correction; a document names the partner’s provider.',
  },
  {
    columns: BINDABLE_ITEMS.flatMap(({ columns }) => columns.map(({ name }) => name)),
    name: 'Items that a custom field is bound to',
    document: 'nothing',
    line: 'a value',
    why: 'Custom fields stay in their practice: documents do not carry them.',
  },
  {
    columns: listColumns((item) => item.kind === 'text' && item.isWhole),
    name: 'Identifying numbers',
    document: 'a value',
    line: 'nothing',
    why: 'A number that is longer than its column is left blank, since a part of it would be another number.',
  },
  {
    columns: listColumns(({ kind }) => kind === 'text'),
    name: 'Texts',
    document: 'a value',
    line: 'its ASCII letters',
    why: 'The file is ASCII, and columns have fixed lengths. A document has the whole text.',
  },
  {
    columns: listColumns(({ kind }) => kind === 'coded'),
    name: 'Items with codes or digits',
    document: 'nothing',
    line: 'unknown',
    why: 'The layout has a code for “unknown”, and a document leaves out what is not held.',
  },
];
