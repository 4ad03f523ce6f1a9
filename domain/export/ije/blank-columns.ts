import { type ItemColumn, numberColumns, readColumns } from '../../custom-field/bindable-items.ts';

export interface BlankColumn extends ItemColumn {
  /** Text for the page that documents the file. */
  readonly why: string;
}

const listBlank = (why: string, ...columns: readonly string[]): readonly BlankColumn[] =>
  columns.flatMap(readColumns).map((column) => ({ ...column, why }));

/** Columns that are blank in every line. */
export const BLANK_COLUMNS: readonly BlankColumn[] = [
  ...listBlank(
    'the state sets it when it registers the birth',
    'BSTATE 5 2, FILENO 7 6, AUXNO 14 12, SFN 51 4, DOR_YR 944 4, DOR_MO 948 2, DOR_DY 950 2',
    'REGISTER_YR 2960 4, REGISTER_MO 2964 2, REGISTER_DY 2966 2, REPLACE 3018 1',
  ),
  ...listBlank(
    'the certifier signs with the state',
    'CERTIFIED_YR 2952 4, CERTIFIED_MO 2956 2, CERTIFIED_DY 2958 2',
  ),
  ...listBlank(
    'which codes states use for the titles of certifiers is not certain',
    'CERTIF 2901 1, CERTIF_OTH_TXT 2902 20',
  ),
  ...listBlank(
    'the state codes it from the name of the place',
    'CNTYO 35 3, CITYC 68 5, COUNTYC 73 3',
  ),
  ...listBlank(
    'NCHS or the state codes it from the answers',
    numberColumns('MRACE#E 1', 374, 3, 8),
    numberColumns('MRACE#C 16', 398, 3, 8),
    numberColumns('FRACE#E 1', 703, 3, 8),
    numberColumns('FRACE#C 16', 727, 3, 8),
    'MOM_OC_C 2047 3, DAD_OC_C 2075 3, MOM_IN_C 2103 3, DAD_IN_C 2131 3, METHNIC5C 2138 3, METHNICE 2141 3',
    'MRACEBG_C 2144 2, FETHNIC5C 2146 3, FETHNICE 2149 3, FRACEBG_C 2152 2',
  ),
  ...listBlank(
    'an edit flag of the father: nothing is asked about his items',
    'FAGE_BYPASS 89 1, FEDUC_BYPASS 423 1',
  ),
  ...listBlank(
    'a second name has no custom field',
    'FRACE17 493 30, FRACE19 553 30, FRACE21 613 30',
  ),
  ...listBlank(
    'the whole street address is in one column',
    'STNUM 1597 10, PREDIR 1607 10, STNAME 1617 28, STDESIG 1645 10, POSTDIR 1655 10, UNUM 1665 7',
    'MAIL_STNUM 2516 10, MAIL_PREDIR 2526 10, MAIL_STNAME 2536 28, MAIL_STDESIG 2564 10, MAIL_POSTDIR 2574 10, MAIL_UNUM 2584 7',
  ),
  ...listBlank(
    'what is recorded is never erased, so Social Security numbers are not',
    'MOM_SSN 2000 9, DAD_SSN 2009 9',
  ),
  ...listBlank(
    'the state sets it for the Social Security Administration',
    'SSN_CITIZEN_CD 2763 1, SSN_MULT_BTH_CD 2764 1, SSN_FEEDBACK 2765 1, SSN_BRTH_CRT_NO 2766 11',
  ),
  ...listBlank('for NCHS only', 'MATCH 883 6, R_YR 912 4, R_MO 916 2, R_DY 918 2'),
  ...listBlank(
    'NCHS no longer collects it',
    'MARE 90 1, DOLP_MO 761 2, DOLP_DY 763 2, DOLP_YR 765 4, PPO 825 1, VB 826 1, HSV 834 1, CERV 838 1, TOC 839 1',
    'PROM 842 1, PRIC 843 1, PROL 844 1, NVPR 847 1, MECS 851 1, FINT 852 1, ATTF 854 1, ATTV 855 1, UOPR 864 1, BINJ 896 1',
  ),
  ...listBlank(
    'for a state’s own use: not on the standard certificate',
    'MCPH 952 49, METHNIC_T 2154 15, MRACE_T 2169 50, FETHNIC_T 2219 15, FRACE_T 2234 50, MARITAL_DESCRIP 2968 50',
    numberColumns('PLACE1_# 1', 3019, 1, 6),
    numberColumns('PLACE8_# 1', 3025, 8, 3),
    'PLACE20 3049 20, BLANK2 3519 482',
  ),
  ...listBlank('reserved for later', 'BLANK 3069 450'),
];
